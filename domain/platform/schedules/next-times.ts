/**
 * Computes when a cron expression is due, by the clock of a time zone. A skipped time is due later by as much as the clock goes forward;
 * one that occurs twice is due once (decision 0199).
 */
import { daysIn } from '../../days.ts';
import { wallTime } from '../../records/tables/times.ts';
import { clockSkips, offsetAt, type Skip } from './clock-changes.ts';
import type { Cron } from './cron.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Maximum time by which a clock is ever set back. */
const MAX_SET_BACK = 3 * 60 * MINUTE;
/** 29 February occurs at least every eight years, on a given weekday at least every forty. */
const FURTHEST_YEARS = 41;

/**
 * Lists the next times, as ISO 8601 in UTC.
 * @param after exclusive lower bound
 */
export function nextTimes(cron: Cron, timezone: string, after: Date, count: number): string[] {
  const times: string[] = [];
  const start = wallTime(after.toISOString(), timezone);
  const year = new Date(start).getUTCFullYear();
  for (const day of cronDays(cron, Math.floor(start / DAY) * DAY - DAY, year + FURTHEST_YEARS)) {
    const walls = wallsOn(day, cron).filter((wall) => wall >= start - MAX_SET_BACK);
    const fitting = new Set(walls.map((wall) => timeAt(wall, timezone)));
    for (const time of [...fitting].filter((one) => one > after.getTime()).sort((one, other) => one - other)) {
      times.push(new Date(time).toISOString());
      if (times.length === count) return times;
    }
  }
  return times;
}

/**
 * Returns the local time of a run due at this instant, which identifies the run: 2027-10-31T02:30.
 * @returns null if none is due
 */
export function dueMinute(cron: Cron, timezone: string, at: Date): string | null {
  const wall = wallTime(at.toISOString(), timezone);
  const isMinute = at.getTime() % MINUTE === 0;
  const isMadeUp = () => nextTimes(cron, timezone, new Date(at.getTime() - 1), 1)[0] === at.toISOString();
  return isMinute && (fitsWall(cron, wall) || isMadeUp()) ? new Date(wall).toISOString().slice(0, 16) : null;
}

/**
 * Lists the local times at which skipped times are made up for, over forty years, without those that match the expression anyway.
 * @returns milliseconds of a UTC clock that shows the same time
 */
export function madeUpTimes(cron: Cron, timezone: string, year: number): number[] {
  const later = ({ from, to }: Skip) => {
    const day = Math.floor(from / DAY) * DAY;
    return [day, day + DAY]
      .filter((one) => fitsDay(cron, one))
      .flatMap((one) => wallsOn(one, cron))
      .filter((wall) => wall >= from && wall < to)
      .map((wall) => wall + to - from);
  };
  return clockSkips(timezone, year)
    .flatMap(later)
    .filter((wall) => !fitsWall(cron, wall));
}

/** Lists the times of a day. */
function wallsOn(day: number, { hours, minutes }: Cron): number[] {
  return hours.flatMap((hour) => minutes.map((minute) => day + hour * 60 * MINUTE + minute * MINUTE));
}

/**
 * Finds the instant at which the clock shows a time, or would if it did not skip it. Of two instants, chooses the one whose offset applies
 * at the same hour of UTC: the second east of Greenwich, the first west of it.
 * @param wall milliseconds of a UTC clock that shows the same time
 */
function timeAt(wall: number, timezone: string): number {
  const near = wall - offsetAt(wall, timezone);
  const time = wall - offsetAt(near, timezone);
  return wall - time === offsetAt(time, timezone) ? time : Math.max(near, time);
}

function fitsWall(cron: Cron, wall: number): boolean {
  const shown = new Date(wall);
  return (
    cron.hours.includes(shown.getUTCHours()) && cron.minutes.includes(shown.getUTCMinutes()) && fitsDay(cron, wall)
  );
}

function fitsDay(cron: Cron, wall: number): boolean {
  const shown = new Date(wall);
  return cron.months.includes(shown.getUTCMonth() + 1) && fits(cron, shown.getUTCDate(), shown.getUTCDay());
}

/** Yields the matching days from a day on (milliseconds of a UTC clock). */
function* cronDays(cron: Cron, first: number, lastYear: number): Generator<number> {
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
