/** Splits amounts exactly, and groups values. */
import { type Decimal, decimal, round, sum } from '../money.ts';

/** Splits an amount by weights; the shares are rounded and add up to it, the last takes the remainder. */
export function distribute(amount: Decimal, weights: readonly Decimal[], places: number): Decimal[] {
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

/** Groups values by a key, in order of first appearance. */
export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** The canonical text of a rate, however many zeros it is written with. */
export function rateText(rate: Decimal): string {
  return decimal(rate).toFixed();
}
