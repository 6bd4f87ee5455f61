/** Months of a fiscal year, which may begin on any day. Dates are texts YYYY-MM-DD, without time zones. */
import { dayBefore, daysIn, FIRST_DAY, formatDay } from '../../days.ts';

export interface FiscalMonth {
  /** YYYY-MM of the month's first day. */
  readonly code: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const MONTHS = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
] as const;

/** Whether a text MM-DD is a day of every year (02-29 is not). */
export function isFiscalYearStart(text: string): boolean {
  const parts = /^(\d\d)-(\d\d)$/.exec(text);
  if (parts === null) return false;
  const [month, day] = [Number(parts[1]), Number(parts[2])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(2025, month);
}

/**
 * The fiscal year that contains a date.
 * @param start MM-DD, see isFiscalYearStart
 * @param today YYYY-MM-DD
 * @returns the calendar year in which it begins, and its twelve months without gaps
 */
export function fiscalYear(start: string, today: string): { readonly year: number; readonly months: FiscalMonth[] } {
  const year = startYear(start, today);
  const [month, day] = [Number(start.slice(0, 2)), Number(start.slice(3))];
  const firstDays = Array.from({ length: 13 }, (_, index) => firstDay(year, month + index, day));
  const months = firstDays.slice(0, 12).map((from, index): FiscalMonth => {
    const name = `${MONTHS[Number(from.slice(5, 7)) - 1]} ${from.slice(0, 4)}`;
    return { code: from.slice(0, 7), name, from, to: dayBefore(firstDays[index + 1] as string) };
  });
  return { year, months };
}

/** The first day of a date's fiscal year. @param start MM-DD, see isFiscalYearStart */
export function yearStart(start: string, day: string): string {
  const year = startYear(start, day);
  return year === 0 ? FIRST_DAY : `${String(year).padStart(4, '0')}-${start}`;
}

/** The first days of the fiscal years that begin after the first day of a span, up to its last. @param start MM-DD */
export function yearsBeginning(start: string, { from, to }: { readonly from: string; readonly to: string }): string[] {
  const days: string[] = [];
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year++) {
    const first = `${String(year).padStart(4, '0')}-${start}`;
    if (first > from && first <= to) days.push(first);
  }
  return days;
}

function startYear(start: string, day: string): number {
  const calendarYear = Number(day.slice(0, 4));
  return day.slice(5) >= start ? calendarYear : calendarYear - 1;
}

/** The given day in month `month` of `year` (13 is January of the next), limited to the last day of shorter months. */
function firstDay(year: number, month: number, day: number): string {
  const actualYear = year + Math.floor((month - 1) / 12);
  const actualMonth = ((month - 1) % 12) + 1;
  return formatDay(actualYear, actualMonth, Math.min(day, daysIn(actualYear, actualMonth)));
}
