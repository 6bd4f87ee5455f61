/** What an employee will be paid in a month, as far as contracts and pay items tell: neither absences nor single payments. */
import { dayOf, daysIn } from '../days.ts';
import { type Decimal, decimal, sum } from '../money.ts';
import { overlap, type Span } from '../people/spans.ts';
import { extraPay, paidDays, salaryOf, yearlyExtras } from './monthly-pay.ts';
import { type PayLine, payslip } from './payslip.ts';
import { ratesOn } from './rates.ts';
import type { LineKind } from './types.ts';

/** The terms of a contract that decide what is paid. */
export interface AgreedPay extends Span {
  readonly contractType: 'indefinite' | 'temporary' | 'training';
  /** A week. */
  readonly workingHours: Decimal;
  /** Of a whole year; null: nothing is paid yet. */
  readonly grossAnnualSalary: Decimal | null;
  readonly payments: 12 | 14;
  readonly contributionGroup: number | null;
  readonly accidentRate: Decimal;
}

/** What is paid or taken each month. */
export interface AgreedItem extends Span {
  readonly kind: LineKind;
  readonly amount: Decimal;
}

export interface ExpectedPay {
  readonly gross: Decimal;
  /** Of the employee, for social security. */
  readonly contributions: Decimal;
}

const FULL_WEEK = '40';

/**
 * The pay of a month; nothing where no contract with salary and contribution group holds.
 * @param contracts by their first days, without overlaps
 * @throws RangeError for a month of which no rates are known
 */
export function expectedPay(
  contracts: readonly AgreedPay[],
  items: readonly AgreedItem[],
  year: number,
  month: number,
): ExpectedPay {
  const rates = ratesOn(dayOf(year, month, 1));
  if (rates === null) throw new RangeError(`There are no rates of ${year}-${month}.`);
  const within = spanOf(year, month, month);
  const half = spanOf(year, Math.max(1, month - 5), month);
  const lines: PayLine[] = [];
  let days = 0;
  for (const contract of contracts) {
    const { contributionGroup: group } = contract;
    if (contract.grossAnnualSalary === null || group === null) continue;
    const salary = { grossAnnualSalary: contract.grossAnnualSalary, payments: contract.payments, group };
    const paid = paidDays(year, month, overlap(contract, within), group);
    days += paid;
    lines.push({ kind: 'earning', amount: salaryOf(salary, year, month, paid) });
    lines.push({ kind: 'extra_pay', amount: extraPay(salary, year, month, overlap(contract, half)) });
  }
  const terms = contracts.findLast((contract) => overlap(contract, within) > 0);
  if (terms === undefined || terms.grossAnnualSalary === null || terms.contributionGroup === null) {
    return { gross: sum(lines.map(({ amount }) => amount)).toFixed(), contributions: '0' };
  }
  const given = items.filter((item) => item.kind !== 'deduction' && overlap(item, within) > 0);
  const { gross, employeeContributions } = payslip(
    {
      contract: terms.contractType === 'indefinite' ? 'indefinite' : 'temporary',
      group: terms.contributionGroup,
      accidentRate: terms.accidentRate,
      workingShare: shareOf(terms.workingHours),
      days: Math.min(days, paidDays(year, month, daysIn(year, month), terms.contributionGroup)),
      lines: [...lines, ...given],
      yearlyExtras: yearlyExtras({
        grossAnnualSalary: terms.grossAnnualSalary,
        payments: terms.payments,
        group: terms.contributionGroup,
      }),
      irpfRate: '0',
    },
    rates,
  );
  return { gross, contributions: employeeContributions.total };
}

function spanOf(year: number, first: number, last: number): Span & { readonly to: string } {
  return { from: dayOf(year, first, 1), to: dayOf(year, last, daysIn(year, last)) };
}

function shareOf(workingHours: Decimal): Decimal {
  const share = decimal(workingHours).div(FULL_WEEK);
  return share.gt(1) ? '1' : share.toFixed();
}
