/** SQL of the lines of ledgers, with running sums. */
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { KIND_ORDER } from './ledger-parts.ts';

/** A line of an account. */
export interface Line {
  readonly date: string;
  readonly entryId: string;
  readonly number: number | null;
  readonly description: string | null;
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Sum of the lines read so far, including this one; of an account that begins each year at zero, those of its year. */
  readonly running: Decimal;
}

/** Members of a line, from `l` and its entry `e`. */
export const LINE_COLUMNS = `l.date, l.entry_id as "entryId", e.number, coalesce(l.description, e.description) as description,
      l.debit::text, l.credit::text, l.running::text`;
export const LINE_ORDER = `l.date, ${KIND_ORDER}, l.entry_id, l.line_number`;
/** Lines before those of the period, which begin after opening entries of the first day. */
export const BEFORE = `(l.date < :start::date or l.date = :start::date and l.kind = 'opening')`;
export const OF_PERIOD = `not ${BEFORE} and (:closings::boolean or l.kind not in ('regularisation', 'closing') or l.date < :year::date)`;
/** Lines of the period, from `:from` to `:to`. */
export const WITHIN_PERIOD = `l.date >= :from::date and l.date <= :to::date and ${OF_PERIOD}`;
/** Numbers the year of a line, between the days on which income and expense begin again. */
export const YEAR_OF_LINE = 'width_bucket(l.date, :resets::date[])';

/**
 * Builds a query of lines with their running sum.
 * @param where conditions on the lines `l` of one account
 * @param year an expression within which the sum begins again, if there is one
 * @param page limit and offset
 */
export function runningLines(where: string, year: string | null, page: string): string {
  const order = year === null ? LINE_ORDER : `${year}, ${LINE_ORDER}`;
  return `select l.*, ${running(year)} from journal_lines l where ${where} order by ${order} ${page}`;
}

/** Builds a query of the first lines of an account with their running sum; reads no others. */
export function firstLines(where: string, year: string | null, count: string): string {
  return `select l.*, ${running(year)} from (
      select l.* from journal_lines l where ${where} order by ${LINE_ORDER} limit ${count}) l`;
}

function running(year: string | null): string {
  const partition = year === null ? '' : `partition by ${year}`;
  return `sum(l.debit - l.credit) over (${partition} order by ${LINE_ORDER} rows unbounded preceding) as running`;
}

/** Values of the conditions above. */
export function periodBindings({
  params,
  range,
  settings: { company },
}: Pick<ReportRequest<{ readonly closing_entries?: boolean | undefined }>, 'params' | 'range' | 'settings'>) {
  return {
    start: range.from,
    ...range,
    closings: params.closing_entries === true,
    firstYear: yearStart(company.fiscalYearStart, range.from),
    year: yearStart(company.fiscalYearStart, range.to),
  };
}

/** The balance before the lines that `running` sums, for those before a day on which the account begins again at zero. */
export interface Start {
  readonly start: Decimal;
  readonly until: string | undefined;
}

/** Converts a line to a row of an answer, with the balance after it. */
export function lineToRow(line: Line, { start, until }: Start, money: ReportRequest['money']) {
  const before = until === undefined || line.date < until ? start : '0';
  return {
    date: line.date,
    entry_id: line.entryId,
    entry_number: line.number,
    description: line.description,
    debit: money(line.debit),
    credit: money(line.credit),
    balance: money(decimal(before).plus(line.running).toFixed()),
    drilldown: `/api/journal-entries/${line.entryId}`,
  };
}

/** Builds the row of the balance before the first line. */
export function openingRow(
  opening: Decimal,
  { range, language, money }: Pick<ReportRequest, 'range' | 'language' | 'money'>,
) {
  return {
    date: range.from,
    entry_id: null,
    entry_number: null,
    description: OPENING[language],
    debit: 0,
    credit: 0,
    balance: money(opening),
    drilldown: null,
  };
}

const OPENING = { en: 'Opening balance', es: 'Saldo inicial' } as const;
