/** Open invoices and open items by age, as of a date. */
import { Type } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { STATE } from '../../db/queries/document-states.ts';
import { TODAY } from '../../db/queries/time-zone.ts';
import { query } from '../../db/sql.ts';
import { DOCUMENT_STATUS } from '../../domain/documents/types.ts';
import { type Decimal, roundedNumber, sum } from '../../domain/money.ts';
import { invoiceType, type PaymentDirection } from '../../domain/payments/types.ts';
import type { Texts } from '../../domain/reports/texts.ts';
import { PLACES } from '../settings/format.ts';
import { amount, choice, text, uuid } from '../validation/schemas.ts';
import { defineReport, RANGE } from './declaration.ts';
import { atMostOneFor } from './size.ts';

type Column = 'total_debt' | 'current' | '30_days' | '60_days' | '90_plus' | 'credit';

type Row = Readonly<Record<Column, Decimal>> & {
  readonly partner_id: string;
  readonly partner_name: string;
};

/**
 * What was open at `to` of each part in which an invoice is due, by the rule of `openAmounts`, of those that are open or were settled
 * later. Invoices that are due at once are not among them.
 */
const IN_PARTS = `select p.document_id, p.due_date, p.open - case when p.last then p.reached else least(p.reached, p.open) end as rest
  from (select n.document_id, n.due_date, n.open, n.number = max(n.number) over document as last,
      greatest(d.paid_total - coalesce(l.settled, 0) - sum(n.named) over document
        - (sum(n.open) over (document order by n.number) - n.open), 0) as reached
    from (select i.document_id, i.number, i.due_date, i.settled - coalesce(a.settled, 0) as named,
        i.amount - i.settled + coalesce(a.settled, 0) as open
      from document_instalments i left join (select document_id, instalment, sum(settled) as settled from later
          where instalment is not null group by 1, 2) a on a.document_id = i.document_id and a.instalment = i.number
      where i.document_id in (select document_id from document_instalments where outstanding_key > 0
        union all select document_id from later where document_id is not null)) n
    join documents d on d.id = n.document_id
    left join (select document_id, sum(settled) as settled from later group by 1) l on l.document_id = n.document_id
    window document as (partition by n.document_id)) p`;

/** The source of entries of its invoices. */
const ENTERED = { in: 'sales_invoice', out: 'purchase_invoice' } as const;

/**
 * What was outstanding at `to` is what is outstanding now plus what was applied later: so only what is open, or was paid since, is read
 * (the indexes documents_unsettled, documents_advanced, payments_unapplied and payment_applications_date). Negative amounts (rectifying and
 * overpaid invoices) and unapplied payments are credit, which is shown beside the debt and not deducted; so are advances on orders and
 * notes, and what was paid of an invoice or item before its own day. What was cancelled later was open until then. So debt less credit is
 * what stands on the accounts of partners at the end of the day. The type is a literal, since partial indexes need it.
 */
export const agingStatement = (
  direction: PaymentDirection,
) => `with day as (select coalesce(:to::date, ${TODAY}) as "to"),
  later as materialized (
    select a.payment_id, a.document_id, a.item_id, a.instalment, a.amount, a.settled
    from day join payment_applications a on a.date > day."to"
  ), in_parts as materialized (
    ${IN_PARTS}
  ), cancelled as materialized (
    select e.source_id as document_id from day join journal_entries e on e.date > day."to"
    where e.reversal_of is not null and e.source_type = '${ENTERED[direction]}'
  ), open as (
    select d.partner_id, coalesce(i.rest,
        case when d.date <= day."to" then d.total else 0 end - d.paid_total + coalesce(l.settled, 0)) as rest,
      day."to" - coalesce(i.due_date, d.due_date, d.date) as days
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
      and (:from::date is null or d.date >= :from::date) and (:partner::uuid is null or d.partner_id = :partner::uuid)
  ), items as (
    select i.partner_id, case when i.date <= day."to" then i.total else 0 end - i.paid_total + coalesce(l.settled, 0) as rest,
      day."to" - i.due_date as days
    from day cross join open_items i left join (select item_id, sum(settled) as settled from later group by 1) l on l.item_id = i.id
    where i.id in (select id from open_items where total <> paid_total union all select item_id from later where item_id is not null
        union all select f.id from day join open_items f on f.direction = '${direction}' and f.date > day."to" and f.paid_total <> 0)
      and i.direction = '${direction}'
      and (:from::date is null or i.date >= :from::date) and (:partner::uuid is null or i.partner_id = :partner::uuid)
  ), elsewhere as materialized (
    select payment_id, sum(amount) as amount from (
      select payment_id, amount from later where payment_id is not null
      union all select b.returns, b.amount - coalesce((select sum(a.amount) from payment_applications a where a.payment_id = b.id), 0)
        from day join payments b on b.returns is not null and b.date > day."to"
      union all select a.payment_id, a.amount from day cross join documents d join payment_applications a on a.document_id = d.id
        where d.doc_type in ('SO', 'SDN', 'PO', 'PDN') and d.paid_total <> 0 and a.date <= day."to") a
    group by 1
  ), unapplied as (
    select p.partner_id, p.amount - p.applied_total + coalesce(e.amount, 0) as rest
    from day cross join payments p left join elsewhere e on e.payment_id = p.id
    where p.id in (select id from payments where applied_total < amount union all select payment_id from elsewhere)
      and p.direction = '${direction}' and p.date <= day."to" and (:partner::uuid is null or p.partner_id = :partner::uuid)
  ), parts as (
    select partner_id, greatest(rest, 0) as debt, greatest(-rest, 0) as credit, days from open
    union all select partner_id, greatest(rest, 0), greatest(-rest, 0), days from items
    union all select partner_id, 0, rest, 0 from unapplied where rest > 0
  ), partners_of as (
    select partner_id, sum(debt) as total_debt, coalesce(sum(debt) filter (where days <= 0), 0) as current,
      coalesce(sum(debt) filter (where days between 1 and 30), 0) as d30, coalesce(sum(debt) filter (where days between 31
        and 60), 0) as d60,
      coalesce(sum(debt) filter (where days > 60), 0) as d90, sum(credit) as credit
    from parts group by partner_id having sum(debt) <> 0 or sum(credit) <> 0
  )
  select day."to", ${PLACES} as places,
    (select coalesce(json_agg(json_build_object('partner_id', p.id, 'partner_name', p.name, 'total_debt', o.total_debt::text, 'current',
      o.current::text,
      '30_days', o.d30::text, '60_days', o.d60::text, '90_plus', o.d90::text, 'credit', o.credit::text)
        order by o.total_debt desc, p.name, p.id), '[]')
      from partners_of o join partners p on p.id = o.partner_id) as rows
  from day`;

