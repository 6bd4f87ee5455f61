/** Payment terms: the due dates of an invoice and their amounts. */
import { dayInMonth, daysAfter, endOfMonth } from '../../days.ts';
import { type Decimal, decimal, round } from '../../money.ts';

/** Maximum number of due dates of an invoice. */
export const MAX_INSTALMENTS = 60;

/** One due date of the terms. */
export interface TermLine {
  /** Percentage of the total; null for the remainder, which only one line may take. */
  readonly percent: number | null;
  /** Days after the invoice date. */
  readonly days: number;
  /** Whether it is due at the end of the month in which those days end. */
  readonly endOfMonth: boolean;
}

/** Days of the month on which a partner pays, if fixed; 31 is the last day of every month. */
export type PaymentDays = readonly number[];

/** A part of an invoice's total with its due date. */
export interface Instalment {
  /** From 1, by due date. */
  readonly number: number;
  readonly dueDate: string;
  readonly amount: Decimal;
}

/** Explains why lines are not valid payment terms; null if they are valid. */
export function termsFault(lines: readonly TermLine[]): string | null {
  const rests = lines.filter(({ percent }) => percent === null).length;
  const together = lines.reduce((total, { percent }) => total.plus(percent ?? 0), decimal(0));
  if (rests > 1) return 'must have at most one line without a percentage, for the remainder';
  if (rests === 0 && !together.eq(100)) return `must add up to 100 %, not to ${together.toFixed()} %`;
  if (rests === 1 && together.gte(100))
    return `must add up to less than 100 % because one line takes the remainder, not to ${together.toFixed()} %`;
  return null;
}

/**
 * The due date of a line: its days after the invoice, at the end of that month if it says so, and then on the partner's
 * next payment day.
 */
export function dueDate(date: string, { days, endOfMonth: atEnd }: TermLine, paymentDays: PaymentDays = []): string {
  const counted = daysAfter(date, days);
  return nextPaymentDay(atEnd ? endOfMonth(counted) : counted, paymentDays);
}

/** The first day on or after the given one on which the partner pays. */
function nextPaymentDay(day: string, paymentDays: PaymentDays): string {
  if (paymentDays.length === 0) return day;
  const sorted = [...paymentDays].sort((one, other) => one - other);
  const daysInMonth = (month: string) => sorted.map((number) => dayInMonth(month, number));
  const next = daysAfter(endOfMonth(day), 1);
  return [...daysInMonth(day), ...daysInMonth(next)].find((candidate) => candidate >= day) as string;
}

/**
 * Splits an invoice into instalments, by due date; parts with the same due date are merged. Each amount is rounded. The
 * rounding difference goes to the remainder line, or else to the last one, so that they add up exactly. None is
 * negative.
 * @param total greater than zero
 * @param places decimals of amounts
 */
export function computeInstalments(
  { date, total, places }: { readonly date: string; readonly total: Decimal; readonly places: number },
  lines: readonly TermLine[],
  paymentDays: PaymentDays,
): Instalment[] {
  const rest = lines.findIndex(({ percent }) => percent === null);
  const filler = rest < 0 ? lines.length - 1 : rest;
  const byDay = new Map<string, Decimal>();
  const add = (index: number, amount: Decimal) => {
    const day = dueDate(date, lines[index] as TermLine, paymentDays);
    byDay.set(
      day,
      decimal(byDay.get(day) ?? '0')
        .plus(amount)
        .toFixed(),
    );
  };
  let left = decimal(total);
  lines.forEach(({ percent }, index) => {
    if (index === filler) return;
    const share = decimal(
      round(
        decimal(total)
          .times(percent ?? 0)
          .div(100),
        places,
      ),
    );
    const amount = share.lt(left) ? share : left;
    left = left.minus(amount);
    add(index, amount.toFixed());
  });
  add(filler, left.toFixed());
  return [...byDay]
    .filter(([, amount]) => !decimal(amount).eq(0))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, amount], index) => ({ number: index + 1, dueDate: day, amount }));
}

/** An instalment with the sum of the payments that name it. */
export interface NamedInstalment {
  readonly amount: Decimal;
  readonly settled: Decimal;
}

/**
 * Computes the open amount of each instalment, in order. Payments that name no instalment settle the earliest first. What was taken back
 * beyond what was settled is open with the first one, and an overpayment makes the last one negative, so that the open amounts always add
 * up to the outstanding amount of the document.
 * @param settled total settled of the document
 */
export function openAmounts(instalments: readonly NamedInstalment[], settled: Decimal): Decimal[] {
  let left = instalments.reduce((rest, one) => rest.minus(one.settled), decimal(settled));
  return instalments.map((one, index) => {
    const open = decimal(one.amount).minus(one.settled);
    const last = index === instalments.length - 1;
    const covered = last || left.lt(open) ? left : open;
    left = left.minus(covered);
    return open.minus(covered).toFixed();
  });
}

/** The open part of an instalment. */
export interface OpenInstalment {
  readonly number: number;
  readonly outstanding: Decimal;
}

/** Reduces the open amounts by a settlement: of the named instalment, otherwise of the earliest first. */
export function settleOpenInstalments(
  open: readonly OpenInstalment[],
  amount: Decimal,
  named: number | null,
): OpenInstalment[] {
  let left = decimal(amount);
  return open.map((one) => {
    if (named !== null && one.number !== named) return one;
    const part = left.lt(one.outstanding) ? left : decimal(one.outstanding);
    left = left.minus(part);
    return { ...one, outstanding: decimal(one.outstanding).minus(part).toFixed() };
  });
}

/** The discount on a total at a percentage, rounded. */
export function discountAmount(total: Decimal, percent: Decimal, places: number): Decimal {
  return round(decimal(total).times(percent).div(100), places);
}
