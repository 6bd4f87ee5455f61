/** Computes a contract's pay in a month: the salary by days, and the extra pays of June and December. */
import { daysIn } from '../../days.ts';
import { type Decimal, type DecimalInput, decimal, type Exact, round } from '../../money.ts';
import { isDaily } from './contributions.ts';

export interface Salary {
  readonly grossAnnualSalary: Decimal;
  /** 12: extra pays are part of each month; 14: one in June and one in December. */
  readonly payments: 12 | 14;
  /** The contribution group, 1 to 11. */
  readonly group: number;
}

/** Days in a month. */
export interface DaysHeld {
  /** Calendar days under contract. */
  readonly held: number;
  /** Days of unpaid leave among them, halves included. */
  readonly unpaid: Exact;
}

const PLACES = 2;

/**
 * The paid days of a month. In groups 1 to 7 a whole month has 30, a partial one its calendar days, at most 30; each
 * day of unpaid leave takes one of them, half a day a half, but a worked day is always paid.
 * @returns days, with two decimals
 */
export function paidDays(year: number, month: number, { held, unpaid }: DaysHeld, group: number): Decimal {
  const worked = decimal(held).minus(unpaid);
  if (isDaily(group) || worked.eq(0)) return round(worked, PLACES);
  const most = held === daysIn(year, month) ? 30 : Math.min(30, held);
  const least = worked.gt(1) ? decimal(1) : worked;
  const rest = decimal(most).minus(unpaid);
  return round(rest.lt(least) ? least : rest, PLACES);
}

/** The days of a stored payroll: `days` are whole, `paidDays` exact where they are stored. */
export function storedDays({ days, paidDays }: { readonly days: number; readonly paidDays: Decimal | null }): Decimal {
  return paidDays ?? decimal(days).toFixed();
}

/** The salary for a number of paid days, without extra pays. */
export function salaryFor(
  { grossAnnualSalary, payments, group }: Salary,
  year: number,
  month: number,
  days: DecimalInput,
): Decimal {
  const whole = isDaily(group) ? daysIn(year, month) : 30;
  return round(
    decimal(grossAnnualSalary)
      .times(days)
      .div(payments * whole),
    2,
  );
}

/** The extra pays of a year, spread over its months for contributions; none if each month includes its part. */
export function yearlyExtras({ grossAnnualSalary, payments }: Salary): Decimal {
  return payments === 12 ? '0' : round(decimal(grossAnnualSalary).times(2).div(14), 2);
}

/**
 * The extra pay due in a month: in June for the first half-year, in December for the second, by days under contract.
 * @param worked days under contract in that half-year
 */
export function extraPay(
  { grossAnnualSalary, payments }: Salary,
  year: number,
  month: number,
  worked: DecimalInput,
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
