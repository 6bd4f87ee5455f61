/** Open invoices and open items by age, as of a date. */
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { currencyPlaces } from '../../../domain/locale/currencies.ts';
import { type Decimal, roundedNumber, sum } from '../../../domain/money.ts';
import type { PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { amount, choice, currencyCode, text, uuid } from '../../platform/validation/schemas.ts';
import { type DimensionParams, dimensionBindings, dimensionQuery } from '../accounting/dimension-filters.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { estimateOneRow } from '../engine/size.ts';
import { openParts } from './open-parts.ts';

type Column = 'total_debt' | 'current' | '30_days' | '60_days' | '90_plus' | 'credit';

type Row = Readonly<Record<Column, Decimal>> & {
  readonly partner_id: string;
  readonly partner_name: string;
};

/** Sums the parts of `openParts` by partner and age. */
export const agingStatement = (direction: PaymentDirection) => `${openParts(direction)}, aged as (
    select partner_id, debt, credit, day."to" - due_date as days from day cross join parts
  ), partners_of as (
    select partner_id, sum(debt) as total_debt, coalesce(sum(debt) filter (where days <= 0), 0) as current,
      coalesce(sum(debt) filter (where days between 1 and 30), 0) as d30, coalesce(sum(debt) filter (where days between 31
        and 60), 0) as d60,
      coalesce(sum(debt) filter (where days > 60), 0) as d90, sum(credit) as credit
    from aged group by partner_id having sum(debt) <> 0 or sum(credit) <> 0
  )
  select day."to", ${PLACES} as places,
    (select coalesce(json_agg(json_build_object('partner_id', p.id, 'partner_name', p.name, 'total_debt', o.total_debt::text, 'current',
      o.current::text,
      '30_days', o.d30::text, '60_days', o.d60::text, '90_plus', o.d90::text, 'credit', o.credit::text)
        order by o.total_debt desc, p.name, p.id), '[]')
      from partners_of o join partners p on p.id = o.partner_id) as rows
  from day`;

export interface AgingOptions {
  /** in: owed by customers; out: owed to suppliers. */
  readonly direction: PaymentDirection;
  /** First invoice date included. */
  readonly from?: string | undefined;
  /** The report's date; defaults to today. */
  readonly to?: string | undefined;
  readonly partnerId?: string | undefined;
  /** Only in this currency, and in its amounts; all in the company's if absent. */
  readonly currency?: string | undefined;
  /** Only invoices of this cost center and project. */
  readonly dimensions?: DimensionParams | undefined;
}

/** Reads the open amounts by partner and age, with totals. */
export async function readAging(reader: Reader, now: Date, options: AgingOptions) {
  const { direction, from, to, partnerId, currency, dimensions = {} } = options;
  const [found] = await query<{ to: string; places: number; rows: readonly Row[] }>(reader, agingStatement(direction), {
    from: from ?? null,
    to: to ?? null,
    partner: partnerId ?? null,
    currency: currency ?? null,
    ...dimensionBindings(dimensions),
    now: now.toISOString(),
  });
  if (found === undefined) throw new Error('the statement always returns one row');
  const places = currency === undefined ? found.places : currencyPlaces(currency);
  const money = (value: Decimal) => roundedNumber(value, places);
  const amounts = (of: (column: Column) => Decimal) => ({
    total_debt: money(of('total_debt')),
    current: money(of('current')),
    '30_days': money(of('30_days')),
    '60_days': money(of('60_days')),
    '90_plus': money(of('90_plus')),
    credit: money(of('credit')),
  });
  const side = direction === 'in' ? 'customers' : 'suppliers';
  const named = `${currency === undefined ? '' : `&currency=${currency}`}${dimensionQuery(dimensions)}`;
  const since = `${from === undefined ? '' : `&from=${from}`}${named}`;
  const customers = found.rows.map((row) => ({
    partner_id: row.partner_id,
    partner_name: row.partner_name,
    ...amounts((column) => row[column]),
    drilldown: `/api/reports/aging-lines?side=${side}&partner_id=${row.partner_id}${since}&to=${found.to}`,
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
/** Parameters that select partners and invoices. */
export const OPEN_PARAMETERS = {
  ...RANGE,
  partner_id: Type.Optional(uuid()),
  cost_center_id: Type.Optional(uuid({ description: 'Only invoices of this cost center, whatever their lines name' })),
  project_id: Type.Optional(uuid({ description: 'Only invoices of this project, whatever their lines name' })),
  currency: Type.Optional(
    currencyCode("Only what is in this currency, and in its amounts; by default all, in the company's"),
  ),
  side: Type.Optional(
    choice(['customers', 'suppliers'], {
      default: 'customers',
      description: 'Debts of customers, or debts of the company to its suppliers',
    }),
  ),
};
const CUSTOMER = Type.Object({
  partner_id: uuid(),
  partner_name: text(),
  ...AMOUNTS,
  drilldown: text({ max: 500 }),
});

const RECEIVABLES = {
  title: { en: 'Aged receivables', es: 'Saldos de clientes por antigüedad' },
  sheet: { en: 'Aged receivables', es: 'Saldos de clientes' },
};
const PAYABLES = {
  title: { en: 'Aged payables', es: 'Saldos de proveedores por antigüedad' },
  sheet: { en: 'Aged payables', es: 'Saldos de proveedores' },
};
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
  title: RECEIVABLES.title,
  description: 'Open invoices by age, at the date `to` (default today); `from` limits the dates of the invoices.',
  area: 'accounting',
  parameters: OPEN_PARAMETERS,
  data: Type.Object({ customers: Type.Array(CUSTOMER) }),
  summary: Type.Object(AMOUNTS),
  top: ['customers'],
  size: estimateOneRow('partners'),
  read({ reader, ctx, params }) {
    const { side, from, to, partner_id: partnerId, currency } = params;
    const direction = side === 'suppliers' ? 'out' : 'in';
    return readAging(reader, ctx.now, { direction, from, to, partnerId, currency, dimensions: params });
  },
  file: ({ params, data, summary }) => ({
    tables: [
      {
        ...(params.side === 'suppliers' ? PAYABLES : RECEIVABLES),
        row: CUSTOMER,
        titles: TITLES,
        rows: data.customers,
        totals: summary,
      },
    ],
  }),
});
