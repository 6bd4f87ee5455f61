/** When daily summaries are due. */
import { wallTime } from '../tables/times.ts';

/** The hour of the company's clock from which the summary of a day goes. */
export const SUMMARY_HOUR = 8;

/**
 * The date whose summary is due: today's for the company from eight o'clock to midnight, so that one missed in the morning still goes; null
 * before eight. Clocks change at night, so that every date has its eight o'clock once.
 */
export function summaryDay(now: Date, timezone: string): string | null {
  const there = new Date(wallTime(now.toISOString(), timezone));
  return there.getUTCHours() < SUMMARY_HOUR ? null : there.toISOString().slice(0, 10);
}

const HOUR_MS = 3_600_000;
/** No clock is further ahead of UTC than Kiribati's, by 14 hours. */
const FURTHEST_MS = (14 - SUMMARY_HOUR) * HOUR_MS;

/** The latest date whose summary is due anywhere. */
export function latestSummaryDay(now: Date): string {
  return new Date(now.getTime() + FURTHEST_MS).toISOString().slice(0, 10);
}
