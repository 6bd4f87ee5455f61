/** Overdue invoices of customers with what is provided for them, and what their age proposes. */
import { Type } from 'typebox';
import { jsonList } from '../../../db/models/selected.ts';
import { query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { amount, day, type Input, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { AGES_CTE, DEDUCTIBLE_AFTER, isOverdueFor, percentByAge } from '../../trade/bad-debts/ages.ts';
import {
  DIMENSION_FILTERS,
  type DimensionParams,
  dimensionBindings,
  withinDimensions,
} from '../accounting/dimension-filters.ts';
import { cursor } from '../engine/cursor.ts';
import { defineReport, type ReportRequest } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { countUpTo } from '../engine/size.ts';
import { openParts } from './open-parts.ts';

const FIGURES = {
  outstanding: amount({ description: 'Outstanding amount' }),
  doubtful: amount({ description: 'What of it stands on the account of doubtful customers (436)' }),
  provided: amount({ description: 'What is provided for it (490)' }),
  proposed: amount({ description: 'What its age proposes, by the percentages of /api/config/payments' }),
  missing: amount({ description: 'What is proposed and not provided' }),
  deductible: amount({
    description:
      'What of the provision is deductible by its age: that of debts overdue for six months (LIS, article 13.1.a). Debts of public ' +
      'bodies, related parties and secured ones are not, which this report does not know',
  }),
};

const MEMBERS = ['outstanding', 'doubtful', 'provided', 'proposed', 'missing', 'deductible'] as const;

const ROW = Type.Object({
  partner_id: uuid(),
  partner_name: text(),
  document_id: uuid({ description: 'The invoice' }),
  code: text(),
  due_date: nullable(day({ description: 'When its first open part was due; null once it is paid or cancelled' })),
  months_overdue: nullable(integer({ description: 'Whole months since then' })),
  ...FIGURES,
  drilldown: text({ max: 500 }),
});

type Row = Input<typeof ROW>;
type Line = Omit<Row, (typeof MEMBERS)[number] | 'drilldown'> & Record<(typeof MEMBERS)[number], Decimal>;
type Request = ReportRequest<{ readonly to?: string; readonly partner_id?: string } & DimensionParams>;

const DAY = 'day."to"';

/** Debts that are overdue on the day, or have a provision then even if nothing is outstanding any more. */
const CTES = `${openParts('in')}, ${AGES_CTE}, overdue as (
    select p.id, p.partner_id, min(p.due_date) as due_date, sum(p.debt) as outstanding,
      round(sum(p.debt * ${percentByAge('p.due_date', DAY)}) / 100, ${PLACES}) as proposed,
      coalesce(sum(p.debt) filter (where ${isOverdueFor('p.due_date', DEDUCTIBLE_AFTER, DAY)}), 0) as old
    from day cross join parts p where p.source = 'invoice' and p.debt > 0 group by p.id, p.partner_id
  ), provided as (
    select b.document_id as id, b.partner_id, sum(m.provided) as provided, sum(m.doubtful) as doubtful
    from day cross join bad_debt_movements m join bad_debts b on b.id = m.bad_debt_id
      join documents d on d.id = b.document_id and ${withinDimensions('d.project_id', 'd.cost_center_id')}
    where m.date <= ${DAY} and (:partner::uuid is null or b.partner_id = :partner::uuid)
    group by 1, 2 having sum(m.provided) <> 0 or sum(m.doubtful) <> 0
  ), debts as (
    select id, partner_id, o.due_date, coalesce(o.outstanding, 0) as outstanding, coalesce(v.doubtful, 0) as doubtful,
      coalesce(v.provided, 0) as provided, coalesce(o.proposed, 0) as proposed,
      greatest(coalesce(o.proposed, 0) - coalesce(v.provided, 0), 0) as missing,
      least(coalesce(v.provided, 0), coalesce(o.old, 0)) as deductible
    from overdue o full join provided v using (id, partner_id) cross join day
    where v.id is not null or o.due_date < ${DAY}
  )`;

const LINES = `select v.partner_id, t.name as partner_name, v.id as document_id, d.code, v.due_date,
    (extract(year from age(${DAY}, v.due_date)) * 12 + extract(month from age(${DAY}, v.due_date)))::integer as months_overdue,
    ${MEMBERS.map((member) => `v.${member}::text`).join(', ')}
  from day cross join debts v join documents d on d.id = v.id join partners t on t.id = v.partner_id
  order by t.name, v.partner_id, v.due_date, v.id`;

const SUMS = MEMBERS.map((member) => `coalesce(sum(v.${member}), 0)::text as ${member}`).join(', ');

const bindings = ({ ctx, params }: Request) => ({
  to: params.to ?? null,
  partner: params.partner_id ?? null,
  ...dimensionBindings(params),
  from: null,
  currency: null,
  now: ctx.now.toISOString(),
});

export const badDebts = defineReport({
  name: 'bad-debts',
  title: { en: 'Bad debts', es: 'Deterioro de créditos comerciales' },
  description:
    'Overdue invoices of customers at the end of a day, with what is provided for them, and what their age proposes. What is provided ' +
    'equals what these acts have on account 490 on that day.',
  area: 'accounting',
  ofDay: true,
  parameters: {
    to: Type.Optional(day({ description: 'The day; defaults to today' })),
    partner_id: Type.Optional(uuid()),
    ...DIMENSION_FILTERS,
  },
  paged: true,
  data: Type.Object({ rows: Type.Array(ROW), pagination: PAGINATION }),
  summary: Type.Object(FIGURES),
  size: (request, most) => countUpTo(request.reader, most, `${CTES} select from debts`, bindings(request)),
  async read(request) {
    const { reader, page } = request;
    const rows = page === null ? `'[]'::json` : jsonList(`${LINES} limit :limit::bigint offset :offset::bigint`);
    const [found] = await query<Record<(typeof MEMBERS)[number], Decimal> & { total: number; rows: readonly Line[] }>(
      reader,
      `${CTES} select count(*)::integer as total, ${SUMS}, ${rows} as rows from debts v`,
      { ...bindings(request), limit: page?.limit ?? 0, offset: page?.offset ?? 0 },
    );
    if (found === undefined) throw new Error('the statement always returns one row');
    return {
      from: null,
      data: { rows: found.rows.map((line) => toRow(line, request)), pagination: pagination(page, found.total) },
      summary: figures(found, request),
    };
  },
  async *stream(request) {
    for await (const lines of cursor<Line>(request.reader, `${CTES} ${LINES}`, bindings(request))) {
      yield lines.map((line) => toRow(line, request));
    }
  },
  file: ({ summary }) => ({ tables: [{ row: ROW, rows: [], totals: summary }] }),
});

function toRow(line: Line, request: Request): Row {
  return { ...line, ...figures(line, request), drilldown: `/api/sales/invoices/${line.document_id}` };
}

function figures(found: Record<(typeof MEMBERS)[number], Decimal>, { money }: Request) {
  return Object.fromEntries(MEMBERS.map((member) => [member, money(found[member])])) as Record<
    (typeof MEMBERS)[number],
    number
  >;
}
