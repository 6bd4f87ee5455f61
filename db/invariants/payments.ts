/** Payments, their applications and entries. */
import type { Invariant } from './invariant.ts';

export const PAYMENTS: readonly Invariant[] = [
  {
    name: 'instalments',
    title:
      'the instalments of an invoice add up to its total, and their open amounts to the outstanding amount; the earliest are settled first',
    sql: `select d.tenant_id, d.id::text, count(*) > 1 and sum(i.amount) = d.total and sum(i.outstanding) = d.total - d.paid_total
        and min(i.number) = 1 and max(i.number) = count(*) and max(i.due_date) = d.due_date and bool_and(i.partner_id = d.partner_id)
        and bool_and(i.amount > 0 and (i.due_date > i.previous) is not false) and d.payment_terms_id is not null
        and bool_and(i.settled <= i.amount and i.settled = i.named)
        and bool_and(i.outstanding = i.open - case when i.last then i.reached else least(i.reached, i.open) end) as ok
      from documents d join (select i.*, lag(i.due_date) over part as previous,
          i.number = max(i.number) over (partition by i.tenant_id, i.document_id) as last,
          greatest(d.paid_total - sum(i.settled) over (partition by i.tenant_id, i.document_id)
            - (sum(i.open) over part - i.open), case i.number when 1 then d.paid_total
              - sum(i.settled) over (partition by i.tenant_id, i.document_id) else 0 end) as reached
        from (select i.*, i.amount - i.settled as open, coalesce((select sum(a.settled) from payment_applications a
            where a.tenant_id = i.tenant_id and a.document_id = i.document_id and a.instalment = i.number), 0) as named
          from document_instalments i) i
        join documents d on d.tenant_id = i.tenant_id and d.id = i.document_id
        window part as (partition by i.tenant_id, i.document_id order by i.number)) i
        on i.tenant_id = d.tenant_id and i.document_id = d.id
      group by d.tenant_id, d.id, d.total, d.paid_total, d.due_date, d.payment_terms_id`,
  },
  {
    name: 'paid_is_sum_of_applications',
    title: 'the paid amount of a document = Σ applications to it, and determines its payment status and state',
    sql: `select d.tenant_id, d.id::text, d.paid_total = coalesce(a.settled, 0)
        and case when d.doc_type not in ('SINV', 'PINV') then d.payment_status is null
          else d.payment_status = case when d.total = 0 and d.paid_total = 0 then case when d.status in ('D', 'X') then d.payment_status
            else 'paid' end
              when d.total = 0 then 'overpaid' when d.paid_total = 0 then 'pending' when d.paid_total = d.total then 'paid'
              when (d.total - d.paid_total > 0) = (d.total > 0) then 'partial' else 'overpaid' end
            and (d.status in ('D', 'X') or d.status = case when d.payment_status in ('paid', 'overpaid') then 'C' else 'O' end) end
        and (d.paid_total = 0 or d.status not in ('D', 'X'))
        and (d.exchange_rate is null or d.company_paid_total = coalesce(a.company_settled, 0)
          and (d.paid_total <> d.total or d.payment_status is null or d.company_paid_total = d.company_total)) as ok
      from documents d
      left join (select tenant_id, document_id, sum(settled) as settled, sum(company_settled) as company_settled
          from payment_applications group by 1, 2) a
        on a.tenant_id = d.tenant_id and a.document_id = d.id`,
  },
  {
    name: 'named_instalments',
    title: 'an application that names an instalment settles an invoice that has it',
    sql: `select a.tenant_id, a.id::text, exists (select from document_instalments i
        where i.tenant_id = a.tenant_id and i.document_id = a.document_id and i.number = a.instalment) as ok
      from payment_applications a where a.instalment is not null`,
  },
  {
    name: 'prompt_discounts',
    title: 'a prompt discount has a last day; rectifying and negative invoices offer none',
    sql: `select d.tenant_id, d.id::text, case when d.prompt_discount_percent is null then d.prompt_discount_until is null
        else d.prompt_discount_until is not null and d.total > 0 and d.rectifies is null end as ok
      from documents d where d.doc_type in ('SINV', 'PINV')`,
  },
  {
    name: 'applied_within_payment',
    title:
      'the applied amount of a payment = Σ its applications, at most its amount, to documents of its partner and side, or to credits ' +
      'of the other side',
    sql: `select p.tenant_id, p.id::text, p.applied_total = case when p.returns is not null or p.returned then p.amount
          else coalesce(sum(a.amount), 0) end and p.applied_total <= p.amount and coalesce(sum(a.amount), 0) <= p.amount
        and (p.company_amount is null or sum(a.amount) is distinct from p.amount or sum(a.company_amount) = p.company_amount)
        and coalesce(bool_and(d.partner_id = p.partner_id and d.currency = p.currency
          and (d.side = p.direction and p.returns is null or p.returns is not null and d.owed
            or d.owed and d.total < 0 and a.settled = -a.amount)), true) as ok
      from (select *, exists (select from payments b where b.tenant_id = m.tenant_id and b.returns = m.id) as returned from payments m) p
      left join payment_applications a on a.tenant_id = p.tenant_id and a.payment_id = p.id
      left join (select tenant_id, id, partner_id, currency, total, doc_type in ('SINV', 'PINV') as owed,
          case when doc_type in ('SO', 'SDN', 'SINV') then 'in' else 'out' end as side from documents
        union all select tenant_id, id, partner_id, currency, total, true, direction from open_items) d
        on d.tenant_id = a.tenant_id and d.id = coalesce(a.document_id, a.item_id)
      group by p.tenant_id, p.id, p.amount, p.company_amount, p.applied_total, p.returns, p.returned`,
  },
  {
    name: 'entries_of_payments',
    title:
      'each payment other than an offset has an entry on its date, with its money; its entries post settled amounts and the rest to its ' +
      'partner; all entries of a deleted payment are reversed',
    sql: `select s.tenant_id, s.id::text, case
          when p.id is null then bool_and(e.reversal_of is not null or r.id is not null)
          else (p.payment_method = 'offset' or bool_or(e.date = p.date)) and bool_and(r.id is null and e.reversal_of is null)
            and coalesce(sum(l.money), 0) = coalesce(p.company_amount, p.amount) + case p.direction when 'in' then -p.fees else p.fees end
              and coalesce(sum(l.net), 0) = coalesce(p.company_amount, p.amount) + (select coalesce(sum(
                case when p.company_amount is null then a.withholding + a.discount + a.write_off
                  else a.company_settled * sign(a.settled * (a.amount + a.withholding + a.discount + a.write_off))
                    - a.company_amount end), 0)
              from payment_applications a
              where a.tenant_id = p.tenant_id and a.payment_id = p.id) end as ok
      from (select tenant_id, id from payments union select tenant_id, source_id from journal_entries where source_type = 'payment') s
      left join payments p on p.tenant_id = s.tenant_id and p.id = s.id
      left join journal_entries e on e.tenant_id = s.tenant_id and e.source_id = s.id and e.source_type = 'payment'
      left join journal_entries r on r.tenant_id = e.tenant_id and r.reversal_of = e.id
      left join lateral (select sum(-n.net) filter (where l.money) as money,
          sum(n.net) filter (where l.partner_id is not null and not exists (select from open_items i
            where i.tenant_id = l.tenant_id and i.entry_id = l.entry_id and i.line_number = l.line_number)) as net
        from journal_lines l cross join lateral
          (select case p.direction when 'in' then l.credit - l.debit else l.debit - l.credit end as net) n
        where l.tenant_id = e.tenant_id and l.entry_id = e.id) l on true
      group by s.tenant_id, s.id, p.id, p.tenant_id, p.amount, p.company_amount, p.fees, p.direction, p.date,
        p.payment_method`,
  },
  {
    name: 'withholding_of_discounts',
    title: 'a discount takes back its share of the tax withheld on the invoice, unless the withholding stays',
    sql: `select p.tenant_id, p.id::text, p.company_amount is not null or exists (select from generate_series(0, 6) as places
        where coalesce(e.taken_back, 0) = case when p.returns is null then 1 else -1 end
          * coalesce((select sum(round(l.tax_amount * a.discount / d.total, places))
          from payment_applications a join documents d on d.tenant_id = a.tenant_id and d.id = a.document_id and d.total <> 0
          join journal_entries i on i.tenant_id = d.tenant_id and i.source_id = d.id and i.reversal_of is null and i.status = 'posted'
          join journal_lines l on l.tenant_id = i.tenant_id and l.entry_id = i.id and l.tax_kind = 'withholding'
          where a.tenant_id = p.tenant_id and a.payment_id = p.id and a.discount <> 0 and not a.keep_withholding), 0)) as ok
      from payments p left join (select e.tenant_id, e.source_id, -sum(l.tax_amount) as taken_back
        from journal_entries e join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id
        where e.source_type = 'payment' and l.tax_kind = 'withholding' and l.tax_rectifying group by 1, 2) e
        on e.tenant_id = p.tenant_id and e.source_id = p.id`,
  },
  {
    name: 'returned_payments',
    title:
      'a returned payment has the partner and amount of its return and the other direction; the return is dated no earlier than it and ' +
      'what it settled, and reopens all of that',
    sql: `select b.tenant_id, b.id::text, p.partner_id = b.partner_id and p.amount = b.amount and p.direction <> b.direction
        and p.date <= b.date and p.returns is null and not exists (
          select from payment_applications a where a.tenant_id = p.tenant_id and a.payment_id = p.id and a.date > b.date)
        and not exists (
          select from payment_applications a where a.tenant_id = b.tenant_id and a.payment_id in (b.id, p.id)
          group by a.document_id, a.item_id having sum(a.settled) <> 0) as ok
      from payments b left join payments p on p.tenant_id = b.tenant_id and p.id = b.returns
      where b.returns is not null`,
  },
  {
    name: 'open_items_are_lines',
    title:
      'an open item equals a posted line in partner, account and amount, and its paid amount = Σ applications to it',
    sql: `select i.tenant_id, i.id::text, e.status = 'posted' and e.reversal_of is null and l.partner_id = i.partner_id
        and l.account_id = i.account_id and l.date = i.date
        and i.total = case i.direction when 'in' then l.debit - l.credit else l.credit - l.debit end
        and i.paid_total = coalesce(a.settled, 0) as ok
      from open_items i
      left join journal_entries e on e.tenant_id = i.tenant_id and e.id = i.entry_id
      left join journal_lines l on l.tenant_id = i.tenant_id and l.entry_id = i.entry_id and l.line_number = i.line_number
      left join (select tenant_id, item_id, sum(settled) as settled from payment_applications group by 1, 2) a
        on a.tenant_id = i.tenant_id and a.item_id = i.id`,
  },
  {
    name: 'settled_by_entries',
    title:
      'an entry settles the amount of its line, with the same partner and, for an open item, the same account; a reversal reopens what ' +
      'its entry settled, and closes its open items',
    sql: `select a.tenant_id, a.id::text, l.partner_id = d.partner_id and coalesce(l.account_id = d.account_id, true) and a.date = l.date
        and a.amount = a.settled and a.settled = case d.side when 'in' then l.credit - l.debit else l.debit - l.credit end
        and not exists (select from open_items i where i.tenant_id = a.tenant_id and i.entry_id = a.entry_id
          and i.line_number = a.line_number) as ok
      from payment_applications a
      left join journal_lines l on l.tenant_id = a.tenant_id and l.entry_id = a.entry_id and l.line_number = a.line_number
      left join (select tenant_id, id, partner_id, null::uuid as account_id, case doc_type when 'SINV' then 'in' else 'out' end as side
          from documents where doc_type in ('SINV', 'PINV')
        union all select tenant_id, id, partner_id, account_id, direction from open_items) d
        on d.tenant_id = a.tenant_id and d.id = coalesce(a.document_id, a.item_id)
      where a.entry_id is not null
      union all select r.tenant_id, r.id::text, not exists (
          select from open_items i where i.tenant_id = r.tenant_id and i.entry_id = r.reversal_of and i.total <> i.paid_total)
        and coalesce((select sum(a.settled) from payment_applications a where a.tenant_id = r.tenant_id and a.entry_id = r.reversal_of), 0)
          + coalesce((select sum(a.settled) from payment_applications a where a.tenant_id = r.tenant_id and a.entry_id = r.id
            and not exists (select from open_items i where i.tenant_id = a.tenant_id and i.entry_id = r.reversal_of
              and i.line_number = a.line_number)), 0) = 0 as ok
      from journal_entries r where r.reversal_of is not null`,
  },
  {
    name: 'bad_debts',
    title:
      'the provision for a bad debt, and the part of it on the account of doubtful customers, are the sums of its movements, and what ' +
      'their entries have on 490 and 436',
    sql: `select b.tenant_id, b.id::text, b.provided = coalesce(m.provided, 0) and b.doubtful = coalesce(m.doubtful, 0)
          and b.written_off = coalesce(m.written_off, 0) and b.provided = coalesce(e.provided, 0) and b.doubtful = coalesce(e.doubtful, 0)
          as ok
      from bad_debts b
      left join (select tenant_id, bad_debt_id, sum(provided) as provided, sum(doubtful) as doubtful, sum(written_off) as written_off
          from bad_debt_movements group by 1, 2) m
        on m.tenant_id = b.tenant_id and m.bad_debt_id = b.id
      left join (select m.tenant_id, m.bad_debt_id,
            sum(l.credit - l.debit) filter (where l.account_id = o.impairment_account_id) as provided,
            sum(l.debit - l.credit) filter (where l.account_id = o.doubtful_account_id) as doubtful
          from bad_debt_movements m join bad_debts o on o.tenant_id = m.tenant_id and o.id = m.bad_debt_id
          join journal_lines l on l.tenant_id = m.tenant_id and l.entry_id = m.entry_id group by 1, 2) e
        on e.tenant_id = b.tenant_id and e.bad_debt_id = b.id`,
  },
];
