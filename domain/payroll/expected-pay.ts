/** What an employee is still to be paid in a year, as far as contracts, pay items and leave tell. */
import { dayOf, daysIn } from '../days.ts';
import { type Decimal, sum } from '../money.ts';
import { overlap, type Span } from '../people/spans.ts';
import { figuresOf, type MonthInput, monthPay } from './month.ts';
import { ratesOn } from './rates.ts';
import type { PayrollLine } from './types.ts';

/** What was agreed, over all time. */
export interface Agreed extends Pick<MonthInput, 'endDate' | 'contracts' | 'leave'> {
  readonly items: readonly (PayrollLine & Span)[];
}

export interface ExpectedPay {
  readonly gross: Decimal;
  /** Of the employee, for social security. */
  readonly contributions: Decimal;
}

/** The lines are not shown to anybody. */
const NAMES = { salary: '', extraPay: '' };

/**
 * The pay of some months of a year. A month that cannot be worked out, such as one without contract, pays nothing.
 * @throws RangeError for a year of which no rates are known
 */
export function expectedPay(agreed: Agreed, year: number, months: readonly number[]): ExpectedPay {
  const pays = months.map((month) => payOf(agreed, year, month)).filter((pay) => pay !== null);
  return {
    gross: sum(pays.map(({ gross }) => gross)).toFixed(),
    contributions: sum(pays.map(({ employeeContributions }) => employeeContributions.total)).toFixed(),
  };
}

function payOf({ endDate, contracts, leave, items }: Agreed, year: number, month: number) {
  const rates = ratesOn(dayOf(year, month, 1));
  if (rates === null) throw new RangeError(`There are no rates of ${year}.`);
  const last = dayOf(year, month, daysIn(year, month));
  const within = { from: dayOf(year, month, 1), to: last };
  const half = { from: dayOf(year, month <= 6 ? 1 : 7, 1), to: last };
  const pay = monthPay(
    {
      year,
      month,
      endDate,
      contracts: contracts.filter((contract) => overlap(contract, half) > 0),
      leave,
      items: items.filter((item) => overlap(item, within) > 0),
    },
    NAMES,
  );
  return typeof pay === 'string' ? null : figuresOf(pay, rates);
}
