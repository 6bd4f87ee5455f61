/** SQL of amounts open with partners at the end of a day, in parts; shared by aging and the lines behind it. */

import { companyOutstanding } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { invoiceType, type PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { withinDimensions } from '../accounting/dimension-filters.ts';

/**
 * Amounts open at `to` for each instalment of an invoice, by the rule of `openAmounts`: the first one also has what was taken back beyond
 * what was settled. Of invoices that are open, or were settled later.
 * Excludes invoices due at once.
 */
const IN_PARTS = `select p.document_id, p.due_date, p.open - case when p.last then p.reached else least(p.reached, p.open) end as rest
  from (select n.document_id, n.due_date, n.open, n.number = max(n.number) over document as last,
      greatest(d.paid_total - coalesce(l.settled, 0) - sum(n.named) over document
        - (sum(n.open) over (document order by n.number) - n.open),
        case n.number when 1 then d.paid_total - coalesce(l.settled, 0) - sum(n.named) over document else 0 end) as reached
    from (select i.document_id, i.number, i.due_date, i.settled - coalesce(a.settled, 0) as named,
        i.amount - i.settled + coalesce(a.settled, 0) as open
      from document_instalments i left join (select document_id, instalment, sum(settled) as settled from later
          where instalment is not null group by 1, 2) a on a.document_id = i.document_id and a.instalment = i.number
      where i.document_id in (select document_id from document_instalments where outstanding_key > 0
        union all select document_id from later where document_id is not null)) n
    join documents d on d.id = n.document_id
    left join (select document_id, sum(settled) as settled from later group by 1) l on l.document_id = n.document_id
    window document as (partition by n.document_id)) p`;

/** SQL: whether what has neither cost center nor project counts, as open items and payments. */
const OF_NO_DIMENSION = 'coalesce(:project::uuid, :costCenter::uuid) is null';

/** Source types of entries of invoices. */
const ENTERED = { in: 'sales_invoice', out: 'purchase_invoice' } as const;

/**
 * Computes amounts outstanding at `to` as the current ones plus later applications: only open documents and those paid since are read (by
 * the indexes documents_unsettled, documents_advanced, payments_unapplied and payment_applications_date). Negative amounts (rectifying and
 * overpaid invoices) and unapplied payments are credit, shown beside the debt and not deducted; so are advances on orders and notes, and
 * payments of an invoice or item before its own date. Documents cancelled later were open until then. Debt less credit equals the balance
 * of partner accounts at the end of the day. The type is a literal, because partial indexes need it.
 *
 * With `:project` or `:costCenter`, only invoices of that count: what their lines name besides is not known of what is open.
 *
 * Amounts are in the company's currency, or in `:currency` and of that alone. `original` is the amount in the document's own.
 */
export const openParts = (direction: PaymentDirection) => `with day as (select coalesce(:to::date, ${TODAY}) as "to"),
  later as materialized (
    select a.payment_id, a.document_id, a.item_id, a.instalment, a.amount, a.settled
    from day join payment_applications a on a.date > day."to"
  ), in_parts as materialized (
    ${IN_PARTS}
  ), cancelled as materialized (
    select e.source_id as document_id from day join journal_entries e on e.date > day."to"
    where e.reversal_of is not null and e.source_type = '${ENTERED[direction]}'
  ), open as (
    select d.partner_id, d.id, d.currency, d.exchange_rate, ${companyOutstanding('d')} as company_rest,
      d.total - d.paid_total as own_rest, coalesce(i.due_date, d.due_date, d.date) as due_date, coalesce(i.rest,
        case when d.date <= day."to" then d.total else 0 end - d.paid_total + coalesce(l.settled, 0)) as rest
    from day cross join documents d left join (select document_id, sum(settled) as settled from later group by 1) l
      on l.document_id = d.id
      left join in_parts i on i.document_id = d.id and d.date <= day."to"
    where d.id in (select id from documents where doc_type = '${invoiceType(direction)}' and status in (${STATE.open}, ${STATE.closed})
        and total <> paid_total
      union all select document_id from later where document_id is not null
      union all select document_id from cancelled
      union all select f.id from day join documents f on f.doc_type = '${invoiceType(direction)}' and f.date > day."to"
        and f.paid_total <> 0)
      and d.doc_type = '${invoiceType(direction)}'
      and (d.status in (${STATE.open}, ${STATE.closed}) or d.id in (select document_id from cancelled))
      and ${withinDimensions('d.project_id', 'd.cost_center_id')}
      and (:from::date is null or d.date >= :from::date) and (:partner::uuid is null or d.partner_id = :partner::uuid)
      and (:currency::text is null or d.currency = :currency::text)
  ), items as (
    select i.partner_id, i.id, i.due_date, i.currency,
      case when i.date <= day."to" then i.total else 0 end - i.paid_total + coalesce(l.settled, 0) as rest
    from day cross join open_items i left join (select item_id, sum(settled) as settled from later group by 1) l on l.item_id = i.id
    where i.id in (select id from open_items where total <> paid_total union all select item_id from later where item_id is not null
        union all select f.id from day join open_items f on f.direction = '${direction}' and f.date > day."to" and f.paid_total <> 0)
      and i.direction = '${direction}' and ${OF_NO_DIMENSION}
      and (:from::date is null or i.date >= :from::date) and (:partner::uuid is null or i.partner_id = :partner::uuid)
      and (:currency::text is null or i.currency = :currency::text)
  ), elsewhere as materialized (
    select payment_id, sum(amount) as amount from (
      select payment_id, amount from later where payment_id is not null
      union all select b.returns, b.amount - coalesce((select sum(a.amount) from payment_applications a where a.payment_id = b.id), 0)
        from day join payments b on b.returns is not null and b.date > day."to"
      union all select a.payment_id, a.amount from day cross join documents d join payment_applications a on a.document_id = d.id
        where d.doc_type in ('SO', 'SDN', 'PO', 'PDN') and d.paid_total <> 0 and a.date <= day."to") a
    group by 1
  ), unapplied as (
    select p.partner_id, p.id, p.currency, p.exchange_rate, p.amount - p.applied_total + coalesce(e.amount, 0) as rest
    from day cross join payments p left join elsewhere e on e.payment_id = p.id
    where p.id in (select id from payments where applied_total < amount union all select payment_id from elsewhere)
      and p.direction = '${direction}' and p.date <= day."to" and ${OF_NO_DIMENSION}
      and (:partner::uuid is null or p.partner_id = :partner::uuid)
      and (:currency::text is null or p.currency = :currency::text)
  ), parts as (
    select partner_id, source, id, due_date, currency, original, greatest(rest, 0) as debt, greatest(-rest, 0) as credit
    from (
      select partner_id, 'invoice' as source, id, due_date, currency, rest as original, case when :currency::text is not null then rest
        when exchange_rate is null then rest when rest = own_rest then company_rest else round(rest / exchange_rate, ${PLACES}) end as rest
      from open
      union all select partner_id, 'open_item', id, due_date, currency, rest, rest from items
      union all select partner_id, 'payment', id, null, currency, -rest, -case when exchange_rate is null or :currency::text is not null
        then rest else round(rest / exchange_rate, ${PLACES}) end from unapplied where rest > 0) p
  )`;
