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
  readonly outstanding: Decimal;
  readonly interest: Decimal;
  readonly fee: Decimal;
  readonly total: Decimal;
}

/** The level after one, if it is reached; else the same. Levels are taken one at a time, so that each gets its answer. */
function nextLevel(current: number, days: number, levels: readonly Level[]): number {
  const next = [...levels].sort((one, other) => one.level - other.level).find(({ level }) => level > current);
  return next !== undefined && days >= next.days ? next.level : current;
}

/** Interest of a simple year of 365 days. */
export function overdueInterest(outstanding: Decimal, days: number, percent: Decimal, places: number): Decimal {
  return round(decimal(outstanding).times(percent).times(days).div(36_500), places);
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
    return { ...invoice, days, next: nextLevel(invoice.level, days, levels) };
  });
  if (!reached.some(({ level, next }) => next > level)) return null;
  const highest = Math.max(...reached.map(({ next }) => next));
  const { fee = '0', interestPercent = null } = levels.find(({ level }) => level === highest) ?? {};
  const invoices = reached.map(({ level: _, next, ...invoice }) => ({
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
    outstanding: outstanding.toFixed(),
    interest: interest.toFixed(),
    fee,
    total: outstanding.plus(interest).plus(fee).toFixed(),
  };
}
