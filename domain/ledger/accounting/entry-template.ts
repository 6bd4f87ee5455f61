/** Templates of entries: each line has a percentage of the amount that is entered, or an amount of its own. */
import { type Decimal, decimal, distribute, round, sum } from '../../money.ts';
import type { Side } from './entries.ts';

/** Sides of an entry. */
export const SIDES = ['debit', 'credit'] as const satisfies readonly Side[];

/** A line of a template. It has either a percentage or an amount. */
export interface TemplateLine {
  readonly accountId: string;
  readonly side: Side;
  readonly percent: number | null;
  readonly amount: number | null;
  readonly partnerId: string | null;
  readonly costCenterId: string | null;
  readonly projectId: string | null;
  readonly description: string | null;
}

type Shares = Pick<TemplateLine, 'side' | 'percent' | 'amount'>;

/** Says in words why entries by these lines would not balance, whatever the amount; null if they would. */
export function balanceFault(lines: readonly Shares[]): string | null {
  const percents = sides(lines, 'percent');
  if (percents.debit !== percents.credit)
    return `must have equal percentages on both sides: debit ${percents.debit}, credit ${percents.credit}`;
  const amounts = sides(lines, 'amount');
  if (amounts.debit !== amounts.credit)
    return `must have equal amounts on both sides: debit ${amounts.debit}, credit ${amounts.credit}`;
  return null;
}

/** Whether an amount must be given. */
export function needsAmount(lines: readonly Pick<TemplateLine, 'percent'>[]): boolean {
  return lines.some(({ percent }) => percent !== null);
}

/**
 * The amount of each line. Shares of a side are rounded and add up to that side's share of the amount, so that both sides are equal.
 * @param amount of which lines take percentages
 * @param places decimals of amounts
 */
export function templateAmounts(lines: readonly TemplateLine[], amount: Decimal, places: number): Decimal[] {
  const shares = new Map<TemplateLine, Decimal>();
  for (const side of SIDES) {
    const sharing = lines.filter((line) => line.side === side && line.percent !== null);
    const weights = sharing.map(({ percent }) => decimal(percent ?? 0).toFixed());
    const whole = round(decimal(amount).times(sum(weights)).div(100), places);
    distribute(whole, weights, places).forEach((share, index) => {
      const line = sharing[index];
      if (line !== undefined) shares.set(line, share);
    });
  }
  return lines.map((line) => shares.get(line) ?? decimal(line.amount ?? 0).toFixed());
}

/** Sums of the percentages, or amounts, of each side. */
function sides(lines: readonly Shares[], member: 'percent' | 'amount'): Readonly<Record<Side, Decimal>> {
  const total = (side: Side) =>
    sum(lines.filter((line) => line.side === side).map((line) => line[member] ?? 0)).toFixed();
  return { debit: total('debit'), credit: total('credit') };
}
