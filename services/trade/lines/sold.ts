/** SQL: what posted sales invoices say of a period. */
import { STATE } from '../../../db/queries/document-states.ts';
import { COST_OF_JOINED, goodsOf, JOIN_GOODS } from './cost.ts';
import { LINE_COST_CENTER, LINE_PROJECT } from './list.ts';

/**
 * The lines of sales invoices from `:from` to `:to`, with amount and cost of goods. What was cancelled counts on its day, and is taken back
 * on that of its reversal, as in the ledger. What is booked on another account than of income is no revenue.
 */
export const SOLD_LINES = `
  with posted as materialized (
    select d.id, 1 as sign from documents d
    where d.doc_type = 'SINV' and d.posted_at is not null and d.date between :from::date and :to::date
    union all
    select d.id, -1 from journal_entries r join journal_entries e on e.id = r.reversal_of and e.source_type = 'sales_invoice'
      join documents d on d.id = e.source_id and d.status = ${STATE.cancelled}
    where r.date between :from::date and :to::date
  ), of_goods as materialized (
    select l.id, l.base_line_id from posted p join document_lines l on l.document_id = p.id where l.item_id is not null
  ), goods as materialized (
    ${goodsOf('select id from of_goods union select base_line_id from of_goods')}
  )
  select d.partner_id, l.item_id, ${LINE_PROJECT} as project_id, ${LINE_COST_CENTER} as cost_center_id,
    p.sign * l.amount as amount, p.sign * (${COST_OF_JOINED}) as cost
  from posted p join documents d on d.id = p.id join document_lines l on l.document_id = d.id
  left join items sold_item on sold_item.id = l.item_id ${JOIN_GOODS}
  where not exists (select from accounts a where a.id = coalesce(l.account_id, sold_item.sales_account_id) and a.type <> 'income')`;
