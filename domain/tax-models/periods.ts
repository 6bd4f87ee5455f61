/** The periods of tax returns: quarters 1T to 4T and months 01 to 12 of calendar years, and whole years 0A. */
import { dayOf, daysIn } from '../days.ts';

export const MONTHLY = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'] as const;
export const QUARTERLY = ['1T', '2T', '3T', '4T'] as const;
export const ANNUAL = '0A';

/** A period of a year. */
export interface TaxPeriod {
  readonly year: number;
  /** 01 to 12, 1T to 4T, 0A. */
  readonly period: string;
}

/** The first and last day of a period. */
export function spanOf({ year, period }: TaxPeriod): { readonly from: string; readonly to: string } {
  const [first, last] = monthsOf(period);
  return { from: dayOf(year, first, 1), to: dayOf(year, last, daysIn(year, last)) };
}

function monthsOf(period: string): readonly [first: number, last: number] {
  if (period === ANNUAL) return [1, 12];
  if (!period.endsWith('T')) return [Number(period), Number(period)];
  const last = Number(period[0]) * 3;
  return [last - 2, last];
}

/** The period before one, of the same length: 1T follows 4T of the year before. */
export function periodBefore({ year, period }: TaxPeriod): TaxPeriod {
  const all = listOf(period);
  const index = all.indexOf(period);
  return index > 0
    ? { year, period: all[index - 1] as string }
    : { year: year - 1, period: all[all.length - 1] as string };
}

/** Periods of the same length, in the order of the year. */
function listOf(period: string): readonly string[] {
  if (period === ANNUAL) return [ANNUAL];
  return period.endsWith('T') ? QUARTERLY : MONTHLY;
}

/** The periods from the one that has a day, up to and including another; empty when the day is after it. */
export function periodsUntil(last: TaxPeriod, day: string): TaxPeriod[] {
  const periods: TaxPeriod[] = [];
  for (let period = last; spanOf(period).to >= day; period = periodBefore(period)) periods.push(period);
  return periods.reverse();
}

/** The periods of its year up to and including one. */
export function periodsOfYear({ year, period }: TaxPeriod): TaxPeriod[] {
  const all = listOf(period);
  return all.slice(0, all.indexOf(period) + 1).map((each) => ({ year, period: each }));
}

/** Whether it is the last of its year, in which a refund can be asked for. */
export function isLast({ period }: TaxPeriod): boolean {
  return period === '4T' || period === '12';
}

/** Whether a day is in a period. */
export function contains(period: TaxPeriod, day: string): boolean {
  const { from, to } = spanOf(period);
  return from <= day && day <= to;
}

/** Of which length a company's VAT returns are. */
export type VatPeriods = 'months' | 'quarters';

/** Whether two days are of the same VAT return. */
export function inSameReturn(periods: VatPeriods, a: string, b: string): boolean {
  const year = Number(a.slice(0, 4));
  const own = (periods === 'months' ? MONTHLY : QUARTERLY).find((period) => contains({ year, period }, a));
  return own !== undefined && contains({ year, period: own }, b);
}

/** As people write periods: T1 and 1t mean 1T. */
export function normalPeriod(text: string): string {
  const upper = text.toUpperCase();
  return /^T[1-4]$/.test(upper) ? `${upper[1]}T` : upper;
}
