/** Amounts of the model in whole cents, worked out with whole numbers only. */
import type { Line } from './paper.ts';

/** Tax rate of each item. */
export const TAX_PERCENTS = [21, 10];

export interface Totals {
  readonly subtotal: number;
  readonly discountTotal: number;
  readonly taxTotal: number;
  readonly total: number;
}

/** Each line is rounded, then the tax of each rate. */
export function documentTotals(lines: readonly Line[], taxPercents: readonly number[]): Totals {
  const byRate = new Map<number, number>();
  let [subtotal, gross] = [0, 0];
  for (const { item, quantity, price, discount } of lines) {
    const amount = rounded(quantity * 4 * price * (100 - discount), 400);
    const percent = taxPercents[item] as number;
    byRate.set(percent, (byRate.get(percent) ?? 0) + amount);
    subtotal += amount;
    gross += rounded(quantity * 4 * price, 4);
  }
  let taxTotal = 0;
  for (const [percent, base] of byRate) taxTotal += rounded(base * percent, 100);
  return { subtotal, discountTotal: gross - subtotal, taxTotal, total: subtotal + taxTotal };
}

/** Half away from zero. */
function rounded(whole: number, divisor: number): number {
  return Math.sign(whole) * Math.floor((2 * Math.abs(whole) + divisor) / (2 * divisor)) || 0;
}
