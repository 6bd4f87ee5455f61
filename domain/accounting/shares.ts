/** Parts of amounts, to the last decimal, and what belongs together. */
import { type Decimal, decimal, round, sum } from '../money.ts';

/** Shares an amount by the given weights, rounded so that the shares add up to it; the last takes what is left. */
export function shared(amount: Decimal, weights: readonly Decimal[], places: number): Decimal[] {
  const whole = sum(weights);
  let weight = decimal(0);
  let given = decimal(0);
  return weights.map((part, index) => {
    weight = weight.plus(part);
    const until =
      index === weights.length - 1 || whole.eq(0)
        ? decimal(index === weights.length - 1 ? amount : 0)
        : decimal(round(decimal(amount).times(weight).div(whole), places));
    const share = until.minus(given);
    given = until;
    return share.toFixed();
  });
}

/** The values by a key, in the order in which they come. */
export function grouped<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** The one text of a rate, however many zeros it is written with. */
export function rateText(rate: Decimal): string {
  return decimal(rate).toFixed();
}
