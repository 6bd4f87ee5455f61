/** Payment terms: when which part of an invoice is due. */
import { dayInMonth, daysAfter, endOfMonth } from '../days.ts';
import { type Decimal, decimal, round } from '../money.ts';

/** The most due dates of an invoice. */
export const MAX_INSTALMENTS = 60;

/** One due date of the terms. */
export interface TermLine {
  /** Of the total; null for the rest, which one line may have. */
  readonly percent: number | null;
  /** From the date of the invoice. */
  readonly days: number;
  /** Due at the end of the month that the days lead to. */
  readonly endOfMonth: boolean;
}

/** The days of the month on which a partner pays, if there are any; 31 is the last day of every month. */
export type PaymentDays = readonly number[];

/** A part of an invoice's total, and when it is due. */
export interface Instalment {
  /** From 1, by due date. */
  readonly number: number;
  readonly dueDate: string;
  readonly amount: Decimal;
}

/** Why lines are no terms; null if they are. */
export function faultOf(lines: readonly TermLine[]): string | null {
  const rests = lines.filter(({ percent }) => percent === null).length;
  const together = lines.reduce((total, { percent }) => total.plus(percent ?? 0), decimal(0));
  if (rests > 1) return 'must have one line at most for the rest, without a percentage';
  if (rests === 0 && !together.eq(100)) return `must add up to 100 %, not to ${together.toFixed()} %`;
  if (rests === 1 && together.gte(100)) return `leave nothing for the rest: they add up to ${together.toFixed()} %`;
  return null;
}

/** When a line is due: its days after the invoice, at the end of that month if it says so, and on a day on which the partner pays. */
export function dueDate(date: string, { days, endOfMonth: atEnd }: TermLine, paymentDays: PaymentDays = []): string {
  const counted = daysAfter(date, days);
  return nextPaymentDay(atEnd ? endOfMonth(counted) : counted, paymentDays);
}

/** The first day on or after the given one on which the partner pays. */
function nextPaymentDay(day: string, paymentDays: PaymentDays): string {
  if (paymentDays.length === 0) return day;
  const sorted = [...paymentDays].sort((one, other) => one - other);
  const inMonthOf = (month: string) => sorted.map((number) => dayInMonth(month, number));
  const next = daysAfter(endOfMonth(day), 1);
  return [...inMonthOf(day), ...inMonthOf(next)].find((candidate) => candidate >= day) as string;
}

/**
 * The instalments of an invoice, by due date. Parts due on one day are one. Each is rounded, and what is left over belongs to the line of
 * the rest, else to the last one, so that they add up exactly; none is below zero.
 * @param total greater than zero
 * @param places decimals of amounts
 */
export function instalmentsOf(
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

/** An instalment, and how much of it was settled by payments that name it. */
export interface NamedInstalment {
  readonly amount: Decimal;
  readonly settled: Decimal;
}

/**
 * What is open of each instalment, in order: what names none settles the earliest first. More than the whole makes the last negative, so
 * that together they are what is outstanding of the document.
 * @param settled of the document
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

/** What is open of an instalment. */
export interface OpenInstalment {
  readonly number: number;
  readonly outstanding: Decimal;
}

/** What is open after an amount is settled: of the named instalment, else of the earliest first. */
export function afterSettling(
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

/** What a percentage takes off a total, rounded. */
export function discountOf(total: Decimal, percent: Decimal, places: number): Decimal {
  return round(decimal(total).times(percent).div(100), places);
}
