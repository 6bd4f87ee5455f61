/** When daily summaries are due. */
import { wallTime } from '../../records/tables/times.ts';

/** The hour, in the company's time zone, from which a day's summary is sent. */
export const SUMMARY_HOUR = 8;

/**
 * The date whose summary is due: the company's current date from eight o'clock to midnight, so that a summary missed in the morning is
 * still sent; null before eight. Clocks change at night, so every date has exactly one eight o'clock.
 */
export function summaryDay(now: Date, timezone: string): string | null {
  const there = new Date(wallTime(now.toISOString(), timezone));
  return there.getUTCHours() < SUMMARY_HOUR ? null : there.toISOString().slice(0, 10);
}

const HOUR_MS = 3_600_000;
/** No time zone is further ahead of UTC than Kiribati's, at 14 hours. */
const FURTHEST_MS = (14 - SUMMARY_HOUR) * HOUR_MS;

/** The latest date whose summary is due anywhere. */
export function latestSummaryDay(now: Date): string {
  return new Date(now.getTime() + FURTHEST_MS).toISOString().slice(0, 10);
}
