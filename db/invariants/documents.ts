/** Amounts, numbers and dates of documents. */
import type { Invariant } from './invariant.ts';

/** Amounts are rounded to the precision at their time; older documents may have been created with another. */
const PRECISIONS = 'generate_series(0, 6) as places';

/** The part of a line's price that its own discounts leave. */
const KEPT = '(100 - l.discount_percent) * (100 - l.second_discount_percent) / 10000';

/** Lines, and whether they take back in a rectification by substitution, which rounds both of its parts apart. */
const PARTS = `(select l.*, l.quantity < 0 and s.id is not null as back from document_lines l
    left join documents s on s.tenant_id = l.tenant_id and s.id = l.document_id and s.rectification_method is not null) l`;
/** Sums a value of both parts: all that is not taken back, and under the name with `back_` what is. */
const byPart = (value: string, name: string, condition: string) =>
  `coalesce(sum(${value}) filter (where ${condition} and not back), 0) as ${name},
          coalesce(sum(${value}) filter (where ${condition} and back), 0) as back_${name}`;

export const AMOUNTS: readonly Invariant[] = [
  {
    name: 'line_amounts',
    title:
      'line amount = quantity × price × (1 − discounts), rounded, with its shares of the document’s; for prices with tax, within 2 units ' +
      'of the price without tax',
    sql: `select tenant_id, id::text, exists (select from ${PRECISIONS}
        where case when price_with_tax is null then amount = round(quantity * price * ${KEPT}, places) - document_discount + document_charge
          else abs(amount - (quantity * price_with_tax * ${KEPT} - document_discount + document_charge)
            * 100 / (100 + tax_rate + surcharge_rate)) <= 2 * power(10::numeric, -places)
          end) as ok
      from document_lines l`,
  },
  {
    name: 'document_discounts',
    title: 'the shares of the lines add up to the discount of their document, unless they take back',
    sql: `select tenant_id, id::text, case when discount_percent is null then given = discount_amount
        else exists (select from ${PRECISIONS} where given = round(given, places)
          and abs(given - value * discount_percent / 100) <= (lines + 1) * power(10::numeric, -places) / 2) end as ok
      from (select d.tenant_id, d.id, d.discount_percent, d.discount_amount, count(*) as lines, sum(l.document_discount) as given,
          sum(l.quantity * coalesce(l.price_with_tax, l.price) * ${KEPT}) as value
        from documents d join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
        where coalesce(d.discount_percent, d.discount_amount) is not null and d.rectifies is null and d.returns is null
          and not (l.account_id is not null and l.price < 0 and l.document_discount = 0)
        group by 1, 2, 3, 4) d`,
  },
  {
    name: 'document_charges',
    title: 'the shares of the lines add up to the charge of their document, unless they take back',
    sql: `select d.tenant_id, d.id::text, sum(l.document_charge) = d.charge_amount as ok
      from documents d join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
      where d.charge_amount is not null and d.rectifies is null and d.returns is null
      group by d.tenant_id, d.id, d.charge_amount`,
  },
  {
    name: 'document_totals',
    title: 'subtotal = Σ lines, tax = Σ taxes, total = subtotal + tax − withholding',
    sql: `select d.tenant_id, d.id::text,
        d.subtotal = coalesce(l.amount, 0) and d.tax_total = coalesce(t.amount, 0)
        and d.total = d.subtotal + d.tax_total - d.withholding_amount as ok
      from documents d
      left join (select tenant_id, document_id, sum(amount) as amount from document_lines group by 1, 2) l
        on l.tenant_id = d.tenant_id and l.document_id = d.id
      left join (select tenant_id, document_id, sum(amount + surcharge_amount) as amount from document_taxes group by 1, 2) t
        on t.tenant_id = d.tenant_id and t.document_id = d.id`,
  },
  {
    name: 'taxes',
    title:
      'tax = rate × Σ lines of the rate, rounded once; for prices with tax, net and tax follow from the prices; a rectification by ' +
      'substitution rounds what it takes back apart',
    sql: `with lines as (
        select tenant_id, document_id, tax_group_id, tax_rate as rate, surcharge_rate, sum(amount) as base,
          ${byPart('amount', 'net', 'price_with_tax is null')}, ${byPart('amount', 'taken', 'price_with_tax is not null')}
        from ${PARTS} group by 1, 2, 3, 4, 5
      ), with_tax as (
        select tenant_id, document_id, tax_group_id, rate, surcharge_rate, array_agg(total order by places) as totals,
          array_agg(back_total order by places) as back_totals
        from (select tenant_id, document_id, tax_group_id, tax_rate as rate, surcharge_rate, places,
            ${byPart(`round(quantity * price_with_tax * ${KEPT}, places) - document_discount + document_charge`, 'total', 'true')}
          from ${PARTS}, ${PRECISIONS} where price_with_tax is not null group by 1, 2, 3, 4, 5, 6) sums
        group by 1, 2, 3, 4, 5
      )
      select coalesce(l.tenant_id, t.tenant_id) as tenant_id, coalesce(l.document_id, t.document_id)::text as id,
        l.base = t.base and exists (select from ${PRECISIONS}
          cross join lateral (select sum(round(p.net * l.rate / 100, places) + o.tax) as tax,
              sum(round(p.net * l.surcharge_rate / 100, places) + o.surcharge) as surcharge,
              bool_and(p.taken + o.tax + o.surcharge = p.total) as adds_up
            from (values (l.net, l.taken, coalesce(w.totals[places + 1], 0)),
              (l.back_net, l.back_taken, coalesce(w.back_totals[places + 1], 0))) as p(net, taken, total)
            cross join lateral (select round(p.total * l.rate / (100 + l.rate + l.surcharge_rate), places) as tax,
              round(p.total * l.surcharge_rate / (100 + l.rate + l.surcharge_rate), places) as surcharge) o) out
          where t.amount = out.tax and t.surcharge_amount = out.surcharge and out.adds_up) as ok
      from lines l
      left join with_tax w on w.tenant_id = l.tenant_id and w.document_id = l.document_id and w.tax_group_id = l.tax_group_id
        and w.rate = l.rate and w.surcharge_rate = l.surcharge_rate
      full join document_taxes t on t.tenant_id = l.tenant_id and t.document_id = l.document_id
        and t.tax_group_id = l.tax_group_id and t.rate = l.rate and t.surcharge_rate = l.surcharge_rate`,
  },
  {
    name: 'withholdings',
    title:
      'the withholding of a document is that of its lines, by rate, rounded once per rate (and part, of a substitution)',
    sql: `with bases as (
        select d.tenant_id, d.id, d.withholding_amount, coalesce(l.withholding_rate, d.withholding_rate) as rate, sum(l.amount) as base
        from documents d join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
        group by d.tenant_id, d.id, 4, d.rectification_method is not null and l.quantity < 0
      )
      select b.tenant_id, b.id::text, bool_or(b.withholding_amount = b.withheld) as ok
      from (select tenant_id, id, withholding_amount, places, sum(round(base * rate / 100, places)) as withheld
        from bases, ${PRECISIONS} group by 1, 2, 3, 4) b
      group by 1, 2`,
  },
  {
    name: 'company_amounts',
    title:
      'a document in another currency has its lines at its rate in the company’s, their sums, and its total; others have no such amounts',
    sql: `select d.tenant_id, d.id::text, case when d.exchange_rate is null
          then num_nonnulls(d.company_subtotal, d.company_total, d.company_paid_total) = 0 and bool_and(l.company_amount is null)
          else d.company_subtotal = sum(l.company_amount) and bool_and(exists (select from ${PRECISIONS}
              where l.company_amount = round(l.amount / d.exchange_rate, places)))
            and d.company_total = d.company_subtotal + d.company_tax_total - d.company_withholding_amount
            and d.company_paid_total is not null end as ok
      from documents d join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
      group by d.tenant_id, d.id`,
  },
  {
    name: 'documents_have_lines',
    title: 'each document has 1 to 1,000 lines, numbered from 1',
    sql: `select d.tenant_id, d.id::text, count(l.id) between 1 and 1000 and max(l.line_number) = count(l.id)
      and min(l.line_number) = 1 as ok
      from documents d left join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id
      group by 1, 2`,
  },
];

