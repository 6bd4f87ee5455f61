/**
 * Converts spans of days to whole months plus the days by which they differ, since sums are kept by month. Days are
 * texts, YYYY-MM-DD.
 */
import { daysAfter, LAST_DAY, lastDayInMonth } from '../../days.ts';

/** After all days; PostgreSQL accepts it as a date. */
const END = 'infinity';

/** A boundary at the beginning of a day. */
export interface Cut {
  readonly day: string;
  /** The nearest first day of a month. */
  readonly month: string;
  /** Days between the boundary and that month, the last excluded: they are added to whole months, or subtracted. */
  readonly days: { readonly from: string; readonly until: string; readonly sign: '' | '-' } | null;
}

/** The cut before a day. */
export function cutBefore(day: string): Cut {
  const past = Number(day.slice(8)) - 1;
  if (day === END || past === 0) return { day, month: day, days: null };
  const first = `${day.slice(0, 8)}01`;
  if (past <= lastDayInMonth(day) - past) return { day, month: first, days: { from: first, until: day, sign: '' } };
  const next = firstOfNextMonth(first);
  return { day, month: next, days: { from: day, until: next, sign: '-' } };
}

/** The cut after a day. */
export function cutAfter(day: string): Cut {
  return cutBefore(day === LAST_DAY ? END : daysAfter(day, 1));
}

function firstOfNextMonth(first: string): string {
  return first.slice(0, 7) === LAST_DAY.slice(0, 7) ? END : daysAfter(first, lastDayInMonth(first));
}
