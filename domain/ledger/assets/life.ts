/** The life of an asset: how many of its months have passed by a day. */
import { dayBefore, dayInMonth, endOfMonth, lastDayInMonth, monthsAfter } from '../../days.ts';
import { decimal, type Exact } from '../../money.ts';
import type { PartialMonths } from './types.ts';

export interface Life {
  /** The day from which it is in use. */
  readonly inUseOn: string;
  /** Useful life in months. */
  readonly months: number;
  /**
   * `days`: a month counts by its days in use. `months`: the month in which it comes into use counts wholly, the one in which it leaves
   * does not count.
   */
  readonly partial: PartialMonths;
}

/** The day from which its depreciation counts. */
export function firstDay({ inUseOn, partial }: Pick<Life, 'inUseOn' | 'partial'>): string {
  return partial === 'days' ? inUseOn : `${inUseOn.slice(0, 8)}01`;
}

/** The last day of its useful life. */
export function lastDay(life: Life): string {
  const first = firstDay(life);
  const month = monthsAfter(first, life.months);
  const date = Number(first.slice(8));
  // In a month that lacks the date it ends with the month.
  return date > lastDayInMonth(month) ? endOfMonth(month) : dayBefore(dayInMonth(month, date));
}

/** Months of the life that have passed at the end of a day: from 0 to all of them. */
export function elapsedMonths(life: Life, day: string): Exact {
  const first = firstDay(life);
  if (day < first) return decimal(0);
  if (day >= lastDay(life)) return decimal(life.months);
  const months = monthsFrom(first, day);
  if (life.partial === 'months') return decimal(months + (day === endOfMonth(day) ? 1 : 0));
  const passed = decimal(Number(day.slice(8))).div(lastDayInMonth(day));
  const before = decimal(Number(first.slice(8)) - 1).div(lastDayInMonth(first));
  const elapsed = decimal(months).plus(passed).minus(before);
  return elapsed.gt(life.months) ? decimal(life.months) : elapsed;
}

/** Number of months from the month of one day to that of another. */
function monthsFrom(from: string, to: string): number {
  const index = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return index(to) - index(from);
}

/** The earlier of two days. */
export function earlier(one: string, other: string): string {
  if (one < other) return one;
  return other;
}
