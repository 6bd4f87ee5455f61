/** Relative periods in the parameters of scheduled reports: `today`, `week-1`, `month-1`, `quarter`, `year-1`. */

import { dayBefore, daysAfter, endOfMonth, LAST_DAY } from '../../days.ts';
import { fiscalYear } from '../../ledger/periods/fiscal-year.ts';
import type { Texts } from './texts.ts';

const UNITS = ['today', 'week', 'month', 'quarter', 'year'] as const;
type Unit = (typeof UNITS)[number];
/** Units that a period can be split into. */
export const SPLIT_UNITS = ['month', 'quarter', 'year'] as const satisfies readonly Unit[];
export type SplitUnit = (typeof SPLIT_UNITS)[number];

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
      return fiscalYearSpan(fiscalYear(fiscalYearStart, today).year + offset, fiscalYearStart);
  }
}

/**
 * Splits a period at the ends of its months, quarters or years; the first and the last part may be shorter.
 * @param fiscalYearStart MM-DD; quarters and years are those of the fiscal year
 * @param most number of parts after which it stops
 */
export function splitSpan({ from, to }: Span, unit: SplitUnit, fiscalYearStart: string, most: number): Span[] {
  const parts: Span[] = [];
  let last = '';
  for (let first = from; first <= to && last !== LAST_DAY && parts.length < most; first = daysAfter(last, 1)) {
    const end = resolveSpan({ unit, offset: 0 }, first, fiscalYearStart).to;
    last = end < to ? end : to;
    parts.push({ from: first, to: last });
  }
  return parts;
}

/** Names the month (03/2026), quarter (Q1 2026) or year (2026, or 2026/27) in which a day lies. */
export function spanName(day: string, unit: SplitUnit, fiscalYearStart: string): Texts {
  if (unit === 'month') return inEach(`${day.slice(5, 7)}/${day.slice(0, 4)}`);
  const { year, months } = fiscalYear(fiscalYearStart, day);
  const name = fiscalYearStart === '01-01' ? `${year}` : `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
  if (unit === 'year') return inEach(name);
  const quarter = Math.floor(months.findIndex(({ to }) => day <= to) / 3) + 1;
  return { en: `Q${quarter} ${name}`, es: `T${quarter} ${name}` };
}

function inEach(name: string): Texts {
  return { en: name, es: name };
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
  const { from, to } = fiscalYearSpan(wanted, fiscalYearStart);
  const starts = fiscalYear(fiscalYearStart, from).months.map((month) => month.from);
  const first = 3 * (quarters % 4);
  const next = starts[first + 3];
  return { from: starts[first] ?? from, to: next === undefined ? to : dayBefore(next) };
}

/** The fiscal year that begins in a calendar year. @param fiscalYearStart MM-DD */
export function fiscalYearSpan(year: number, fiscalYearStart: string): Span {
  const { months } = fiscalYear(fiscalYearStart, `${String(year).padStart(4, '0')}-${fiscalYearStart}`);
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a fiscal year has twelve months');
  return { from: first.from, to: last.to };
}