/**
 * The first number that a series assigned or will assign: the last value that people set `nextNumber` to. A series continued from another
 * program starts above its firstNumber. Assigning numbers leaves no audit record of the series.
 */
const BEGAN = `coalesce((select (a.new_value->>'nextNumber')::integer from audit_logs a
    where a.tenant_id = series.tenant_id and a.entity_type = 'DocumentSeries' and a.entity_id = series.id
      and (a.old_value->>'nextNumber') is distinct from (a.new_value->>'nextNumber')
    order by a.id desc limit 1), first_number)`;

export const NUMBERS: readonly Invariant[] = [
  {
    name: 'series_numbers',
    title: 'numbers run from the start of the series to nextNumber − 1, without gap or repeat',
    sql: `select s.tenant_id, s.doc_type || ' ' || s.prefix || s.suffix as id, count(d.number) = s.next_number - s.began
        and count(distinct d.number) = count(d.number)
        and coalesce(min(d.number) = s.began and max(d.number) = s.next_number - 1, true) as ok
      from (select *, ${BEGAN} as began from series) s
      left join (select tenant_id, series_id, number from documents union all select tenant_id, series_id, number from full_invoices) d
        on d.tenant_id = s.tenant_id and d.series_id = s.id
      group by s.tenant_id, s.id, s.doc_type, s.prefix, s.suffix, s.next_number, s.began`,
  },
  {
    name: 'numbered_when_valid',
    title: 'only drafts and cancelled drafts have no number; a document and its series have the same type',
    sql: `select d.tenant_id, d.id::text,
        (d.number is null) = (d.code is null) and d.doc_type = s.doc_type
        and case when d.doc_type in ('SQ', 'PR') then d.number is not null or d.status in ('D', 'X')
          when d.doc_type not in ('SINV', 'PINV') then d.number is not null and d.status <> 'D'
          when d.status = 'D' then d.number is null and d.posted_at is null
          when d.status = 'X' then (d.number is null) = (d.posted_at is null)
          else d.number is not null and d.posted_at is not null end as ok
      from documents d left join series s on s.tenant_id = d.tenant_id and s.id = d.series_id`,
  },
];

