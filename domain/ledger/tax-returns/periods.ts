/** Periods of tax returns: quarters 1T to 4T and months 01 to 12 of calendar years, and whole years 0A. */
import { daysIn, formatDay } from '../../days.ts';

export const MONTHLY = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'] as const;
export const QUARTERLY = ['1T', '2T', '3T', '4T'] as const;
export const ANNUAL = '0A';

/** A period of a year. */
export interface TaxPeriod {
  readonly year: number;
  /** 01 to 12, 1T to 4T, 0A. */
  readonly period: string;
}

/** First and last day of a period. */
export function periodSpan({ year, period }: TaxPeriod): { readonly from: string; readonly to: string } {
  const [first, last] = periodMonths(period);
  return { from: formatDay(year, first, 1), to: formatDay(year, last, daysIn(year, last)) };
}

function periodMonths(period: string): readonly [first: number, last: number] {
  if (period === ANNUAL) return [1, 12];
  if (!period.endsWith('T')) return [Number(period), Number(period)];
  const last = Number(period[0]) * 3;
  return [last - 2, last];
}

/** The preceding period of the same length: 4T of the previous year precedes 1T. */
export function periodBefore({ year, period }: TaxPeriod): TaxPeriod {
  const all = periodsOfLength(period);
  const index = all.indexOf(period);
  return index > 0
    ? { year, period: all[index - 1] as string }
    : { year: year - 1, period: all[all.length - 1] as string };
}

/** All periods of the same length within a year. */
function periodsOfLength(period: string): readonly string[] {
  if (period === ANNUAL) return [ANNUAL];
  return period.endsWith('T') ? QUARTERLY : MONTHLY;
}

/** The period of the same length that contains a day. */
export function periodContaining(length: string, day: string): TaxPeriod {
  const year = Number(day.slice(0, 4));
  const period = periodsOfLength(length).find((each) => contains({ year, period: each }, day));
  return { year, period: period as string };
}

/** Lists the periods from that of a day up to and including another; empty when the day is later. */
export function periodsUntil(last: TaxPeriod, day: string): TaxPeriod[] {
  const periods: TaxPeriod[] = [];
  for (let period = last; periodSpan(period).to >= day; period = periodBefore(period)) periods.push(period);
  return periods.reverse();
}

/** Lists the periods of its year up to and including one. */
export function periodsOfYear({ year, period }: TaxPeriod): TaxPeriod[] {
  const all = periodsOfLength(period);
  return all.slice(0, all.indexOf(period) + 1).map((each) => ({ year, period: each }));
}

/** Whether a period is the last of its year, in which a refund can be requested. */
export function isLast({ period }: TaxPeriod): boolean {
  return period === '4T' || period === '12';
}

/** Whether a period is a month. */
export function isMonth(period: string): boolean {
  return /^\d\d$/.test(period);
}

/** Whether a day is in a period. */
export function contains(period: TaxPeriod, day: string): boolean {
  const { from, to } = periodSpan(period);
  return from <= day && day <= to;
}

/** Length of a company's VAT periods. */
export type VatPeriods = 'months' | 'quarters';

/** Whether two days belong to the same VAT return. */
export function inSameReturn(periods: VatPeriods, a: string, b: string): boolean {
  const year = Number(a.slice(0, 4));
  const own = (periods === 'months' ? MONTHLY : QUARTERLY).find((period) => contains({ year, period }, a));
  return own !== undefined && contains({ year, period: own }, b);
}

/** Normalizes a period as people write it: T1 and 1t mean 1T. */
export function normalPeriod(text: string): string {
  const upper = text.toUpperCase();
  return /^T[1-4]$/.test(upper) ? `${upper[1]}T` : upper;
}
