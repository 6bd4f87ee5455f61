/** Splits a statement line into parts: their amounts, signed like the line's, add up to it. */
import { type Decimal, decimal, sum } from '../money.ts';

export type Shares =
  | { readonly amounts: readonly Decimal[] }
  /** More than one part has no amount: the one at `index` is the second. */
  | { readonly fault: 'several_open'; readonly index: number }
  /** The part without an amount gets nothing, since the others make the line already. */
  | { readonly fault: 'nothing_left'; readonly index: number }
  | { readonly fault: 'unbalanced'; readonly together: Decimal; readonly missing: Decimal };

/**
 * The amounts of a line's parts. One part may leave its amount open and gets the remainder, which has the opposite sign if the others
 * exceed the line: a charge kept back by the bank.
 * @param total amount of the line
 * @param given null where open
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
