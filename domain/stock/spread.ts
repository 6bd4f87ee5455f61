/** Divides a later change of what a receipt cost among its goods on hand and those that have left. */
import { addPart, type Exact, type Parts, smaller, ZERO } from './parts.ts';
import { costRounded, notNegative, rounded } from './rounding.ts';

/** How much of the goods on hand, by average, is of each of some receipts. */
export class Pool {
  readonly #tracked: ReadonlySet<string>;
  readonly #brought: Parts = new Map();
  readonly #shares: Parts = new Map();

  /** @param tracked the receipts whose cost changes later */
  constructor(tracked: ReadonlySet<string>) {
    this.#tracked = tracked;
  }

  /** The share that a receipt brings: all of it, if its cost changes later. */
  broughtBy(id: string, quantity: Exact): Parts {
    if (!this.#tracked.has(id)) return new Map();
    this.#brought.set(id, quantity);
    return new Map([[id, quantity]]);
  }

  /** The quantity that a receipt brought, whatever became of it. */
  broughtOf(id: string): Exact {
    return this.#brought.get(id) ?? ZERO;
  }

  add(shares: Parts): void {
    for (const [id, share] of shares) addPart(this.#shares, id, share);
  }

  of(id: string): Exact {
    return this.#shares.get(id) ?? ZERO;
  }

  /**
   * Takes out the shares of goods that leave.
   * @param part how much of the goods on hand leaves; undefined for all of it
   * @param own the shares of the movement that the goods take back, and how much of it leaves
   * @returns the changes, which are negative
   */
  take(part: Exact | undefined, own?: { readonly shares: Parts; readonly part: Exact }): Parts {
    const taken: Parts = new Map();
    for (const [id, share] of this.#shares) {
      const wanted =
        own === undefined ? share.times(part ?? 1) : notNegative((own.shares.get(id) ?? ZERO).times(own.part));
      const size = part === undefined ? share : smaller(costRounded(wanted), share);
      if (size.gt(0)) taken.set(id, size.neg());
    }
    this.add(taken);
    return taken;
  }
}

/** Times a factor. */
export function scaled(shares: Parts, factor: Exact): Parts {
  return new Map([...shares].map(([id, share]) => [id, costRounded(share.times(factor))]));
}

/**
 * Divides an amount by weight.
 * @param here the weight of goods on hand
 * @param gone the weights of movements by which goods left
 * @returns what each gets, adding up to the amount; nothing where there is no weight at all
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
    const part = last ? left : rounded(amount.times(weight).div(total));
    left = left.minus(part);
    parts.set(id, part);
  });
  return { here: left, gone: parts, total };
}
