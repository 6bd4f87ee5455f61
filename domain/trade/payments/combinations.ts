/** Finds the only combination of amounts with a given total, or gives up if there are too many to try. */

/** Maximum number of amounts in a combination. */
export const MAX_COMBINED = 6;
/** Maximum number of search steps, a few milliseconds. Beyond it the result is `too_many`. */
const MAX_STEPS = 200_000;

export type Combination =
  | { readonly kind: 'one'; readonly indexes: readonly number[] }
  | { readonly kind: 'none' | 'ambiguous' | 'too_many' };

/**
 * Searches combinations of 2 to `MAX_COMBINED` amounts that add up to the target.
 * @param amounts positive, in the smallest unit (cents)
 */
export function uniqueCombination(amounts: readonly bigint[], target: bigint): Combination {
  // Largest first, so that amounts that are too large are skipped early.
  const order = amounts.map((amount, index) => ({ amount, index })).filter(({ amount }) => amount < target);
  order.sort((one, other) =>
    one.amount === other.amount ? one.index - other.index : one.amount > other.amount ? -1 : 1,
  );
  const sums = [0n];
  for (const { amount } of order) sums.push((sums.at(-1) as bigint) + amount);
  const smallest = order.at(-1)?.amount ?? 0n;
  const found: number[][] = [];
  const chosen: number[] = [];
  let steps = 0;

  /** Extends the combination. @returns false when the search is over */
  function search(from: number, left: bigint, places: number): boolean {
    if (left === 0n) {
      if (chosen.length >= 2) found.push([...chosen]);
      return found.length < 2;
    }
    if (places === 0 || left < smallest) return true;
    for (let at = firstUpTo(order, left, from); at < order.length; at++) {
      if (++steps > MAX_STEPS) return false;
      const reach = Math.min(at + places, order.length);
      // Not even the largest remaining amounts reach it; later ones are smaller still.
      if ((sums[reach] as bigint) - (sums[at] as bigint) < left) return true;
      const { amount, index } = order[at] as { amount: bigint; index: number };
      chosen.push(index);
      const unfinished = search(at + 1, left - amount, places - 1);
      chosen.pop();
      if (!unfinished) return false;
    }
    return true;
  }

  search(0, target, MAX_COMBINED);
  if (found.length > 1) return { kind: 'ambiguous' };
  if (steps > MAX_STEPS) return { kind: 'too_many' };
  const [only] = found;
  return only === undefined ? { kind: 'none' } : { kind: 'one', indexes: only.sort((one, other) => one - other) };
}

/** The first index from `from` on whose amount is at most `limit`; amounts are descending. */
function firstUpTo(order: readonly { readonly amount: bigint }[], limit: bigint, from: number): number {
  let low = from;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((order[middle]?.amount ?? 0n) > limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
