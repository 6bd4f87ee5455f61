/** Commissions by salesperson, and the lines that they are for (decision 0310). */
import { Type } from 'typebox';
import { jsonList } from '../../../db/models/selected.ts';
import { query } from '../../../db/sql.ts';
import { type Decimal, decimal, sum, toNumber } from '../../../domain/money.ts';
import { COMMISSION_BASES } from '../../../domain/trade/commissions.ts';
import { amount, choice, day, flag, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { commissionsSql } from '../../trade/commissions/lines.ts';
import {
  DIMENSION_FILTERS,
  type DimensionParams,
  dimensionBindings,
  withinDimensions,
} from '../accounting/dimension-filters.ts';
import {
  BY_DIMENSION,
  DIMENSION_OF_ROW,
  type DividingParams,
  dividedBy,
  dividedRows,
  ownQuery,
  rowInFile,
  WITHOUT_DIMENSION,
  type WithoutParams,
  withoutDimension,
} from '../accounting/dimension-rows.ts';
import { cursor } from '../engine/cursor.ts';
import { defineReport, percent, RANGE, type ReportRequest } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { countUpTo, estimateOneRow } from '../engine/size.ts';

const PARAMETERS = {
  ...RANGE,
  salesperson_id: Type.Optional(uuid()),
  ...DIMENSION_FILTERS,
};

const FIGURES = {
  revenue: amount({ description: 'Net of tax' }),
  margin: amount({ description: 'Revenue less cost of the goods' }),
  commission: amount(),
  settled: amount({ description: 'The part of the commission that was settled' }),
  open: amount({ description: 'The part that was not' }),
};

const ROW = Type.Object({
  ...DIMENSION_OF_ROW,
  salesperson_id: uuid(),
  code: text(),
  name: text(),
  ...FIGURES,
  drilldown: text({ max: 500 }),
});

const TITLES = {
  commission: { en: 'Commission', es: 'Comisión' },
  settled: { en: 'Settled', es: 'Liquidado' },
  open: { en: 'Not settled', es: 'Sin liquidar' },
};

interface Person extends Sums {
  readonly dimensionId: string | null;
  readonly salesperson_id: string;
  readonly code: string;
  readonly name: string;
}

interface Sums {
  readonly revenue: Decimal;
  readonly margin: Decimal;
  readonly commission: Decimal;
  readonly settled: Decimal;
}

const SUMS = `coalesce(sum(c.revenue), 0)::text as revenue, coalesce(sum(c.revenue - c.cost), 0)::text as margin,
  coalesce(sum(c.commission), 0)::text as commission,
  coalesce(sum(c.commission) filter (where c.settlement_id is not null), 0)::text as settled`;

/** A statement about `chosen`: the commissions of the cost center and the project that were asked for, or without one. */
function chosenSql(select: string): string {
  const within = withinDimensions('c.project_id', 'c.cost_center_id');
  const without = withoutDimension('c.project_id', 'c.cost_center_id');
  return commissionsSql(`, chosen as (select * from commissions c where ${within} and ${without}) ${select}`);
}

const BY_PERSON = chosenSql(`
  select ${dividedBy('c.project_id', 'c.cost_center_id')} as "dimensionId", p.id as salesperson_id, p.code, p.name, ${SUMS}
  from chosen c join salespeople p on p.id = c.salesperson_id group by 1, p.id, p.code, p.name order by p.code, p.id`);

type Request = ReportRequest<
  { readonly salesperson_id?: string | undefined } & DimensionParams & DividingParams & WithoutParams
>;

function bindings({ params, range }: Pick<Request, 'params' | 'range'>) {
  const { salesperson_id: salesperson = null, by = null, without = null } = params;
  return { ...range, salesperson, by, without, ...dimensionBindings(params) };
}

function figures(sums: Sums, { money }: Pick<Request, 'money'>) {
  return {
    revenue: money(sums.revenue),
    margin: money(sums.margin),
    commission: money(sums.commission),
    settled: money(sums.settled),
    open: money(decimal(sums.commission).minus(sums.settled).toFixed()),
  };
}

export const commissions = defineReport({
  name: 'commissions',
  title: { en: 'Commissions', es: 'Comisiones' },
  description:
    'Commissions of salespeople for the lines that were invoiced in the period, less rectifications and cancellations: those that were ' +
    'settled as they were, the others by the rates of today.',
  area: 'commissions',
  parameters: { ...PARAMETERS, ...BY_DIMENSION },
  data: Type.Object({ rows: Type.Array(ROW) }),
  summary: Type.Object(FIGURES),
  size: (request, most) =>
    request.params.by === undefined
      ? estimateOneRow('salespeople')(request, most)
      : countUpTo(request.reader, most, `select from (${BY_PERSON}) people`, bindings(request)),
  async read(request) {
    const { reader, range, params } = request;
    const found = await query<Person>(reader, BY_PERSON, bindings(request));
    const period = `from=${range.from}&to=${range.to}`;
    const rows = (await dividedRows(request, found)).map(({ dimension, ...row }) => ({
      ...dimension,
      salesperson_id: row.salesperson_id,
      code: row.code,
      name: row.name,
      ...figures(row, request),
      drilldown: `/api/reports/commission-lines?${period}&salesperson_id=${row.salesperson_id}${ownQuery(params, dimension)}`,
    }));
    const total = (member: keyof Sums) => sum(found.map((row) => row[member])).toFixed();
    const all = {
      revenue: total('revenue'),
      margin: total('margin'),
      commission: total('commission'),
      settled: total('settled'),
    };
    return { data: { rows }, summary: figures(all, request) };
  },
  file: ({ params, data, summary }) => ({
    tables: [{ row: rowInFile(ROW, params), titles: TITLES, rows: data.rows, totals: summary }],
  }),
});

const LINE = Type.Object({
  date: day({ description: 'On which it counts: of the invoice, or of its cancellation' }),
  salesperson_id: uuid(),
  salesperson_name: text(),
  document_id: uuid(),
  document_code: text(),
  partner_name: text(),
  item_code: nullable(text()),
  description: text(),
  revenue: FIGURES.revenue,
  margin: FIGURES.margin,
  basis: choice(COMMISSION_BASES),
  base: amount({ description: 'What the commission is a percentage of' }),
  percent: percent(),
  commission: amount(),
  paid: flag({ description: 'Whether the invoice is paid' }),
  settlement_id: nullable(uuid()),
  settlement_code: nullable(text()),
  drilldown: text({ max: 500 }),
});

const LINE_TITLES = {
  ...TITLES,
  salesperson_name: { en: 'Salesperson', es: 'Comercial' },
  base: { en: 'Base', es: 'Base' },
  basis: { en: 'Percentage of', es: 'Porcentaje de' },
  percent: { en: '%', es: '%' },
  settlement_code: { en: 'Settlement', es: 'Liquidación' },
};

interface Line {
  readonly date: string;
  readonly salesperson_id: string;
  readonly salesperson_name: string;
  readonly document_id: string;
  readonly document_code: string;
  readonly partner_name: string;
  readonly item_code: string | null;
  readonly description: string;
  readonly revenue: Decimal;
  readonly cost: Decimal;
  readonly basis: (typeof COMMISSION_BASES)[number];
  readonly base: Decimal;
  readonly percent: Decimal;
  readonly commission: Decimal;
  readonly paid: boolean;
  readonly settlement_id: string | null;
  readonly settlement_code: string | null;
}

const ORDER = 'c.date, c.document_code, c.sign desc, c.line_number, c.line_id';
const lines = (
  page = '',
) => `select c.date, c.salesperson_id, p.name as salesperson_name, c.document_id, c.document_code,
    b.name as partner_name, i.code as item_code, c.description, c.revenue::text, c.cost::text, c.basis, c.base::text,
    c.percent::text, c.commission::text, c.paid, c.settlement_id, t.code as settlement_code
  from (select * from chosen c order by ${ORDER} ${page}) c
  join salespeople p on p.id = c.salesperson_id join partners b on b.id = c.partner_id
  left join items i on i.id = c.item_id left join commission_settlements t on t.id = c.settlement_id order by ${ORDER}`;

export const commissionLines = defineReport({
  name: 'commission-lines',
  title: { en: 'Lines of the commissions', es: 'Líneas de las comisiones' },
  description: 'The lines behind the commissions, each with the rate that applies.',
  area: 'commissions',
  parameters: { ...PARAMETERS, ...WITHOUT_DIMENSION },
  paged: true,
  data: Type.Object({ rows: Type.Array(LINE), pagination: PAGINATION }),
  summary: Type.Object({ commission: amount() }),
  size: (request, most) =>
    countUpTo(request.reader, most, `select from (${chosenSql('select line_id from chosen')}) c`, bindings(request)),
  async read(request) {
    const { reader, page, money } = request;
    const rows = page === null ? `'[]'::json` : jsonList(lines('limit :limit::bigint offset :offset::bigint'));
    const [found] = await query<{ total: number; commission: Decimal; rows: readonly Line[] }>(
      reader,
      chosenSql(`select (select count(*)::integer from chosen) as total,
        (select coalesce(sum(commission), 0)::text from chosen) as commission, ${rows} as rows`),
      { ...bindings(request), limit: page?.limit ?? 0, offset: page?.offset ?? 0 },
    );
    if (found === undefined) throw new Error('the statement always returns one row');
    return {
      data: { rows: found.rows.map((line) => toRow(line, request)), pagination: pagination(page, found.total) },
      summary: { commission: money(found.commission) },
    };
  },
  async *stream(request) {
    for await (const part of cursor<Line>(request.reader, chosenSql(lines()), bindings(request))) {
      yield part.map((line) => toRow(line, request));
    }
  },
  file: ({ summary }) => ({ tables: [{ row: LINE, titles: LINE_TITLES, rows: [], totals: summary }] }),
});

function toRow({ cost, ...line }: Line, { money }: Pick<Request, 'money'>) {
  return {
    ...line,
    revenue: money(line.revenue),
    margin: money(decimal(line.revenue).minus(cost).toFixed()),
    base: money(line.base),
    percent: toNumber(line.percent),
    commission: money(line.commission),
    drilldown: `/api/sales/invoices/${line.document_id}`,
  };
}
