/** SQL for the sales invoiced in a period. */
import { inCompany } from '../../../db/queries/company-amounts.ts';
import { costOfSoldGoods } from '../../../db/queries/cost-of-goods.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { LINE_COST_CENTER, LINE_PROJECT } from './list.ts';

/** The salesperson of a line: its own, or else the document's. */
const LINE_SALESPERSON = 'coalesce(l.salesperson_id, d.salesperson_id)';

/**
 * Invoices of a period. A cancelled one counts on its own day and is deducted on the day of its reversal, as in the
 * ledger.
 */
const POSTED = `select d.*, 1 as sign, d.date as counts_on from documents d
    where d.doc_type = 'SINV' and d.posted_at is not null and d.date between :from::date and :to::date
    union all
    select d.*, -1, r.date from journal_entries r join journal_entries e on e.id = r.reversal_of and e.source_type = 'sales_invoice'
      join documents d on d.id = e.source_id and d.status = ${STATE.cancelled}
    where r.date between :from::date and :to::date`;

/**
 * Lines of sales invoices from `:from` to `:to`, with amount and cost of goods, except those booked on no income
 * account. Columns that are not selected cost nothing.
 */
export const SOLD_LINES = `
  select d.counts_on as date, d.sign, d.id as document_id, d.code as document_code, l.id, l.line_number, d.partner_id, l.item_id,
    ${LINE_PROJECT} as project_id, ${LINE_COST_CENTER} as cost_center_id, ${LINE_SALESPERSON} as salesperson_id, l.description,
    i.category_id, p.group_id as partner_group_id, p.country_code::text as country, to_char(d.counts_on, 'YYYY-MM') as month,
    l.commission_percent,
    case when d.rectifies is not null and l.base_type = 'SINV' then l.base_line_id end as credits_line_id,
    d.payment_status = 'paid' as paid,
    coalesce((select o.date from documents o where o.id = d.rectifies), d.date) as rates_on,
    d.sign * l.quantity as quantity, d.sign * ${inCompany('l', 'amount')} as amount,
    ${costOfSoldGoods(PLACES)} as cost
  from (${POSTED}) d join document_lines l on l.document_id = d.id left join items i on i.id = l.item_id
    left join partners p on p.id = d.partner_id
  where not exists (select from accounts a where a.id = coalesce(l.account_id, i.sales_account_id) and a.type <> 'income')`;
