/**
 * When a cron expression comes next, by the clock of a time zone. As Temporal does: a time that the clock skips does not come that day,
 * and one that it shows twice comes once (decision 0178).
 */
import { daysIn } from '../days.ts';
import { wallTime } from '../tables/times.ts';
import type { Cron } from './cron.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How far clocks are set back at most: a time that they show earlier than this is over. */
const MOST_SET_BACK = 3 * 60 * MINUTE;
/** 29 February comes at least every eight years, on a given weekday at least every forty. */
const FURTHEST_YEARS = 41;

/**
 * The next times, as ISO 8601 in UTC.
 * @param after the first is later
 */
export function nextTimes(cron: Cron, timezone: string, after: Date, count: number): string[] {
  const times: string[] = [];
  const start = wallTime(after.toISOString(), timezone);
  const year = new Date(start).getUTCFullYear();
  for (const day of daysOf(cron, Math.floor(start / DAY) * DAY - DAY, year + FURTHEST_YEARS)) {
    for (const hour of cron.hours) {
      for (const minute of cron.minutes) {
        const wall = day + hour * 60 * MINUTE + minute * MINUTE;
        if (wall < start - MOST_SET_BACK) continue;
        const time = timeAt(wall, timezone);
        if (time === undefined || time <= after.getTime()) continue;
        times.push(new Date(time).toISOString());
        if (times.length === count) return times;
      }
    }
  }
  return times;
}

/**
 * The time at which the clock shows this; undefined if it skips it. Of two times the one whose offset applies at the same hour of UTC:
 * the second east of Greenwich, the first west of it.
 * @param wall milliseconds of a UTC clock that shows the same
 */
function timeAt(wall: number, timezone: string): number | undefined {
  const near = wall - offsetAt(wall, timezone);
  const time = wall - offsetAt(near, timezone);
  if (time === near) return time;
  return wall - time === offsetAt(time, timezone) ? time : undefined;
}

function offsetAt(time: number, timezone: string): number {
  return wallTime(new Date(time).toISOString(), timezone) - time;
}

/** The days that fit, from a day on (milliseconds of a UTC clock). */
function* daysOf(cron: Cron, first: number, lastYear: number): Generator<number> {
  const begin = new Date(first);
  const firstMonth = begin.getUTCFullYear() * 12 + begin.getUTCMonth();
  for (let months = firstMonth; months < (lastYear + 1) * 12; months++) {
    const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
    if (!cron.months.includes(month)) continue;
    for (let date = 1; date <= daysIn(year, month); date++) {
      const day = Date.UTC(year, month - 1, date);
      if (day >= first && fits(cron, date, new Date(day).getUTCDay())) yield day;
    }
  }
}

function fits({ days, weekdays, eitherDay }: Cron, date: number, weekday: number): boolean {
  const [byDate, byWeekday] = [days.includes(date), weekdays.includes(weekday)];
  return eitherDay ? byDate || byWeekday : byDate && byWeekday;
}
