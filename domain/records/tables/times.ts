/** Formats and parses dates and instants in tables: dates in the company's format, instants in its local time. */
import { isDay } from '../../days.ts';
import type { TableConventions } from './conventions.ts';

type Form = Pick<TableConventions, 'dateFormat'>;

/** Formats a date (YYYY-MM-DD) in the company's format. */
export function writeDay(day: string, { dateFormat }: Form): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return dateFormat.replace('yyyy', year).replace('MM', month).replace('dd', date);
}

/**
 * Parses a date in the company's format, or YYYY-MM-DD. Leading zeros may be missing, separators may differ, and years may have two digits
 * (00–69 are in this century), because spreadsheets save them so.
 * @returns YYYY-MM-DD; undefined if the text is not an existing date
 */
export function readDay(text: string, { dateFormat }: Form): string | undefined {
  const given = text.trim();
  if (isDay(given)) return given;
  const numbers = /^(\d{1,4})[/.\- ]{1,2}(\d{1,2})[/.\- ]{1,2}(\d{1,4})$/.exec(given)?.slice(1);
  if (numbers === undefined) return undefined;
  const order = [...new Set(dateFormat.replaceAll(/[^dMy]/g, ''))];
  const part = (letter: string) => numbers[order.indexOf(letter)] ?? '';
  const [year, month, date] = [part('y'), part('M'), part('d')];
  if (year.length % 2 !== 0 || month.length > 2 || date.length > 2) return undefined;
  const century = year.length === 4 ? '' : year < '70' ? '20' : '19';
  const day = `${century}${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isDay(day) ? day : undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Formats an instant (ISO 8601) as the company's local date and time, to the second. In the hour that occurs twice when summer time ends,
 * the offset is added, so that it can be read back.
 */
export function writeInstant(instant: string, conventions: Pick<TableConventions, 'dateFormat' | 'timezone'>): string {
  const time = Math.floor(Date.parse(instant) / 1000) * 1000;
  const offset = offsetAt(time, conventions.timezone);
  const wall = wallClock(time, offset);
  const written = `${writeDay(wall.slice(0, 10), conventions)} ${wall.slice(11, 19)}`;
  return toInstant(time + offset, conventions.timezone) === time ? written : `${written} ${offsetText(offset)}`;
}

/**
 * Parses an instant written by `writeInstant`, or in ISO 8601. Without a time, it is the start of the day; a time skipped by summer time
 * becomes the later one.
 * @returns ISO 8601 in UTC; undefined if the text is not an instant
 */
export function readInstant(text: string, conventions: TableConventions): string | undefined {
  const [, given = '', clock = '00:00:00', offset] =
    /^(.+?)(?:[T ](\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?))?\s?(Z|[+-]\d{2}:\d{2})?$/.exec(text.trim()) ?? [];
  const day = readDay(given, conventions);
  if (day === undefined) return undefined;
  const wall = Date.parse(`${day}T${clock.replace(/^\d:/, '0$&').replace(',', '.')}Z`);
  if (Number.isNaN(wall)) return undefined;
  const time =
    offset === undefined
      ? toInstant(wall, conventions.timezone)
      : Date.parse(new Date(wall).toISOString().replace('Z', offset));
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/**
 * Converts an instant to a zone's local time, as milliseconds of a UTC clock that shows the same; for Excel, which has no time zones.
 * @param instant ISO 8601
 */
export function wallTime(instant: string, timezone: string): number {
  const time = Math.floor(Date.parse(instant) / 1000) * 1000;
  return time + offsetAt(time, timezone);
}

/** The time of an instant (ISO 8601) on a clock in a zone: HH:MM. */
export function clockTime(instant: string, timezone: string): string {
  return new Date(wallTime(instant, timezone)).toISOString().slice(11, 16);
}

function wallClock(time: number, offset: number): string {
  return new Date(time + offset).toISOString();
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/**
 * Converts a zone's local time to an instant (ISO 8601 in UTC), the first of two. Inverse of `wallTime`.
 * @param wall milliseconds of a UTC clock that shows the same time
 */
export function instantAtWallTime(wall: number, timezone: string): string {
  return new Date(toInstant(wall, timezone)).toISOString();
}

function toInstant(wall: number, timezone: string): number {
  const around = [wall - 24 * HOUR, wall + 24 * HOUR].map((time) => wall - offsetAt(time, timezone));
  const fitting = around.filter((time) => time + offsetAt(time, timezone) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : Math.max(...around);
}

const formatters = new Map<string, Intl.DateTimeFormat>();
/** The latest offset of each zone, valid within its quarter of an hour: rows usually come in order of time. */
const latest = new Map<string, { readonly quarter: number; readonly offset: number }>();

/** Milliseconds by which a zone is ahead of UTC at an instant. */
function offsetAt(time: number, timezone: string): number {
  const quarter = Math.floor(time / (15 * MINUTE));
  const known = latest.get(timezone);
  if (known?.quarter === quarter) return known.offset;
  const start = quarter * 15 * MINUTE;
  const parts = Object.fromEntries(
    cachedFormatter(timezone)
      .formatToParts(start)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  const shown = new Date(0).setUTCFullYear(year, month - 1, day) + hour * HOUR + minute * MINUTE + second * 1000;
  const offset = shown - start;
  latest.set(timezone, { quarter, offset });
  return offset;
}

function cachedFormatter(timezone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timezone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(timezone, formatter);
  }
  return formatter;
}

/** The current date in a time zone. */
export function localDay(now: Date, timezone: string): string {
  return new Date(wallTime(now.toISOString(), timezone)).toISOString().slice(0, 10);
}

/** The instant at which a day begins in a time zone. @param day YYYY-MM-DD */
export function startOfDay(day: string, timezone: string): string {
  return instantAtWallTime(Date.parse(`${day}T00:00:00Z`), timezone);
}
