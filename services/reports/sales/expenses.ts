/** SQL of the expenses of projects and cost centers, besides the cost of the goods that were sold. */
import { companyCost } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { LINE_COST_CENTER, LINE_PROJECT } from '../../trade/lines/list.ts';
import { withinDimensions } from '../accounting/dimension-filters.ts';

const LINE = { project_id: LINE_PROJECT, cost_center_id: LINE_COST_CENTER } as const;

const LINE_WITHIN = withinDimensions(LINE_PROJECT, LINE_COST_CENTER);

/** Entries of sales, whose revenue is counted by their lines, and of notes, which their invoices replace. */
const COUNTED_ELSEWHERE = `('sales_invoice', 'sales_delivery_note', 'purchase_delivery_note')`;

/** Purchase invoices of the period; a cancelled one is deducted on the day of its reversal, as in the ledger. */
const BOUGHT = `select d.*, 1 as sign from documents d
    where d.doc_type = 'PINV' and d.posted_at is not null and d.date between :from::date and :to::date
    union all
    select d.*, -1 from journal_entries r join journal_entries e on e.id = r.reversal_of and e.source_type = 'purchase_invoice'
      join documents d on d.id = e.source_id and d.status = ${STATE.cancelled}
    where r.date between :from::date and :to::date`;

/** Landed costs of the period; a cancelled one is deducted on the day of its reversal. */
const LANDED = `select t.id, 1 as sign from landed_costs t where t.date between :from::date and :to::date
    union all
    select t.id, -1 from landed_costs t where t.status = 'cancelled'
      and (select max(m.date) from stock_movements m where m.landed_cost_id = t.id) between :from::date and :to::date`;

/** The source of an entry `e`, or of the entry `o` that it reverses; empty for one by hand. */
const SOURCE = `coalesce(o.source_type, e.source_type, '')`;

/** Income that is spread over the months of its service: it is revenue, when it is released, and not before. */
const DEFERRED = `a.type = 'income' and ${SOURCE} = 'deferral'`;

/**
 * The net expenses of the ledger by what they are assigned to, less the goods bought for stock and what landed costs took of other lines:
 * these are expenses when the goods are sold. Beside them, what deferrals change of the revenue. Of a project or a cost center alone if
 * the bindings name one, and none with a `:partner`; with pay if `:pay` says so.
 */
export function expensesSql(member: keyof typeof LINE): string {
  return `select id, sum(amount) as expenses, sum(revenue) as revenue from (
      select l.${member} as id, case when ${DEFERRED} then 0 else l.debit - l.credit end as amount,
        case when ${DEFERRED} then l.credit - l.debit else 0 end as revenue
      from journal_lines l join accounts a on a.id = l.account_id and a.type in ('expense', 'income')
        join journal_entries e on e.id = l.entry_id left join journal_entries o on o.id = e.reversal_of
      where :partner::uuid is null and l.${member} is not null and l.kind = 'normal' and l.date between :from::date and :to::date
        and ${withinDimensions('l.project_id', 'l.cost_center_id')}
        and ${SOURCE} not in ${COUNTED_ELSEWHERE} and (:pay::boolean or ${SOURCE} <> 'payroll')
      union all
      select ${LINE[member]}, -d.sign * ${companyCost('l')}, 0
      from (${BOUGHT}) d join document_lines l on l.document_id = d.id join items i on i.id = l.item_id and i.stock_tracked
      where :partner::uuid is null and ${LINE[member]} is not null and ${LINE_WITHIN}
        and not exists (select from accounts a where a.id = coalesce(l.account_id, i.purchase_account_id)
          and a.type not in ('expense', 'income'))
      union all
      select ${LINE[member]}, -t.sign * c.amount, 0
      from (${LANDED}) t join landed_cost_charges c on c.landed_cost_id = t.id
        join document_lines l on l.id = c.document_line_id join documents d on d.id = l.document_id
      where :partner::uuid is null and ${LINE[member]} is not null and ${LINE_WITHIN}) spent
    group by id having sum(amount) <> 0 or sum(revenue) <> 0`;
}
