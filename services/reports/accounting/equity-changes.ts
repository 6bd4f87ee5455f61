/** The statement of changes in equity of a fiscal year and the one before (decision 0361). */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { AccountType } from '../../../domain/ledger/accounting/charts/chart.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { type EquityEntry, equityChanges } from '../../../domain/reports/accounting/equity-changes.ts';
import { type EquityRow, ROW_KINDS } from '../../../domain/reports/accounting/equity-rows.ts';
import { formFor } from '../../../domain/reports/accounting/forms/index.ts';
import { headingNamed, prefixes } from '../../../domain/reports/accounting/headings.ts';
import { fiscalYearSpan, type Span, spanName } from '../../../domain/reports/engine/periods.ts';
import { columnMember, columnMembers } from '../../../domain/reports/engine/sections.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { amount, choice, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, type ReportRequest } from '../engine/declaration.ts';
import { FISCAL_YEAR, requestedYear } from './fiscal-year.ts';
import { readSheets } from './sheets.ts';

const ACCOUNT = Type.Object({
  account_id: uuid(),
  code: text(),
  name: text({ max: 500 }),
  column: text({ description: 'Code of the column in which it counts' }),
  amount: amount(),
  drilldown: text({ max: 500, description: 'The ledger of the account' }),
});

const ROW = Type.Object({
  code: text({ description: 'Letter of the balance, and number of what changes it' }),
  name: text({ max: 500 }),
  kind: choice(ROW_KINDS, {
    description: 'A balance at the end of a year or adjusted at its beginning, or what changes it',
  }),
  amounts: Type.Array(amount(), { description: 'One for each of `columns`' }),
  total: amount(),
  level: integer({ description: 'From 0, that of balances' }),
  parts: Type.Array(integer(), { description: 'Places in `rows`, from 0, of those that add up to it' }),
  accounts: Type.Array(ACCOUNT, { description: 'The accounts in it; those of a result are behind `drilldown`' }),
  drilldown: nullable(
    text({ max: 500, description: 'The balance sheet, or the profit and loss account; null for other rows' }),
  ),
});

type Request = ReportRequest<{ readonly year?: number | undefined }>;

export const equityChangesReport = defineReport({
  name: 'equity-changes',
  title: { en: 'Statement of changes in equity', es: 'Estado de cambios en el patrimonio neto' },
  description:
    'A fiscal year and the one before: a column for each heading of equity in the balance sheet, with whose balances the years begin and ' +
    'end. The accounts of an entry tell what has changed.',
  area: 'accounting',
  parameters: FISCAL_YEAR,
  data: Type.Object({
    year: { ...YEAR, description: 'The calendar year in which the fiscal year begins' },
    columns: Type.Array(Type.Object({ code: text(), name: text({ max: 500 }) }), {
      description: 'The headings of equity in the balance sheet',
    }),
    rows: Type.Array(ROW),
  }),
  summary: Type.Object({
    equity: amount({ description: 'At the end of the year' }),
    previous_equity: amount({ description: 'At the end of the year before' }),
    result: amount(),
  }),
  consistent: true,
  async read(request) {
    const { settings, accountChart, language, money } = request;
    const start = settings.company.fiscalYearStart;
    const year = requestedYear(request);
    const spans = [year - 2, year - 1, year].map((one) => fiscalYearSpan(one, start));
    const last = spans[2] as Span;
    const sheets = await readSheets(
      request,
      spans.map(({ to }) => to),
    );
    const entries = await readEntries(request, { from: spans[1]?.from as string, to: last.to, second: last.from });
    const years = spans.map(({ from }) => spanName(from, 'year', start)[language]);
    const { columns, rows } = equityChanges({ sheets, entries, years }, accountChart, language);
    const shown = rows.map((row) => rowToJson(row, spans[row.year] as Span, money));
    const ends = shown.filter(({ kind }) => kind === 'end').map(({ total }) => total);
    return {
      ...last,
      data: { year, columns: [...columns], rows: shown.map((row) => ({ ...row, parts: addingUp(row, shown) })) },
      summary: {
        equity: ends[2] as number,
        previous_equity: ends[1] as number,
        result: money(sheets.result[2] as Decimal),
      },
    };
  },
  file({ data }) {
    // A page has no room for headings that few companies use.
    const shown = data.columns.flatMap(({ name }, index) =>
      data.rows.some(({ amounts }) => amounts[index] !== 0)
        ? [[columnMember(index), { en: name, es: name }] as const]
        : [],
    );
    const members = shown.map(([member]) => member);
    return {
      tables: [
        {
          row: Type.Object({
            ...Type.Omit(ROW, ['amounts', 'accounts']).properties,
            ...Object.fromEntries(members.map((member) => [member, amount()])),
          }),
          columns: ['name', ...members, 'total'],
          titles: { ...Object.fromEntries(shown), total: { en: 'Total', es: 'Total' } },
          rows: data.rows.map(({ amounts, ...row }) => ({ ...row, ...columnMembers(amounts) })),
          tree: true,
        },
      ],
    };
  },
});

