/** Finds times that a time zone skips when its clocks go forward. */
import { wallTime } from '../../records/tables/times.ts';

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;
/** Number of years for which clock changes are computed. */
const YEARS = 40;

/** A skipped span of local time, in milliseconds of a UTC clock that shows the same time. */
export interface Skip {
  /** The first skipped time. */
  readonly from: number;
  /** The time that clocks show instead. */
  readonly to: number;
}

const cachedSkips = new Map<string, readonly Skip[]>();

/** Lists the skips of forty years from the beginning of a year. */
export function clockSkips(timezone: string, year: number): readonly Skip[] {
  const key = `${year} ${timezone}`;
  const found = cachedSkips.get(key) ?? skipsBetween(timezone, Date.UTC(year), Date.UTC(year + YEARS));
  cachedSkips.set(key, found);
  return found;
}

/** Milliseconds by which the zone is ahead of UTC. */
export function offsetAt(time: number, timezone: string): number {
  return wallTime(new Date(time).toISOString(), timezone) - time;
}

function skipsBetween(timezone: string, from: number, until: number): Skip[] {
  const skips: Skip[] = [];
  let before = offsetAt(from, timezone);
  for (let time = from + WEEK; time <= until; time += WEEK) {
    const after = offsetAt(time, timezone);
    if (after > before) {
      const change = changeWithin(timezone, time - WEEK, time);
      skips.push({ from: change + before, to: change + after });
    }
    before = after;
  }
  return skips;
}

/** Finds the minute at which the offset becomes that of the end. */
function changeWithin(timezone: string, begin: number, end: number): number {
  const wanted = offsetAt(end, timezone);
  let [low, high] = [begin / MINUTE, end / MINUTE];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * MINUTE, timezone) === wanted) high = middle;
    else low = middle;
  }
  return high * MINUTE;
}
