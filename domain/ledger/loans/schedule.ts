/** Schedules of loans that are paid back in monthly instalments at a fixed rate. */
import { dayInMonth, daysBetween, monthsAfter } from '../../days.ts';
import { type Decimal, decimal, round, sum } from '../../money.ts';

/**
 * french: constant instalments; linear: constant principal; bullet: interest alone, and all principal at the end.
 */
export const LOAN_METHODS = ['french', 'linear', 'bullet'] as const;
export type LoanMethod = (typeof LOAN_METHODS)[number];

/** planned: not drawn yet. */
export const LOAN_STATUSES = ['planned', 'drawn', 'repaid'] as const;
export type LoanStatus = (typeof LOAN_STATUSES)[number];

const MOVEMENT_KINDS = ['drawing', 'takeover', 'instalment', 'repayment', 'reclassification'] as const;
export type LoanMovementKind = (typeof MOVEMENT_KINDS)[number];

interface LoanTerms {
  readonly method: LoanMethod;
  /** Nominal rate of a year in percent; a month has a twelfth of it. */
  readonly annualRate: Decimal;
  /** The day of the month on which instalments are due, 31 for its last one. */
  readonly dueDay: number;
}

/** The part of a loan that is not paid back. */
interface LoanLeft {
  readonly outstanding: Decimal;
  /** Instalments that are left, at most. */
  readonly instalments: number;
  /** French: each instalment; linear: the principal of each; bullet: 0. The last one differs. */
  readonly payment: Decimal;
  readonly nextDueOn: string;
  /** Months for which the next instalment pays interest, 1 by default. */
  readonly interestMonths?: Decimal;
}

export interface Instalment {
  readonly date: string;
  readonly interest: Decimal;
  readonly principal: Decimal;
  /** Outstanding principal after it. */
  readonly outstanding: Decimal;
}

/** Digits of the growth factor: far more than any amount needs, while the power stays small. */
const DIGITS = 40;

/** The payment of a month by which a loan is paid back in a number of instalments, rounded. */
export function monthlyPayment(
  { method, annualRate }: LoanTerms,
  principal: Decimal,
  instalments: number,
  places: number,
): Decimal {
  if (method === 'bullet') return '0';
  const rate = decimal(annualRate).div(1200);
  if (method === 'linear' || rate.eq(0)) return round(decimal(principal).div(instalments), places);
  let growth = decimal(1);
  for (let month = 0; month < instalments; month++) growth = growth.times(rate.plus(1)).round(DIGITS);
  return round(decimal(principal).times(rate).times(growth).div(growth.minus(1)), places);
}

/**
 * The months from the drawing to the first instalment, whose interest is of all of them: days beyond whole months are thirtieths. The
 * principal of the first instalment is that of a single month.
 */
export function monthsToFirst(startsOn: string, firstDueOn: string): Decimal {
  const after = (months: number) => dayInMonth(monthsAfter(startsOn, months), Number(startsOn.slice(8)));
  let whole = 0;
  while (after(whole + 1) <= firstDueOn) whole++;
  return decimal(daysBetween(after(whole), firstDueOn))
    .div(30)
    .plus(whole)
    .toFixed();
}

/** The instalments that are left. The last one pays what is outstanding. */
export function schedule(terms: LoanTerms, left: LoanLeft, places: number): Instalment[] {
  const instalments: Instalment[] = [];
  let outstanding = decimal(left.outstanding);
  for (let index = 0; index < left.instalments && outstanding.gt(0); index++) {
    const ofMonth = outstanding.times(terms.annualRate).div(1200);
    const months = index === 0 ? (left.interestMonths ?? '1') : '1';
    const interest = decimal(round(ofMonth.times(months), places));
    const usual = decimal(round(ofMonth, places));
    const share = terms.method === 'french' ? decimal(left.payment).minus(usual) : decimal(left.payment);
    const isLast = index === left.instalments - 1 || share.gte(outstanding);
    const principal = isLast ? outstanding : share;
    outstanding = outstanding.minus(principal);
    const date = dueDate(left.nextDueOn, index, terms.dueDay);
    instalments.push({
      ...{ date, interest: interest.toFixed(), principal: principal.toFixed(), outstanding: outstanding.toFixed() },
    });
  }
  return instalments;
}

/** The day on which an instalment is due some months after another one. */
function dueDate(from: string, months: number, dueDay: number): string {
  return months === 0 ? from : dayInMonth(monthsAfter(from, months), dueDay);
}

/** The principal that is due until a day, which is short-term debt if the day is a year later (PGC, part 3, 6th: accounts 17 and 52). */
export function dueUntil(instalments: readonly Instalment[], day: string): Decimal {
  return sum(instalments.filter(({ date }) => date <= day).map(({ principal }) => principal)).toFixed();
}
