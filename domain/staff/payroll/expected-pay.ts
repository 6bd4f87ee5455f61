/** Computes an employee's remaining pay in a year, as determined by contracts, pay items and leave. */
import { daysIn, formatDay } from '../../days.ts';
import { type Decimal, sum } from '../../money.ts';
import { overlap, type Span } from '../../records/people/spans.ts';
import { type MonthInput, monthPay, payslipFigures } from './month.ts';
import { ratesOn } from './rates.ts';
import type { PayrollLine } from './types.ts';

/** All contracts, pay items and leave of an employee. */
export interface Agreed extends Pick<MonthInput, 'endDate' | 'contracts' | 'leave'> {
  readonly items: readonly (PayrollLine & Span)[];
}

export interface ExpectedPay {
  readonly gross: Decimal;
  /** The employee's social security contributions. */
  readonly contributions: Decimal;
}

/** The lines are not shown to anyone. */
const NAMES = { salary: '', extraPay: '' };

/**
 * Computes the pay of some months of a year. A month that cannot be computed, such as one without contract, has no pay.
 * @throws RangeError for a year without known rates
 */
export function expectedPay(agreed: Agreed, year: number, months: readonly number[]): ExpectedPay {
  const pays = months.map((month) => monthFigures(agreed, year, month)).filter((pay) => pay !== null);
  return {
    gross: sum(pays.map(({ gross }) => gross)).toFixed(),
    contributions: sum(pays.map(({ employeeContributions }) => employeeContributions.total)).toFixed(),
  };
}

function monthFigures({ endDate, contracts, leave, items }: Agreed, year: number, month: number) {
  const rates = ratesOn(formatDay(year, month, 1));
  if (rates === null) throw new RangeError(`There are no rates of ${year}.`);
  const last = formatDay(year, month, daysIn(year, month));
  const within = { from: formatDay(year, month, 1), to: last };
  const half = { from: formatDay(year, month <= 6 ? 1 : 7, 1), to: last };
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
  return typeof pay === 'string' ? null : payslipFigures(pay, rates);
}
