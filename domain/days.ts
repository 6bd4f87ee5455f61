/** Calendar dates as texts, YYYY-MM-DD. */

/** The first and last representable days. */
export const FIRST_DAY = '0001-01-01';
export const LAST_DAY = '9999-12-31';

/** Whether a text is an existing date: 2026-02-30 is not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '0001') return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The day before a date; the first day of all stays the same. */
export function dayBefore(day: string): string {
  return daysAfter(day, -1);
}

/** The same date a year later; 29 February becomes a nonexistent text that sorts in its place. */
export function yearAfter(day: string): string {
  return `${String(Number(day.slice(0, 4)) + 1).padStart(4, '0')}${day.slice(4)}`;
}

/** The date a number of days later, limited to the first and last days of all; it may be counted from a day of the year 10000. */
export function daysAfter(day: string, days: number): string {
  const known = day.length > LAST_DAY.length ? `+0${day}` : day;
  const moved = new Date(Date.parse(`${known}T00:00:00Z`) + days * 86_400_000).toISOString();
  // A sign begins years that do not have four digits.
  if (moved.startsWith('+')) return LAST_DAY;
  return moved < FIRST_DAY ? FIRST_DAY : moved.slice(0, 10);
}

/** Number of days in a month. @param month from 1 */
export function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The number of the last day in the month of a date: 28 to 31. */
export function lastDayInMonth(day: string): number {
  return daysIn(Number(day.slice(0, 4)), Number(day.slice(5, 7)));
}

/** The last day of the month of a date. */
export function endOfMonth(day: string): string {
  return `${day.slice(0, 8)}${lastDayInMonth(day)}`;
}

/** The same date a year earlier; the last day of a month stays the last day: 28 February 2025 for 29 February 2024. */
export function yearEarlier(day: string): string {
  const year = Math.max(1, Number(day.slice(0, 4)) - 1);
  const month = Number(day.slice(5, 7));
  const last = daysIn(year, month);
  const date = Number(day.slice(8)) === lastDayInMonth(day) ? last : Math.min(Number(day.slice(8)), last);
  return `${String(year).padStart(4, '0')}-${day.slice(5, 8)}${String(date).padStart(2, '0')}`;
}

/** A date as a text. @param month from 1 */
export function formatDay(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The given day in a date's month, or the last day of a shorter month. */
export function dayInMonth(date: string, day: number): string {
  return `${date.slice(0, 8)}${String(Math.min(day, lastDayInMonth(date))).padStart(2, '0')}`;
}

/** The first day of the month that is a number of months after a date's. */
export function monthsAfter(date: string, months: number): string {
  const index = monthIndex(date) + months;
  return formatDay(Math.floor(index / 12), (index % 12) + 1, 1);
}

/** The first days of all months in a span. */
export function monthsWithin({ from, to }: { readonly from: string; readonly to: string }): string[] {
  const count = monthIndex(to) - monthIndex(from) + 1;
  return Array.from({ length: count }, (_, index) => monthsAfter(from, index));
}

function monthIndex(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

/** Number of days from one date to another; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}
