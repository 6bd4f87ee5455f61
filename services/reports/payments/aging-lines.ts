/** The lines behind aging: every invoice, open item and payment that was open on a date. They add up to the aging report. */
import { Type } from 'typebox';
import { jsonList } from '../../../db/models/selected.ts';
import { query } from '../../../db/sql.ts';
import { type Decimal, toNumber } from '../../../domain/money.ts';
import type { PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { amount, choice, day, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { type DimensionParams, dimensionBindings } from '../accounting/dimension-filters.ts';
import { cursor } from '../engine/cursor.ts';
import { defineReport, type ReportRequest } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { countUpTo } from '../engine/size.ts';
import { OPEN_PARAMETERS } from './aging.ts';
import { openParts } from './open-parts.ts';

const FIGURES = {
  total_debt: amount({ description: 'Total debt' }),
  credit: amount({ description: 'Unapplied payments and overpayments; not deducted from total_debt' }),
};

const ROW = Type.Object({
  partner_id: uuid(),
  partner_name: text(),
  source: choice(['invoice', 'open_item', 'payment']),
  document_id: uuid({ description: 'The invoice, open item or payment' }),
  document_code: nullable(text()),
  date: day(),
  due_date: nullable(day({ description: 'An invoice in instalments has a row for each; null for payments' })),
  days_overdue: nullable(integer({ description: 'At the date; below zero: not due' })),
  ...FIGURES,
  currency: text({ description: 'Currency of the document' }),
  currency_amount: amount({ description: 'What is open in that currency; below zero: credit' }),
  drilldown: text({ max: 500 }),
});

const TITLES = {
  source: { en: 'Kind', es: 'Clase' },
  days_overdue: { en: 'Days overdue', es: 'Días vencidos' },
  total_debt: { en: 'Debt', es: 'Deuda' },
};

interface Line {
  readonly partner_id: string;
  readonly partner_name: string;
  readonly source: 'invoice' | 'open_item' | 'payment';
  readonly document_id: string;
  readonly document_code: string | null;
  readonly date: string;
  readonly due_date: string | null;
  readonly days_overdue: number | null;
  readonly debt: Decimal;
  readonly credit: Decimal;
  readonly currency: string;
  readonly original: Decimal;
}

type Request = ReportRequest<
  {
    readonly side?: 'customers' | 'suppliers';
    readonly from?: string;
    readonly to?: string;
    readonly partner_id?: string;
    readonly currency?: string;
  } & DimensionParams
>;

const paymentDirection = ({ params }: Request): PaymentDirection => (params.side === 'suppliers' ? 'out' : 'in');

const lineBindings = ({ ctx, params }: Request) => ({
  from: params.from ?? null,
  to: params.to ?? null,
  partner: params.partner_id ?? null,
  currency: params.currency ?? null,
  ...dimensionBindings(params),
  now: ctx.now.toISOString(),
});

/** Selects the open amounts of `parts`. */
const LEFT = 'parts v where v.debt <> 0 or v.credit <> 0';

const LINES = `
  select v.partner_id, p.name as partner_name, v.source, v.id as document_id, coalesce(d.code, o.code, y.reference) as document_code,
    coalesce(d.date, o.date, y.date) as date, v.due_date, day."to" - v.due_date as days_overdue, v.debt::text, v.credit::text,
    v.currency, v.original::text
  from day cross join (select * from ${LEFT}) v join partners p on p.id = v.partner_id
  left join documents d on v.source = 'invoice' and d.id = v.id left join open_items o on v.source = 'open_item' and o.id = v.id
  left join payments y on v.source = 'payment' and y.id = v.id
  order by p.name, v.partner_id, v.due_date nulls last, v.source, v.id`;

export const agingLines = defineReport({
  name: 'aging-lines',
  title: { en: 'Open items by partner', es: 'Partidas pendientes por tercero' },
  description:
    'The lines behind the aging report, with the same sums: what is open of each invoice, open item and payment at the date `to` ' +
    '(default today); `from` limits the dates of the invoices.',
  area: 'accounting',
  parameters: OPEN_PARAMETERS,
  paged: true,
  data: Type.Object({ rows: Type.Array(ROW), pagination: PAGINATION }),
  summary: Type.Object(FIGURES),
  size: (request, most) =>
    countUpTo(
      request.reader,
      most,
      `${openParts(paymentDirection(request))} select from ${LEFT}`,
      lineBindings(request),
    ),
  async read(request) {
    const { reader, page, money } = request;
    const rows = page === null ? `'[]'::json` : jsonList(`${LINES} limit :limit::bigint offset :offset::bigint`);
    const [found] = await query<{ to: string; total: number; debt: Decimal; credit: Decimal; rows: readonly Line[] }>(
      reader,
      `${openParts(paymentDirection(request))}
       select (select "to" from day) as "to", count(*)::integer as total, coalesce(sum(v.debt), 0)::text as debt,
         coalesce(sum(v.credit), 0)::text as credit, ${rows} as rows
       from ${LEFT}`,
      { ...lineBindings(request), limit: page?.limit ?? 0, offset: page?.offset ?? 0 },
    );
    if (found === undefined) throw new Error('the statement always returns one row');
    return {
      from: request.params.from ?? null,
      to: found.to,
      data: { rows: found.rows.map((line) => toRow(line, request)), pagination: pagination(page, found.total) },
      summary: { total_debt: money(found.debt), credit: money(found.credit) },
    };
  },
  async *stream(request) {
    const sql = `${openParts(paymentDirection(request))} ${LINES}`;
    for await (const lines of cursor<Line>(request.reader, sql, lineBindings(request))) {
      yield lines.map((line) => toRow(line, request));
    }
  },
  file: ({ summary }) => ({ tables: [{ row: ROW, titles: TITLES, rows: [], totals: summary }] }),
});

function toRow({ debt, credit, original, ...line }: Line, request: Request) {
  return {
    ...line,
    currency_amount: toNumber(original),
    total_debt: request.money(debt),
    credit: request.money(credit),
    drilldown: linePath(line, paymentDirection(request)),
  };
}

function linePath({ source, document_id: id }: Pick<Line, 'source' | 'document_id'>, direction: PaymentDirection) {
  if (source === 'invoice') return `/api/${direction === 'in' ? 'sales' : 'purchases'}/invoices/${id}`;
  return source === 'open_item' ? `/api/open-items/${id}/reconciliation` : `/api/payments/${direction}/${id}`;
}