function rowToJson(row: EquityRow, { from, to }: Span, money: Request['money']) {
  const days = `from=${from}&to=${to}`;
  return {
    code: row.code,
    name: row.name,
    kind: row.kind,
    amounts: row.amounts.map(money),
    total: money(sum(row.amounts).toFixed()),
    level: row.level,
    parts: [...row.parts],
    accounts: row.accounts
      .filter(({ amount }) => !decimal(amount).eq(0))
      .map(({ id, amount, ...account }) => ({
        account_id: id,
        ...account,
        amount: money(amount),
        drilldown: `/api/reports/ledger?account_id=${id}&${days}`,
      })),
    drilldown: DRILLDOWNS[row.kind] === undefined ? null : `/api/reports/${DRILLDOWNS[row.kind]}?${days}`,
  };
}

const DRILLDOWNS: Partial<Record<EquityRow['kind'], string>> = { end: 'balance-sheet', result: 'pl' };

interface Amounts {
  readonly amounts: readonly number[];
  readonly parts: readonly number[];
}

/** The rows that add up to one, if they do after rounding: files then have formulas. */
function addingUp({ amounts, parts }: Amounts, rows: readonly Amounts[]): number[] {
  const addsUp = amounts.every((amount, column) =>
    sum(parts.map((part) => rows[part]?.amounts[column] ?? 0)).eq(decimal(amount)),
  );
  return addsUp ? [...parts] : [];
}

/** Entries with a line on an account of equity, by account; an index has the lines of each account by date. */
const ENTRIES_SQL = `
  with touched as (
    select distinct l.entry_id, l.date from accounts a join journal_lines l on l.account_id = a.id
    where (a.type = 'equity' or a.code like any(:patterns::text[]))
      and l.date >= :from::date and l.date <= :to::date and l.kind = 'normal'
  )
  select t.entry_id as "entryId", case when t.date < :second::date then 1 else 2 end as year,
    a.id, a.code, a.name, a.type, sum(l.debit - l.credit)::text as balance
  from touched t join journal_lines l on l.entry_id = t.entry_id join accounts a on a.id = l.account_id
  group by t.entry_id, t.date, a.id, a.code, a.name, a.type
  having sum(l.debit - l.credit) <> 0
  order by t.date, t.entry_id, a.code`;

interface EntryRow {
  readonly entryId: string;
  readonly year: 1 | 2;
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  readonly balance: Decimal;
}

async function readEntries(
  { reader, accountChart }: Request,
  days: { readonly from: string; readonly to: string; readonly second: string },
): Promise<EquityEntry[]> {
  const form = formFor(accountChart);
  const patterns = prefixes(headingNamed(form.equityAndLiabilities, form.equity.heading)).map((one) => `${one}%`);
  const rows = await query<EntryRow>(reader, ENTRIES_SQL, { ...days, patterns });
  return [...groupBy(rows, ({ entryId }) => entryId).values()].map((lines) => ({
    year: (lines[0] as EntryRow).year,
    lines,
  }));
}
