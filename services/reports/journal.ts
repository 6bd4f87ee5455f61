/** The journal: all entries in the order of their days, line by line. */
import { Type } from 'typebox';
import { jsonList } from '../../db/models/selected.ts';
import { query } from '../../db/sql.ts';
import type { Decimal } from '../../domain/money.ts';
import { amount, day, integer, nullable, text, uuid } from '../validation/schemas.ts';
import { cursor } from './cursor.ts';
import { defineReport, RANGE, type ReportRequest } from './declaration.ts';
import { KIND_ORDER, LEDGER_TITLES } from './ledger-parts.ts';
import { PAGINATION, pagination } from './paging.ts';

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

const linesOf = (page = '') => `
  select l.date, l.entry_id as "entryId", l.number, coalesce(l.line_description, l.description) as description,
    a.code as "accountCode", a.name as "accountName", l.debit::text, l.credit::text
  from (select e.date, e.kind, e.number, e.description, l.entry_id, l.line_number, l.description as line_description, l.account_id,
      l.debit, l.credit
    from (select * from journal_entries where status = 'posted' and date >= :from::date and date <= :to::date) e
    join journal_lines l on l.entry_id = e.id
    order by e.date, ${KIND_ORDER}, e.id, l.line_number ${page}) l
  join accounts a on a.id = l.account_id
  order by l.date, ${KIND_ORDER}, l.entry_id, l.line_number`;

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
    // Entries have lines, so that those of `most` and one more are enough.
    const [found] = await query<{ rows: number }>(
      reader,
      `select coalesce(sum(line_count), 0)::integer as rows from (select line_count from journal_entries
         where status = 'posted' and date >= :from::date and date <= :to::date limit :most::bigint + 1) e`,
      { ...range, most },
    );
    return found?.rows ?? 0;
  },
  async read({ reader, range, page, money }) {
    const [found] = await query<{ total: Decimal; lines: number; rows: readonly Line[] }>(
      reader,
      `select coalesce(sum(total), 0)::text as total, coalesce(sum(line_count), 0)::integer as lines,
         ${page === null ? `'[]'::json` : jsonList(linesOf('limit :limit::bigint offset :offset::bigint'))} as rows
       from journal_entries where status = 'posted' and date >= :from::date and date <= :to::date`,
      { ...range, limit: page?.limit ?? 0, offset: page?.offset ?? 0 },
    );
    const { total = '0', lines = 0, rows = [] } = found ?? {};
    return {
      data: { rows: rows.map((line) => toRow(line, money)), pagination: pagination(page, lines) },
      // An entry's total is that of its debits, and as much of its credits.
      summary: { debit: money(total), credit: money(total) },
    };
  },
  async *stream({ reader, range, money }) {
    for await (const lines of cursor<Line>(reader, linesOf(), { ...range }))
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
