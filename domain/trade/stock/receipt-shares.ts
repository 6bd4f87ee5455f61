/** Divides a later cost change of a receipt between its goods on hand and those that have left. */
import { addPart, type Exact, notNegative, type Parts, roundUnitCost, roundValue, smaller, ZERO } from './amounts.ts';

/** Shares of tracked receipts in the goods on hand, by average. */
export class ReceiptShares {
  readonly #tracked: ReadonlySet<string>;
  readonly #brought: Parts = new Map();
  readonly #shares: Parts = new Map();

  /** @param tracked receipts whose cost changes later */
  constructor(tracked: ReadonlySet<string>) {
    this.#tracked = tracked;
  }

  /** Records a receipt and returns its share: its whole quantity if its cost changes later, otherwise nothing. */
  receive(id: string, quantity: Exact): Parts {
    if (!this.#tracked.has(id)) return new Map();
    this.#brought.set(id, quantity);
    return new Map([[id, quantity]]);
  }

  /** The quantity of a tracked receipt when it came in. */
  receivedQuantity(id: string): Exact {
    return this.#brought.get(id) ?? ZERO;
  }

  add(shares: Parts): void {
    for (const [id, share] of shares) addPart(this.#shares, id, share);
  }

  share(id: string): Exact {
    return this.#shares.get(id) ?? ZERO;
  }

  /**
   * Removes the shares of goods that leave.
   * @param part fraction of the goods on hand that leaves; undefined for all of it
   * @param own shares of the movement that these goods take back, and the fraction of it that leaves
   * @returns the changes, which are negative
   */
  take(part: Exact | undefined, own?: { readonly shares: Parts; readonly part: Exact }): Parts {
    const taken: Parts = new Map();
    for (const [id, share] of this.#shares) {
      const wanted =
        own === undefined ? share.times(part ?? 1) : notNegative((own.shares.get(id) ?? ZERO).times(own.part));
      const size = part === undefined ? share : smaller(roundUnitCost(wanted), share);
      if (size.gt(0)) taken.set(id, size.neg());
    }
    this.add(taken);
    return taken;
  }
}

/** Multiplies all shares by a factor. */
export function scaleParts(shares: Parts, factor: Exact): Parts {
  return new Map([...shares].map(([id, share]) => [id, roundUnitCost(share.times(factor))]));
}

/**
 * Divides an amount by weight.
 * @param here weight of the goods on hand
 * @param gone weights of the movements by which goods left
 * @returns the parts, which add up to the amount; nothing if the total weight is zero
 */
export function divide(
  amount: Exact,
  here: Exact,
  gone: readonly (readonly [id: string, weight: Exact])[],
): { readonly here: Exact; readonly gone: Map<string, Exact>; readonly total: Exact } {
  const weights = gone.filter(([, weight]) => weight.gt(0));
  const total = weights.reduce((sum, [, weight]) => sum.plus(weight), notNegative(here));
  const parts = new Map<string, Exact>();
  if (total.eq(0)) return { here: ZERO, gone: parts, total };
  let left = amount;
  weights.forEach(([id, weight], index) => {
    const last = index === weights.length - 1 && !here.gt(0);
    const part = last ? left : roundValue(amount.times(weight).div(total));
    left = left.minus(part);
    parts.set(id, part);
  });
  return { here: left, gone: parts, total };
}