export interface AgingOptions {
  /** in: what customers owe; out: what is owed to suppliers. */
  readonly direction: PaymentDirection;
  /** Dates of invoices from this date on. */
  readonly from?: string | undefined;
  /** The date of the report; defaults to today. */
  readonly to?: string | undefined;
  readonly partnerId?: string | undefined;
}

/** What is open by partner and age, and in all. */
export async function readAging(reader: Reader, now: Date, { direction, from, to, partnerId }: AgingOptions) {
  const [found] = await query<{ to: string; places: number; rows: readonly Row[] }>(reader, agingStatement(direction), {
    from: from ?? null,
    to: to ?? null,
    partner: partnerId ?? null,
    now: now.toISOString(),
  });
  if (found === undefined) throw new Error('the statement always returns one row');
  const money = (value: Decimal) => roundedNumber(value, found.places);
  const amounts = (of: (column: Column) => Decimal) => ({
    total_debt: money(of('total_debt')),
    current: money(of('current')),
    '30_days': money(of('30_days')),
    '60_days': money(of('60_days')),
    '90_plus': money(of('90_plus')),
    credit: money(of('credit')),
  });
  const invoices = `/api/${direction === 'in' ? 'sales' : 'purchases'}/invoices`;
  const customers = found.rows.map((row) => ({
    partner_id: row.partner_id,
    partner_name: row.partner_name,
    ...amounts((column) => row[column]),
    drilldown: `${invoices}?partnerId=${row.partner_id}&outstanding[ne]=0&status[in]=${DOCUMENT_STATUS.open},${DOCUMENT_STATUS.closed}`,
  }));
  const summary = amounts((column) => sum(found.rows.map((row) => row[column])).toFixed());
  return { from: from ?? null, to: found.to, data: { customers }, summary };
}

const AMOUNTS = {
  total_debt: amount(),
  current: amount({ description: 'Not due' }),
  '30_days': amount({ description: '1 to 30 days past the due date' }),
  '60_days': amount({ description: '31 to 60' }),
  '90_plus': amount({ description: 'Over 60' }),
  credit: amount({ description: 'Unapplied credit; not deducted from total_debt' }),
};
const CUSTOMER = Type.Object({
  partner_id: uuid(),
  partner_name: text(),
  ...AMOUNTS,
  drilldown: text({ max: 500 }),
});

const RECEIVABLES: Texts = { en: 'Aged receivables', es: 'Saldos de clientes por antigüedad' };
const PAYABLES: Texts = { en: 'Aged payables', es: 'Saldos de proveedores por antigüedad' };
const TITLES = {
  partner_name: { en: 'Partner', es: 'Tercero' },
  total_debt: { en: 'Total', es: 'Total' },
  current: { en: 'Not due', es: 'No vencido' },
  '30_days': { en: '1 to 30 days', es: '1 a 30 días' },
  '60_days': { en: '31 to 60 days', es: '31 a 60 días' },
  '90_plus': { en: 'Over 60 days', es: 'Más de 60 días' },
};

export const aging = defineReport({
  name: 'aging',
  title: RECEIVABLES,
  description: 'Open invoices by age, at the date `to` (default today); `from` limits the dates of the invoices.',
  area: 'accounting',
  parameters: {
    ...RANGE,
    partner_id: Type.Optional(uuid()),
    side: Type.Optional(
      choice(['customers', 'suppliers'], {
        default: 'customers',
        description: 'Who owes: customers, or the company to its suppliers',
      }),
    ),
  },
  data: Type.Object({ customers: Type.Array(CUSTOMER) }),
  summary: Type.Object(AMOUNTS),
  top: ['customers'],
  size: atMostOneFor('partners'),
  read: ({ reader, ctx, params: { side, from, to, partner_id: partnerId } }) =>
    readAging(reader, ctx.now, { direction: side === 'suppliers' ? 'out' : 'in', from, to, partnerId }),
  file: ({ params, data, summary }) => ({
    tables: [
      {
        title: params.side === 'suppliers' ? PAYABLES : RECEIVABLES,
        row: CUSTOMER,
        titles: TITLES,
        rows: data.customers,
        totals: summary,
      },
    ],
  }),
});
