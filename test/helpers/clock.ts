/**
 * The time of the tests. `useApp` answers at NOW, on whatever day it runs, so that tests write their dates from TODAY.
 *
 *     const order = { deliveryDate: daysFromToday(3) };
 *     app.clock.now = new Date('2026-12-31T23:30:00Z'); // the service's, too; a token lives 15 minutes of it
 *
 * Tests with a worker have the real time (`useApp({ clock: REAL_CLOCK })`) and ask `companyDay()` for the day.
 */
import { DateTime } from 'luxon';
import { DEFAULT_SETTINGS } from '../../services/platform/settings/definitions.ts';

/** Half past midnight in Madrid, while UTC still has the day before: who takes UTC's day for the company's is wrong. */
export const NOW = new Date('2026-06-14T22:30:00Z');

/** The company's day and year at NOW. */
export const TODAY = '2026-06-15';
export const YEAR = 2026;

/** The day on which an instant falls for a company with the settings of the start. */
export function companyDay(at = new Date()): string {
  return DateTime.fromJSDate(at, { zone: DEFAULT_SETTINGS.format.timezone }).toISODate() as string;
}

/** A day after TODAY, or before it with a negative number. */
export function daysFromToday(days: number): string {
  return daysFrom(TODAY, days);
}

/** A day after another, or before it with a negative number. */
export function daysFrom(day: string, days: number): string {
  return DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate() as string;
}
