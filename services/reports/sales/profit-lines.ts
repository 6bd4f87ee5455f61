/** The lines behind the profit reports, which add up to them (decision 0174). */
import { Type } from 'typebox';
import { jsonList } from '../../../db/models/selected.ts';
import { type Bindings, query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import { computeProfit } from '../../../domain/reports/sales/profit.ts';
import { amount, choice, day, flag, nullable, quantity, text, uuid } from '../../platform/validation/schemas.ts';
import { SOLD_LINES } from '../../trade/lines/sold.ts';
import { cursor } from '../engine/cursor.ts';
import { defineReport, RANGE, type ReportRequest } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { countUpTo } from '../engine/size.ts';

/** Members of lines by which they can be filtered. */
const IDS = [
  'partner_id',
  'item_id',
  'project_id',
  'cost_center_id',
  'category_id',
  'salesperson_id',
  'partner_group_id',
] as const;
const TEXTS = ['country'] as const;
const NAMED = [...IDS, ...TEXTS] as const;
type Named = (typeof NAMED)[number];
/** A member by which profit is grouped, and its lines are filtered. */
export type ProfitMember = Named | 'month';

const FIGURES = {
  revenue: amount({ description: 'Net of tax' }),
  cost: amount({ description: 'Cost of the goods' }),
  margin: amount({ description: 'Revenue less cost' }),
};

const ROW = Type.Object({
  date: day({ description: 'On which it counts: of the invoice, or of its cancellation' }),
  document_id: uuid(),
  document_code: text(),
  partner_id: uuid(),
  partner_name: text(),
  item_id: nullable(uuid()),
  item_code: nullable(text()),
  description: text(),
  project_id: nullable(uuid()),
  project_name: nullable(text({ description: 'The name of the project' })),
  cost_center_id: nullable(uuid()),
  cost_center_name: nullable(text({ description: 'The name of the cost center' })),
  quantity: quantity(),
  ...FIGURES,
  taken_back: flag({ description: 'Whether it undoes a line of an invoice that was cancelled' }),
  drilldown: text({ max: 500 }),
});

const TITLES = {
  project_name: { en: 'Project', es: 'Proyecto' },
  cost_center_name: { en: 'Cost center', es: 'Centro de coste' },
  taken_back: { en: 'Taken back', es: 'Deshace' },
};

interface Line {
  readonly date: string;
  readonly sign: number;
  readonly document_id: string;
  readonly document_code: string;
  readonly partner_id: string;
  readonly partner_name: string;
  readonly item_id: string | null;
  readonly item_code: string | null;
  readonly description: string;
  readonly project_id: string | null;
  readonly project_name: string | null;
  readonly cost_center_id: string | null;
  readonly cost_center_name: string | null;
  readonly quantity: Decimal;
  readonly revenue: Decimal;
  readonly cost: Decimal;
}

type Parameters = Partial<Readonly<Record<Named, string>>> & { readonly without?: (typeof IDS)[number] | undefined };
type Request = ReportRequest<Parameters>;

/** Builds the condition that selects the requested lines. */
function chosen({ params }: Pick<Request, 'params'>): string {
  const named = NAMED.filter((member) => params[member] !== undefined).map(
    (member) => `${member} = :${member}::${TEXTS.some((text) => text === member) ? 'text' : 'uuid'}`,
  );
  const conditions = params.without === undefined ? named : [...named, `${params.without} is null`];
  return `(${SOLD_LINES}) s where ${conditions.length === 0 ? 'true' : conditions.join(' and ')}`;
}

function lineBindings({ params, range }: Pick<Request, 'params' | 'range'>): Record<string, Bindings[string]> {
  return { ...range, ...Object.fromEntries(NAMED.map((member) => [member, params[member] ?? null])) };
}

const ORDER = 's.date, s.document_code, s.sign desc, s.line_number, s.id';

const linesSql = (request: Request, page = '') => `
  select s.date, s.sign, s.document_id, s.document_code, s.partner_id, p.name as partner_name, s.item_id, i.code as item_code,
    s.description, s.project_id, j.name as project_name, s.cost_center_id, c.name as cost_center_name,
    s.quantity::text, s.amount::text as revenue, s.cost::text
  from (select * from ${chosen(request)} order by ${ORDER} ${page}) s
  join partners p on p.id = s.partner_id left join items i on i.id = s.item_id
  left join projects j on j.id = s.project_id left join cost_centers c on c.id = s.cost_center_id order by ${ORDER}`;

export const profitLines = defineReport({
  name: 'profit-lines',
  title: { en: 'Lines of the profit', es: 'Líneas de la rentabilidad' },
  description:
    'The lines behind the profit reports, with the same sums. A line of a cancelled invoice is there on the day of the invoice, and ' +
    'again, taken back, on that of its cancellation.',
  area: 'sales',
  parameters: {
    ...RANGE,
    partner_id: Type.Optional(uuid()),
    item_id: Type.Optional(uuid()),
    project_id: Type.Optional(uuid()),
    cost_center_id: Type.Optional(uuid()),
    category_id: Type.Optional(uuid({ description: 'The category of the item itself, without those below' })),
    salesperson_id: Type.Optional(uuid()),
    partner_group_id: Type.Optional(uuid()),
    country: Type.Optional(text({ pattern: '^[A-Z]{2}$', description: 'The country of the customer' })),
    without: Type.Optional(choice(IDS, { description: 'Only lines that name none of these' })),
  },
  paged: true,
  data: Type.Object({ rows: Type.Array(ROW), pagination: PAGINATION }),
  summary: Type.Object(FIGURES),
  size: (request, most) => countUpTo(request.reader, most, `select from ${chosen(request)}`, lineBindings(request)),
  async read(request) {
    const { reader, page, money } = request;
    const rows =
      page === null ? `'[]'::json` : jsonList(linesSql(request, 'limit :limit::bigint offset :offset::bigint'));
    const [found] = await query<{ total: number; revenue: Decimal; cost: Decimal; rows: readonly Line[] }>(
      reader,
      `select count(*)::integer as total, coalesce(sum(amount), 0)::text as revenue, coalesce(sum(cost), 0)::text as cost, ${rows} as rows
       from ${chosen(request)}`,
      { ...lineBindings(request), limit: page?.limit ?? 0, offset: page?.offset ?? 0 },
    );
    if (found === undefined) throw new Error('the statement always returns one row');
    const { revenue, cost, margin } = computeProfit(found);
    return {
      data: { rows: found.rows.map((line) => toRow(line, request)), pagination: pagination(page, found.total) },
      summary: { revenue: money(revenue), cost: money(cost), margin: money(margin) },
    };
  },
  async *stream(request) {
    for await (const lines of cursor<Line>(request.reader, linesSql(request), lineBindings(request))) {
      yield lines.map((line) => toRow(line, request));
    }
  },
  file: ({ summary }) => ({ tables: [{ row: ROW, titles: TITLES, rows: [], totals: summary }] }),
});

function toRow({ sign, ...line }: Line, { money, quantity: shown }: Request) {
  const { revenue, cost, margin } = computeProfit(line);
  return {
    ...line,
    quantity: shown(line.quantity),
    revenue: money(revenue),
    cost: money(cost),
    margin: money(margin),
    taken_back: sign < 0,
    drilldown: `/api/sales/invoices/${line.document_id}`,
  };
}
