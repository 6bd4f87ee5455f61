/** What a contract pays in a month: the salary by days, and the extra pays of June and December. */
import { daysIn } from '../days.ts';
import { type Decimal, decimal, round } from '../money.ts';
import { isDaily } from './contributions.ts';

export interface Salary {
  readonly grossAnnualSalary: Decimal;
  /** 12: the extra pays are part of each month; 14: one in June and one in December. */
  readonly payments: 12 | 14;
  /** The contribution group, 1 to 11. */
  readonly group: number;
}

/** Days of the calendar in a month. */
export interface CalendarDays {
  /** Under contract. */
  readonly held: number;
  /** Of them, those of unpaid leave. */
  readonly unpaid: number;
}

/**
 * The days of a month that are paid. In groups 1 to 7 a whole month has 30, a part of one those of the calendar, at most 30; each day of
 * unpaid leave takes one of them, but a day that was worked is paid.
 */
export function paidDays(year: number, month: number, { held, unpaid }: CalendarDays, group: number): number {
  if (isDaily(group) || held === unpaid) return held - unpaid;
  const most = held === daysIn(year, month) ? 30 : Math.min(30, held);
  return Math.max(1, most - unpaid);
}

/** The salary of so many paid days, without extra pays. */
export function salaryOf(
  { grossAnnualSalary, payments, group }: Salary,
  year: number,
  month: number,
  days: number,
): Decimal {
  const whole = isDaily(group) ? daysIn(year, month) : 30;
  return round(
    decimal(grossAnnualSalary)
      .times(days)
      .div(payments * whole),
    2,
  );
}

/** The extra pays of a year, which contributions spread over its months; none where each month has its part. */
export function yearlyExtras({ grossAnnualSalary, payments }: Salary): Decimal {
  return payments === 12 ? '0' : round(decimal(grossAnnualSalary).times(2).div(14), 2);
}

/**
 * The extra pay due in a month: in June for the first half of the year, in December for the second, by the days under contract.
 * @param worked days under contract in that half
 */
export function extraPay(
  { grossAnnualSalary, payments }: Salary,
  year: number,
  month: number,
  worked: number,
): Decimal {
  if (payments === 12 || (month !== 6 && month !== 12)) return '0';
  let half = 0;
  for (let index = month - 5; index <= month; index++) half += daysIn(year, index);
  return round(
    decimal(grossAnnualSalary)
      .times(worked)
      .div(14 * half),
    2,
  );
}
