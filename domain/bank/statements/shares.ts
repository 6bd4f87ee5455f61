/** Splits a statement line into parts whose amounts, signed like the line's, add up to it. */
import { type Decimal, decimal, sum } from '../../money.ts';

export type Shares =
  | { readonly amounts: readonly Decimal[] }
  /** More than one part has no amount: `index` is the second. */
  | { readonly fault: 'several_open'; readonly index: number }
  /** Nothing remains for the part without an amount, because the others add up to the line. */
  | { readonly fault: 'nothing_left'; readonly index: number }
  | { readonly fault: 'unbalanced'; readonly together: Decimal; readonly missing: Decimal };

/**
 * Computes the amounts of a line's parts. One part may omit its amount and gets the remainder, with the opposite sign
 * if the others exceed the line: a charge that the bank deducted.
 * @param total amount of the line
 * @param given null if omitted
 */
export function splitLine(total: Decimal, given: readonly (Decimal | null)[]): Shares {
  const together = sum(given.filter((amount) => amount !== null));
  const rest = decimal(total).minus(together);
  const open = given.indexOf(null);
  if (open < 0) {
    if (rest.eq(0)) return { amounts: given as readonly Decimal[] };
    return { fault: 'unbalanced', together: together.toFixed(), missing: rest.toFixed() };
  }
  const second = given.indexOf(null, open + 1);
  if (second >= 0) return { fault: 'several_open', index: second };
  if (rest.eq(0)) return { fault: 'nothing_left', index: open };
  return { amounts: given.map((amount) => amount ?? rest.toFixed()) };
}
