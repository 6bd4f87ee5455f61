/** Spans of days as whole months, and the days by which they differ: sums are kept by month. Days are texts, YYYY-MM-DD. */
import { daysAfter, LAST_DAY, lastDayOf } from '../days.ts';

/** After all days; PostgreSQL takes it for a date. */
const END = 'infinity';

/** The beginning of a day, between what is before and what is not. */
export interface Cut {
  readonly day: string;
  /** The nearest beginning of a month. */
  readonly month: string;
  /** The days between both, the last not included: what is before the cut has them beyond whole months, or lacks them. */
  readonly days: { readonly from: string; readonly until: string; readonly sign: '' | '-' } | null;
}

/** The cut before a day. */
export function cutBefore(day: string): Cut {
  const past = Number(day.slice(8)) - 1;
  if (day === END || past === 0) return { day, month: day, days: null };
  const first = `${day.slice(0, 8)}01`;
  if (past <= lastDayOf(day) - past) return { day, month: first, days: { from: first, until: day, sign: '' } };
  const next = firstOfNextMonth(first);
  return { day, month: next, days: { from: day, until: next, sign: '-' } };
}

/** The cut after a day. */
export function cutAfter(day: string): Cut {
  return cutBefore(day === LAST_DAY ? END : daysAfter(day, 1));
}

function firstOfNextMonth(first: string): string {
  return first.slice(0, 7) === LAST_DAY.slice(0, 7) ? END : daysAfter(first, lastDayOf(first));
}
