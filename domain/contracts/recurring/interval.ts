/** The days on which a recurring document is due: every so many days, weeks, months or years, or by a cron expression. */
import { dayBefore, dayInMonth, daysAfter, monthsAfter } from '../../days.ts';
import type { Cron } from '../../platform/schedules/cron.ts';
import { nextTimes } from '../../platform/schedules/next-times.ts';

export const INTERVAL_UNITS = ['day', 'week', 'month', 'year'] as const;
export type IntervalUnit = (typeof INTERVAL_UNITS)[number];

/** Every `count` units. */
export interface RegularInterval {
  readonly unit: IntervalUnit;
  readonly count: number;
  /** For months and years: the day of the month, 31 for the last one. A month without that day has its last one. */
  readonly day: number;
}

export type Interval = RegularInterval | { readonly cron: Cron };

/** The first day of the interval on or after a day. @param startsOn the day from which days, weeks and years count */
export function firstDay(interval: Interval, startsOn: string): string {
  if ('cron' in interval) return cronDay(interval.cron, dayBefore(startsOn));
  if (interval.unit === 'day' || interval.unit === 'week') return startsOn;
  const inMonth = dayInMonth(startsOn, interval.day);
  return inMonth >= startsOn ? inMonth : dayInMonth(monthsAfter(startsOn, 1), interval.day);
}

/** The day of the interval that follows one of its days. */
export function dayFollowing(interval: Interval, day: string): string {
  return 'cron' in interval ? cronDay(interval.cron, day) : moved(interval, day, 1);
}

/** The day of a regular interval before one of its days. */
export function dayPreceding(interval: RegularInterval, day: string): string {
  return moved(interval, day, -1);
}

function moved({ unit, count, day: wanted }: RegularInterval, day: string, times: 1 | -1): string {
  const by = count * times;
  switch (unit) {
    case 'day':
      return daysAfter(day, by);
    case 'week':
      return daysAfter(day, 7 * by);
    case 'month':
      return dayInMonth(monthsAfter(day, by), wanted);
    case 'year':
      return dayInMonth(monthsAfter(day, 12 * by), wanted);
  }
}

/** The next day after one on which an expression for midnight fits. */
function cronDay(cron: Cron, after: string): string {
  const [next = ''] = nextTimes(cron, 'UTC', new Date(`${after}T00:00:00Z`), 1);
  return next.slice(0, 10);
}
