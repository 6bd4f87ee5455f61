/** Estimates money that nobody owes yet, but that will probably move. */
import { dayInMonth, monthsAfter } from '../../../days.ts';
import { groupBy } from '../../../group-by.ts';
import { type Decimal, decimal } from '../../../money.ts';
import type { Flow } from './expected.ts';

/** Entries of a month on the same accounts, apart from money accounts. */
export interface MonthlyEntry {
  /** The accounts. */
  readonly key: string;
  /** Its first day. */
  readonly month: string;
  readonly lastDate: string;
  /** Positive for incoming money. */
  readonly amount: Decimal;
}

/** Months in which an entry must recur before it is expected again, and how far its amounts may differ. */
export const RECURRING_MONTHS = 3;
const SPREAD = '0.1';

/** Expects entries that recurred in each of the last months with about the same amount to continue, on the day of the last one. */
export function recurringFlows(entries: readonly MonthlyEntry[], today: string, to: string): Flow[] {
  const thisMonth = `${today.slice(0, 8)}01`;
  const months = Array.from({ length: RECURRING_MONTHS }, (_, index) => monthsAfter(thisMonth, -1 - index));
  return [...groupBy(entries, ({ key }) => key).values()].flatMap((list) => {
    const past = months.map((month) => list.find((entry) => entry.month === month));
    const [last] = past;
    if (last === undefined || !past.every((entry) => entry !== undefined && isNear(entry.amount, last.amount))) {
      return [];
    }
    const flows: Flow[] = [];
    const hasCome = list.some(({ month }) => month === thisMonth);
    for (let month = hasCome ? monthsAfter(thisMonth, 1) : thisMonth; ; month = monthsAfter(month, 1)) {
      const date = dayInMonth(month, Number(last.lastDate.slice(8)));
      if (date > to) return flows;
      const direction = decimal(last.amount).gt(0) ? 'in' : 'out';
      flows.push({
        ...{ date: date < today ? today : date, amount: last.amount, source: 'recurring', id: null },
        ...{ direction, partnerName: null, guess: true },
      });
    }
  });
}

function isNear(one: Decimal, other: Decimal): boolean {
  const bound = decimal(other).abs().times(SPREAD);
  return decimal(one).times(other).gt(0) && decimal(one).minus(other).abs().lte(bound);
}

/** VAT of a quarter; positive if it must be paid. */
export interface QuarterVat {
  /** Its first day. */
  readonly quarter: string;
  readonly amount: Decimal;
}

/** Forecasts VAT payments: on the 20th after each quarter, for the last quarter on 30 January (Spanish VAT regulation, art. 71.4). */
export function vatFlows(quarters: readonly QuarterVat[], today: string): Flow[] {
  return quarters.flatMap(({ quarter, amount }) => {
    const next = monthsAfter(quarter, 3);
    const date = `${next.slice(0, 8)}${next.slice(5, 7) === '01' ? '30' : '20'}`;
    if (date < today || decimal(amount).lte(0)) return [];
    const paid = decimal(amount).neg().toFixed();
    return [{ date, amount: paid, source: 'vat', id: null, direction: 'out', partnerName: null, guess: true }];
  });
}
