/** Money received and issued in a period. */
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { type Decimal, decimal, roundedNumber, sum } from '../../../domain/money.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { amount, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';

interface Row {
  readonly from: string;
  readonly to: string;
  readonly places: number;
  readonly methods: readonly { readonly method: string; readonly in: Decimal; readonly out: Decimal }[];
}

const SUMMARY_SQL = `with range as (
    select coalesce(:from::date, date_trunc('year', coalesce(:to::date, ${TODAY}))::date) as "from", coalesce(:to::date, ${TODAY}) as "to"
  )
  select range."from", range."to", ${PLACES} as places,
    (select coalesce(json_agg(m order by m.method), '[]') from (
      select payment_method as method, coalesce(sum(coalesce(company_amount, amount)) filter (where direction = 'in'), 0)::text as "in",
        coalesce(sum(coalesce(company_amount, amount)) filter (where direction = 'out'), 0)::text as "out"
      from payments where direction in ('in', 'out') and date between range."from" and range."to" and payment_method <> 'offset'
        and (:partner::uuid is null or partner_id = :partner::uuid)
      group by payment_method) m) as methods
  from range`;

/** @param range inclusive dates, by default 1 January until today, and the only partner */
export async function paymentsSummary(
  reader: Reader,
  now: Date,
  range: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly partner_id?: string | undefined;
  },
) {
  const [found] = await query<Row>(reader, SUMMARY_SQL, {
    from: range.from ?? null,
    to: range.to ?? null,
    partner: range.partner_id ?? null,
    now: now.toISOString(),
  });
  if (found === undefined) throw new Error('the statement always returns one row');
  const { from, to, places, methods } = found;
  const money = (value: Decimal) => roundedNumber(value, places);
  const received = sum(methods.map((row) => row.in)).toFixed();
  const issued = sum(methods.map((row) => row.out)).toFixed();
  return {
    period: `${from}/${to}`,
    total_in: money(received),
    total_out: money(issued),
    net: money(decimal(received).minus(issued).toFixed()),
    by_method: Object.fromEntries(
      methods.map((row) => [
        row.method,
        {
          in: money(row.in),
          out: money(row.out),
          drilldown: methodPath({ ...row, from, to, partner: range.partner_id }),
        },
      ]),
    ),
  };
}

function methodPath(of: {
  readonly method: string;
  readonly from: string;
  readonly to: string;
  readonly partner: string | undefined;
}) {
  const ofPartner = of.partner === undefined ? '' : `&partner_id=${of.partner}`;
  const filters = `payment_method=${of.method}&payment_date[gte]=${of.from}&payment_date[lte]=${of.to}${ofPartner}`;
  return { in: `/api/payments/in?${filters}`, out: `/api/payments/out?${filters}` };
}

const DRILLDOWN = Type.Object(
  { in: text({ max: 500 }), out: text({ max: 500 }) },
  { description: 'The payments behind the two sums' },
);
const METHOD = Type.Object({ method: text(), in: amount(), out: amount(), net: amount() });

export const paymentsSummaryReport = defineReport({
  name: 'payments-summary',
  title: { en: 'Money received and issued, by method', es: 'Cobros y pagos por forma de pago' },
  description: 'From 1 January to today, unless dates are given.',
  area: 'accounting',
  parameters: { ...RANGE, partner_id: Type.Optional(uuid()) },
  data: Type.Object({
    period: text({ description: '<from>/<to>' }),
    total_in: amount(),
    total_out: amount(),
    net: amount(),
    by_method: Type.Record(Type.String(), Type.Object({ in: amount(), out: amount(), drilldown: DRILLDOWN })),
  }),
  summary: Type.Object({}),
  bare: true,
  async read({ reader, ctx, params }) {
    const data = await paymentsSummary(reader, ctx.now, params);
    const [from = null, to = null] = data.period.split('/');
    return { from, to, data, summary: {} };
  },
  file: ({ data, money }) => ({
    tables: [
      {
        sheet: { en: 'Money received and issued', es: 'Cobros y pagos' },
        row: METHOD,
        titles: {
          method: { en: 'Payment method', es: 'Forma de pago' },
          in: { en: 'Received', es: 'Cobrado' },
          out: { en: 'Issued', es: 'Pagado' },
          net: { en: 'Net', es: 'Neto' },
        },
        rows: Object.entries(data.by_method).map(([method, { in: received, out }]) => ({
          method,
          in: received,
          out,
          net: money(decimal(received).minus(out).toFixed()),
        })),
        totals: { in: data.total_in, out: data.total_out, net: data.net },
      },
    ],
  }),
});
