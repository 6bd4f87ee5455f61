/** Builds a forecast by week. */
import { daysAfter } from '../../../days.ts';
import { groupBy } from '../../../group-by.ts';
import { type Decimal, decimal, sum } from '../../../money.ts';
import type { Flow } from './expected.ts';

/** Money received and paid on a day. */
export interface Settled {
  readonly date: string;
  readonly inflow: Decimal;
  readonly outflow: Decimal;
}

export interface Week {
  /** Its Monday. */
  readonly start: string;
  readonly inflow: Decimal;
  readonly outflow: Decimal;
  /** Balance at the end of the week, without estimates. */
  readonly balance: Decimal;
  /** Total of the week's estimates, and the balance including all of them so far. */
  readonly guessed: Decimal;
  readonly balanceWithGuesses: Decimal;
  readonly flows: readonly Flow[];
}

/** The Monday of a date's week. */
export function mondayBefore(day: string): string {
  return daysAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/**
 * Lists the largest flows of a week by day, and the smaller ones that are owed; smaller estimates are in the week's total alone.
 * @param most maximum listed
 */
export function largestFlows(
  flows: readonly Flow[],
  most: number,
): { readonly listed: readonly Flow[]; readonly others: readonly Flow[] } {
  const bySize = flows.toSorted((a, b) => decimal(b.amount).abs().cmp(decimal(a.amount).abs()));
  return {
    listed: bySize.slice(0, most).toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)),
    others: bySize.slice(most).filter(({ guess }) => !guess),
  };
}

/** Builds the weeks of a period. @param opening the balance before it */
export function buildWeeks(
  { from, to }: { readonly from: string; readonly to: string },
  opening: Decimal,
  settled: readonly Settled[],
  flows: readonly Flow[],
): Week[] {
  const settledIn = groupBy(settled, ({ date }) => mondayBefore(date));
  const flowsIn = groupBy(flows, ({ date }) => mondayBefore(date));
  const weeks: Week[] = [];
  let balance = decimal(opening);
  let guesses = decimal(0);
  for (let start = mondayBefore(from); start <= to; start = daysAfter(start, 7)) {
    const ofWeek = flowsIn.get(start) ?? [];
    const past = settledIn.get(start) ?? [];
    const certain = ofWeek.filter(({ guess }) => !guess).map(({ amount }) => decimal(amount));
    const inflow = sum([...certain.filter((amount) => amount.gt(0)), ...past.map((day) => day.inflow)]);
    const outflow = sum([
      ...certain.filter((amount) => amount.lt(0)).map((amount) => amount.neg()),
      ...past.map((day) => day.outflow),
    ]);
    const guessed = sum(ofWeek.filter(({ guess }) => guess).map(({ amount }) => amount));
    balance = balance.plus(inflow).minus(outflow);
    guesses = guesses.plus(guessed);
    weeks.push({
      start,
      inflow: inflow.toFixed(),
      outflow: outflow.toFixed(),
      balance: balance.toFixed(),
      guessed: guessed.toFixed(),
      balanceWithGuesses: balance.plus(guesses).toFixed(),
      flows: ofWeek,
    });
  }
  return weeks;
}
