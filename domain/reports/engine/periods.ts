/** Relative periods in the parameters of scheduled reports: `today`, `week-1`, `month-1`, `quarter`, `year-1`. */

import { dayBefore, daysAfter, endOfMonth } from '../../days.ts';
import { fiscalYear } from '../../ledger/periods/fiscal-year.ts';

const UNITS = ['today', 'week', 'month', 'quarter', 'year'] as const;
type Unit = (typeof UNITS)[number];

/** A period relative to the current day. */
export interface RelativePeriod {
  readonly unit: Unit;
  /** Number of periods ahead; negative for earlier ones. */
  readonly offset: number;
}

/** First and last day. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Syntax of relative periods, for messages to users. */
export const PERIOD_FORMS = 'today, week, month, quarter or year, as it is or with -1, -2 … or +1, +2 …';

/** Parses a relative period, at most 999 units away; undefined if the text is not one. */
export function relativePeriod(text: string): RelativePeriod | undefined {
  const [, unit, offset = '0'] = /^(today|week|month|quarter|year)([+-]\d{1,3})?$/.exec(text) ?? [];
  return unit === undefined ? undefined : { unit: unit as Unit, offset: Number(offset) };
}

/**
 * Resolves a relative period to days. Weeks begin on Monday, months are calendar months; quarters and years are those of the fiscal year.
 * @param today the company's current date
 * @param fiscalYearStart MM-DD
 */
export function resolveSpan({ unit, offset }: RelativePeriod, today: string, fiscalYearStart: string): Span {
  switch (unit) {
    case 'today':
      return dayAt(daysAfter(today, offset));
    case 'week': {
      // 1970-01-01 was a Thursday.
      const weekday = (Math.floor(Date.parse(`${today}T00:00:00Z`) / 86_400_000) + 3) % 7;
      const from = daysAfter(today, 7 * offset - weekday);
      return { from, to: daysAfter(from, 6) };
    }
    case 'month': {
      const from = firstOfMonth(today, offset);
      return { from, to: endOfMonth(from) };
    }
    case 'quarter':
      return quarterAt(today, offset, fiscalYearStart);
    case 'year':
      return yearAt(fiscalYear(fiscalYearStart, today).year + offset, fiscalYearStart);
  }
}

function dayAt(day: string): Span {
  return { from: day, to: day };
}

function firstOfMonth(today: string, offset: number): string {
  const months = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1 + offset;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`;
}

function quarterAt(today: string, offset: number, fiscalYearStart: string): Span {
  const { year, months } = fiscalYear(fiscalYearStart, today);
  const quarters = year * 4 + Math.floor(months.findIndex(({ to }) => today <= to) / 3) + offset;
  const wanted = Math.floor(quarters / 4);
  const { from, to } = yearAt(wanted, fiscalYearStart);
  const starts = fiscalYear(fiscalYearStart, from).months.map((month) => month.from);
  const first = 3 * (quarters % 4);
  const next = starts[first + 3];
  return { from: starts[first] ?? from, to: next === undefined ? to : dayBefore(next) };
}

/** The fiscal year that begins in a calendar year. */
function yearAt(year: number, fiscalYearStart: string): Span {
  const { months } = fiscalYear(fiscalYearStart, `${String(year).padStart(4, '0')}-${fiscalYearStart}`);
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a fiscal year has twelve months');
  return { from: first.from, to: last.to };
}
