/** Days and instants in conditions: compared by time, and relative days. */
import { daysAfter, isDay } from '../../days.ts';

/** The days of a place at a time. */
export interface Calendar {
  /** The current day, YYYY-MM-DD; null if relative days mean nothing. */
  readonly today: string | null;
  /** The day of an instant. */
  readonly toDay: (instant: Date) => string;
}

/** Without relative days. */
export const UTC: Calendar = { today: null, toDay: (instant) => instant.toISOString().slice(0, 10) };

const RELATIVE = /^today(?:([+-]\d{1,4}))?$/;
/** Texts that people write for a relative day. */
const SEEMS_RELATIVE = /^(?:today|now|tomorrow|yesterday|(?:day|week|month|quarter|year)s?(?=\s*[+-]))\s*(?:[+-].*)?$/i;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

/** A text that is a time: a day, or an instant with its offset. */
type Time = { readonly day: string } | { readonly instant: Date };

function parseTime(text: string): Time | null {
  if (isDay(text)) return { day: text };
  if (!INSTANT.test(text)) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : { instant };
}

/** The time that a value of a condition stands for. */
function wantedTime(text: string, { today }: Calendar): Time | null {
  const [match, days = '0'] = RELATIVE.exec(text) ?? [];
  if (match === undefined) return parseTime(text);
  return today === null ? null : { day: daysAfter(today, Number(days)) };
}

/**
 * Compares a time with a value of a condition. Null unless both are times.
 * @param unit whether a day comes before every instant of it, or is equal to it
 */
export function orderOfTimes(
  actual: string,
  value: string,
  calendar: Calendar,
  unit: 'instants' | 'whole days' = 'instants',
): number | null {
  const time = parseTime(actual);
  const wanted = time === null ? null : wantedTime(value, calendar);
  if (time === null || wanted === null) return null;
  if ('instant' in time && 'instant' in wanted) return Math.sign(time.instant.getTime() - wanted.instant.getTime());
  const [one, other] = [localDay(time, calendar), localDay(wanted, calendar)];
  if (one !== other) return one < other ? -1 : 1;
  if (unit === 'whole days') return 0;
  return Number('instant' in time) - Number('instant' in wanted);
}

/** Returns a test whether a text is the same time as one of the values; its time does not grow with their number. */
export function sameTime(values: readonly unknown[], calendar: Calendar): (text: string) => boolean {
  const times = values.flatMap((value) => (typeof value === 'string' ? (wantedTime(value, calendar) ?? []) : []));
  if (times.length === 0) return () => false;
  const days = new Set(times.flatMap((time) => ('day' in time ? time.day : [])));
  const instants = new Set(times.flatMap((time) => ('instant' in time ? time.instant.getTime() : [])));
  return (text) => {
    const time = parseTime(text);
    if (time === null) return false;
    return 'day' in time ? days.has(time.day) : instants.has(time.instant.getTime());
  };
}

function localDay(time: Time, calendar: Calendar): string {
  return 'day' in time ? time.day : calendar.toDay(time.instant);
}

/**
 * Explains why a value cannot be used as the relative day that it seems to be; null if it can, or is no relative day.
 * @param isOrder whether it is compared by order, where other texts make no sense in its place
 * @param isAllowed whether relative days are known here
 */
export function relativeFault(
  value: unknown,
  { isOrder, isAllowed }: { readonly isOrder: boolean; readonly isAllowed: boolean },
): string | null {
  if (typeof value !== 'string') return null;
  if (RELATIVE.test(value)) return isAllowed ? null : 'cannot be a relative day, because filters have no current day';
  if (!isOrder || !SEEMS_RELATIVE.test(value)) return null;
  return isAllowed ? 'must be a day, an instant, or relative: today, today+7, today-30' : 'must be a day or an instant';
}