export const ACCOUNTING_TIME: readonly Invariant[] = [
  {
    name: 'dates_in_periods',
    title: 'each document, count, transfer and entry is dated within its period',
    sql: `select d.tenant_id, d.id::text, d.date between p."from" and p."to" as ok
      from (select tenant_id, id, date, period_id from documents union all select tenant_id, id, date, period_id from stock_operations
        union all select tenant_id, id, date, period_id from journal_entries) d
      left join periods p on p.tenant_id = d.tenant_id and p.id = d.period_id`,
  },
  {
    name: 'invoice_dates',
    title:
      'only a supplier’s invoice has its own document date, not after the date of its entry; nothing was supplied after its invoice',
    sql: `select tenant_id, id::text, (document_date is not null) = (doc_type = 'PINV') and coalesce(document_date <= date, true)
        and (operation_date is null or doc_type in ('SINV', 'PINV') and operation_date <= coalesce(document_date, date)) as ok
      from documents`,
  },
  {
    name: 'no_drafts_in_closed_periods',
    title: 'a closed period has no drafts',
    sql: `select p.tenant_id, p.code as id, not exists (select from documents d
          where d.tenant_id = p.tenant_id and d.period_id = p.id and d.status = 'D')
        and not exists (select from journal_entries e where e.tenant_id = p.tenant_id and e.period_id = p.id and e.status = 'draft') as ok
      from periods p where p.status = 'C'`,
  },
];
