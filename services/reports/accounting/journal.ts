/** The journal: all entries by date, line by line. */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { type MonthOfLines, pageSpan } from '../../../domain/reports/engine/month-pages.ts';
import { readMonths } from '../../ledger/accounting/balances/read.ts';
import { ENTRIES_PARTNER, PARTNER_ENTRIES } from '../../ledger/accounting/partner-entries.ts';
import { amount, day, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { cursor } from '../engine/cursor.ts';
import { defineReport, RANGE, type ReportRequest } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { DIMENSION_CONDITIONS, type DimensionParams, dimensionBindings } from './dimension-filters.ts';
import { askedConditions, countLines, KIND_ORDER, LEDGER_TITLES, monthOfLines, within } from './ledger-parts.ts';

const ROW = Type.Object({
  date: day(),
  entry_id: uuid(),
  entry_number: nullable(integer()),
  description: nullable(text()),
  account_code: text(),
  account_name: text(),
  debit: amount(),
  credit: amount(),
  drilldown: text({ max: 500 }),
});

interface Line {
  readonly date: string;
  readonly entryId: string;
  readonly number: number | null;
  readonly description: string | null;
  readonly accountCode: string;
  readonly accountName: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
}

const PARAMETERS = {
  ...RANGE,
  ...ENTRIES_PARTNER,
  cost_center_id: Type.Optional(uuid({ description: 'Only entries with a line of this cost center, with all lines' })),
  project_id: Type.Optional(uuid({ description: 'Only entries with a line of this project, with all lines' })),
};
type Asked = Pick<
  ReportRequest<{ readonly partner_id?: string } & DimensionParams>,
  'reader' | 'ctx' | 'range' | 'params'
>;

const withLine = (condition: string) =>
  `l.id in (select l.entry_id from journal_lines l where ${condition} and l.date between :from::date and :to::date)`;

/** Conditions of the parameters on entries `l`. */
const LIMITS = {
  partner_id: `l.id in (${PARTNER_ENTRIES})`,
  cost_center_id: withLine(DIMENSION_CONDITIONS.cost_center_id),
  project_id: withLine(DIMENSION_CONDITIONS.project_id),
} as const;

const ORDER = `l.date, ${KIND_ORDER}, l.id, line.line_number`;
const COLUMNS = `l.date, l.id as "entryId", l.number, coalesce(line.description, l.description) as description,
    a.code as "accountCode", a.name as "accountName", line.debit::text, line.credit::text`;

/** Statements about all entries, or about those with a line of a partner, a cost center or a project, in full. */
function statements(params: Asked['params']) {
  const asked = askedConditions(LIMITS, params).map((condition) => ` and ${condition}`);
  const posted = `select l.* from journal_entries l
    where l.status = 'posted' and l.date >= :from::date and l.date <= :to::date${asked.join('')}`;
  return {
    all: `select ${COLUMNS}
      from (${posted}) l join journal_lines line on line.entry_id = l.id join accounts a on a.id = line.account_id
      order by ${ORDER}`,
    // Entries store their line counts, so that only those of the page are read.
    page: `select ${COLUMNS}
      from (select l.*, sum(l.line_count) over (order by l.date, ${KIND_ORDER}, l.id rows unbounded preceding) - l.line_count as before
          from (${posted} order by l.date, ${KIND_ORDER}, l.id limit :skip::bigint + :limit::bigint) l) l
        join journal_lines line on line.entry_id = l.id join accounts a on a.id = line.account_id
      where l.before < :skip::bigint + :limit::bigint and l.before + l.line_count > :skip::bigint
        and l.before + line.line_number > :skip::bigint and l.before + line.line_number <= :skip::bigint + :limit::bigint
      order by ${ORDER}`,
    // Each entry has lines, so `most` entries and one more are enough.
    count: `select coalesce(sum(line_count), 0)::integer as rows from (${posted} limit :most::bigint + 1) e`,
    months: `select date_trunc('month', l.date::timestamp)::date::text as month, sum(line.debit)::text as debit,
        sum(line.credit)::text as credit, count(*)::integer as lines
      from (${posted}) l join journal_lines line on line.entry_id = l.id group by 1 order by 1`,
  };
}

/** The values of the statements. */
function bindings({ params, range }: Pick<Asked, 'params' | 'range'>) {
  return { ...range, partner: params.partner_id ?? null, ...dimensionBindings(params) };
}

async function readLineMonths(request: Asked) {
  const { reader, ctx, range, params } = request;
  const { tenantId } = ctx;
  // Balances by month do not know partners, nor the other lines of an entry.
  if (askedConditions(LIMITS, params).length > 0)
    return query<MonthOfLines>(reader, statements(params).months, bindings(request));
  return (await readMonths(reader, { tenantId, spans: { period: range }, months: range })).map(monthOfLines);
}

export const journal = defineReport({
  name: 'journal',
  title: { en: 'Journal', es: 'Libro diario' },
  description: 'All posted entries in the order of their days, a row for each line.',
  area: 'accounting',
  parameters: PARAMETERS,
  paged: true,
  data: Type.Object({ rows: Type.Array(ROW), pagination: PAGINATION }),
  summary: Type.Object({ debit: amount(), credit: amount() }),
  async size(request, most) {
    const sql = statements(request.params).count;
    const [found] = await query<{ rows: number }>(request.reader, sql, { ...bindings(request), most });
    return found?.rows ?? 0;
  },
  consistent: true,
  inParts: 'legal-books',
  async read(request) {
    const { reader, range, page, money, params } = request;
    const months = await readLineMonths(request);
    const span = page && pageSpan(months, page);
    const found =
      span === null
        ? []
        : await query<Line>(reader, statements(params).page, {
            ...bindings(request),
            ...within(range, span),
            skip: span.skip,
            limit: page?.limit ?? 0,
          });
    const total = (side: 'debit' | 'credit') => money(sum(months.map((month) => month[side])).toFixed());
    return {
      data: { rows: found.map((line) => toRow(line, money)), pagination: pagination(page, countLines(months)) },
      summary: { debit: total('debit'), credit: total('credit') },
    };
  },
  async *stream(request) {
    for await (const lines of cursor<Line>(request.reader, statements(request.params).all, bindings(request)))
      yield lines.map((line) => toRow(line, request.money));
  },
  file: ({ summary }) => ({ tables: [{ row: ROW, titles: LEDGER_TITLES, rows: [], totals: summary }] }),
});

function toRow(line: Line, money: ReportRequest['money']) {
  return {
    date: line.date,
    entry_id: line.entryId,
    entry_number: line.number,
    description: line.description,
    account_code: line.accountCode,
    account_name: line.accountName,
    debit: money(line.debit),
    credit: money(line.credit),
    drilldown: `/api/journal-entries/${line.entryId}`,
  };
}
