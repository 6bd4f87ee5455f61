/** Reminders of overdue invoices: which level is next, and what is claimed. */
import { daysBetween } from '../../days.ts';
import { type Decimal, decimal, round, sum } from '../../money.ts';

export interface Level {
  readonly level: number;
  /** Days overdue from which it is reached. */
  readonly days: number;
  readonly fee: Decimal;
  /** A year, in percent; null for none (Ley 3/2004, art. 7: the rate of the European Central Bank plus eight points). */
  readonly interestPercent: Decimal | null;
}

/** An overdue invoice, with the level of its last reminder (0 for none). */
export interface Overdue {
  readonly documentId: string;
  readonly code: string;
  readonly dueDate: string;
  readonly outstanding: Decimal;
  readonly level: number;
  /** The day on which it reached that level; null for none. */
  readonly remindedOn: string | null;
}

/** An invoice in a reminder. */
export interface DunnedInvoice {
  readonly documentId: string;
  readonly code: string;
  readonly dueDate: string;
  readonly days: number;
  readonly outstanding: Decimal;
  readonly interest: Decimal;
  readonly level: number;
}

export interface Reminder {
  /** The highest level of its invoices. */
  readonly level: number;
  readonly invoices: readonly DunnedInvoice[];
  /** Each that reaches a new level, with that level. */
  readonly raised: readonly Pick<DunnedInvoice, 'documentId' | 'level'>[];
  readonly outstanding: Decimal;
  readonly interest: Decimal;
  readonly fee: Decimal;
  readonly total: Decimal;
}

/**
 * The level after the present one, if it is reached; else the same. Levels are taken one at a time, and as many days apart as in the
 * list, at least one: so each gets its answer, however late the invoice was found and however often reminders are made.
 */
function nextLevel(invoice: Overdue, days: number, levels: readonly Level[], today: string): number {
  const { level: current, remindedOn } = invoice;
  const inOrder = [...levels].sort((one, other) => one.level - other.level);
  const next = inOrder.find(({ level }) => level > current);
  if (next === undefined || days < next.days) return current;
  if (remindedOn === null) return next.level;
  const reached = inOrder.findLast(({ level }) => level <= current)?.days ?? 0;
  const apart = Math.max(1, next.days - reached);
  return daysBetween(remindedOn, today) >= apart ? next.level : current;
}

/** Interest of a simple year of 365 days. */
export function overdueInterest(outstanding: Decimal, days: number, percent: Decimal, places: number): Decimal {
  return round(decimal(outstanding).times(percent).times(days).div(36_500), places);
}

/** The invoices that are claimed after open credits and payments on account, which pay the oldest first. @param overdue the oldest first */
export function lessCredit(overdue: readonly Overdue[], credit: Decimal): Overdue[] {
  let left = decimal(credit);
  return overdue.flatMap((invoice): Overdue[] => {
    const paid = left.lt(invoice.outstanding) ? left : decimal(invoice.outstanding);
    left = left.minus(paid);
    const outstanding = decimal(invoice.outstanding).minus(paid);
    return outstanding.gt(0) ? [{ ...invoice, outstanding: outstanding.toFixed() }] : [];
  });
}

/**
 * Makes the reminder of a customer: of all invoices that are overdue, if one reaches a new level.
 * @param overdue of one customer and currency
 * @param places decimals of amounts
 * @returns null if there is nothing new to say
 */
export function remind(
  overdue: readonly Overdue[],
  levels: readonly Level[],
  today: string,
  places: number,
): Reminder | null {
  const reached = overdue.map((invoice) => {
    const days = daysBetween(invoice.dueDate, today);
    return { ...invoice, days, next: nextLevel(invoice, days, levels, today) };
  });
  const raised = reached
    .filter(({ level, next }) => next > level)
    .map(({ documentId, next }) => ({ documentId, level: next }));
  if (raised.length === 0) return null;
  const highest = Math.max(...reached.map(({ next }) => next));
  const { interestPercent = null } = levels.find(({ level }) => level === highest) ?? {};
  // A fee is claimed once for each level, not again in each letter for another invoice.
  const newest = Math.max(...raised.map(({ level }) => level));
  const fee = levels.find(({ level }) => level === newest)?.fee ?? '0';
  const invoices = reached.map(({ level: _, remindedOn: __, next, ...invoice }) => ({
    ...invoice,
    level: next,
    interest:
      interestPercent === null ? '0' : overdueInterest(invoice.outstanding, invoice.days, interestPercent, places),
  }));
  const outstanding = sum(invoices.map((each) => each.outstanding));
  const interest = sum(invoices.map((each) => each.interest));
  return {
    level: highest,
    invoices,
    raised,
    outstanding: outstanding.toFixed(),
    interest: interest.toFixed(),
    fee,
    total: outstanding.plus(interest).plus(fee).toFixed(),
  };
}
