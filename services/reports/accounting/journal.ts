/** The journal: all entries by date, line by line. */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { pageSpan } from '../../../domain/reports/engine/month-pages.ts';
import { readMonths } from '../../ledger/accounting/balances/read.ts';
import { amount, day, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { cursor } from '../engine/cursor.ts';
import { defineReport, RANGE, type ReportRequest } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { countLines, KIND_ORDER, LEDGER_TITLES, monthOfLines, within } from './ledger-parts.ts';

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

const ORDER = `l.date, ${KIND_ORDER}, l.id, line.line_number`;
const COLUMNS = `l.date, l.id as "entryId", l.number, coalesce(line.description, l.description) as description,
    a.code as "accountCode", a.name as "accountName", line.debit::text, line.credit::text`;
const POSTED = `select l.* from journal_entries l where l.status = 'posted' and l.date >= :from::date and l.date <= :to::date`;

const ALL_SQL = `select ${COLUMNS}
  from (${POSTED}) l join journal_lines line on line.entry_id = l.id join accounts a on a.id = line.account_id
  order by ${ORDER}`;

/** Entries store their line counts, so that only those of the page are read. */
const PAGE_SQL = `select ${COLUMNS}
  from (select l.*, sum(l.line_count) over (order by l.date, ${KIND_ORDER}, l.id rows unbounded preceding) - l.line_count as before
      from (${POSTED} order by l.date, ${KIND_ORDER}, l.id limit :skip::bigint + :limit::bigint) l) l
    join journal_lines line on line.entry_id = l.id join accounts a on a.id = line.account_id
  where l.before < :skip::bigint + :limit::bigint and l.before + l.line_count > :skip::bigint
    and l.before + line.line_number > :skip::bigint and l.before + line.line_number <= :skip::bigint + :limit::bigint
  order by ${ORDER}`;

export const journal = defineReport({
  name: 'journal',
  title: { en: 'Journal', es: 'Libro diario' },
  description: 'All posted entries in the order of their days, a row for each line.',
  area: 'accounting',
  parameters: RANGE,
  paged: true,
  data: Type.Object({ rows: Type.Array(ROW), pagination: PAGINATION }),
  summary: Type.Object({ debit: amount(), credit: amount() }),
  async size({ reader, range }, most) {
    // Each entry has lines, so `most` entries and one more are enough.
    const [found] = await query<{ rows: number }>(
      reader,
      `select coalesce(sum(line_count), 0)::integer as rows from (select line_count from journal_entries
         where status = 'posted' and date >= :from::date and date <= :to::date limit :most::bigint + 1) e`,
      { ...range, most },
    );
    return found?.rows ?? 0;
  },
  consistent: true,
  async read({ reader, ctx: { tenantId }, range, page, money }) {
    const months = (await readMonths(reader, { tenantId, spans: { period: range }, months: range })).map(monthOfLines);
    const span = page && pageSpan(months, page);
    const found =
      span === null
        ? []
        : await query<Line>(reader, PAGE_SQL, { ...within(range, span), skip: span.skip, limit: page?.limit ?? 0 });
    const total = (side: 'debit' | 'credit') => money(sum(months.map((month) => month[side])).toFixed());
    return {
      data: { rows: found.map((line) => toRow(line, money)), pagination: pagination(page, countLines(months)) },
      summary: { debit: total('debit'), credit: total('credit') },
    };
  },
  async *stream({ reader, range, money }) {
    for await (const lines of cursor<Line>(reader, ALL_SQL, { ...range }))
      yield lines.map((line) => toRow(line, money));
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
