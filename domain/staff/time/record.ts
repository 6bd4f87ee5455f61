/** Rules of time records (ET, art. 34.9): when people begin and end to work, day by day. */
import type { FieldError } from '../../errors.ts';

const MINUTE = 60_000;
const MAX_HOURS = 24;

/** The times of a record, as ISO 8601; `endedAt` is null while the work goes on. */
export interface WorkedTime {
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Breaks that are no working time. */
  readonly breakMinutes: number;
}

/** Finds what is wrong with a record. @param now ISO 8601; work cannot begin or end later */
export function timeFaults({ startedAt, endedAt, breakMinutes }: WorkedTime, now: string): FieldError[] {
  const fault = (member: string, message: string) => [{ pointer: `/${member}`, code: 'out_of_range', message }];
  const start = Date.parse(startedAt);
  const end = Date.parse(endedAt ?? now);
  if (start > Date.parse(now)) return fault('startedAt', 'must not be in the future');
  if (end > Date.parse(now)) return fault('endedAt', 'must not be in the future');
  if (end < start) return fault('endedAt', 'must not be before `startedAt`');
  if (end - start > MAX_HOURS * 60 * MINUTE) {
    return fault('endedAt', `must be given, and at most ${MAX_HOURS} hours after \`startedAt\``);
  }
  if (breakMinutes > 0 && endedAt !== null && breakMinutes * MINUTE >= end - start) {
    return fault('breakMinutes', 'must be less than the time from `startedAt` to `endedAt`');
  }
  return [];
}

/**
 * Working time in minutes; null while the work goes on. It is counted between the minutes that clocks showed, so that it agrees with the
 * times on paper; instants are compared, so that the hour when summer time begins or ends counts as it passed.
 */
export function workedMinutes({ startedAt, endedAt, breakMinutes }: WorkedTime): number | null {
  if (endedAt === null) return null;
  const minute = (instant: string) => Math.floor(Date.parse(instant) / MINUTE);
  return minute(endedAt) - minute(startedAt) - breakMinutes;
}

/** Shows minutes as hours and minutes: 485 is 8:05. */
export function shownMinutes(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
