/** The layers of one item in one warehouse, by FIFO: goods that came in and are still there, the oldest first. */
import { type Decimal, decimal } from '../money.ts';

export type Exact = ReturnType<typeof decimal>;
export const ZERO = decimal(0);

/** Goods that came in and are still there. */
export interface OpenLayer {
  readonly id: string;
  readonly remaining: Decimal;
  readonly unitCost: Decimal;
}

/** What a movement did to layers, by their ids: filled (above zero) or used up (below). */
export type Parts = Map<string, Exact>;

interface Layer {
  readonly id: string;
  remaining: Exact;
  readonly unitCost: Exact;
}

export class FifoLayers {
  readonly #layers: Layer[];
  readonly #places: Map<string, number>;
  /** The first that may have something left. */
  #next = 0;

  /** @param open in the order of date and entry; also those that are used up and may be filled again */
  constructor(open: readonly OpenLayer[]) {
    this.#layers = open.map(({ id, remaining, unitCost }) => ({
      id,
      remaining: decimal(remaining),
      unitCost: decimal(unitCost),
    }));
    this.#places = new Map(this.#layers.map(({ id }, place) => [id, place]));
  }

  /** Goods that came in last. */
  add(id: string, quantity: Exact, unitCost: Exact, parts: Parts): Exact {
    if (quantity.lte(0)) return ZERO;
    this.#places.set(id, this.#layers.length);
    this.#layers.push({ id, remaining: quantity, unitCost });
    parts.set(id, quantity);
    return quantity.times(unitCost);
  }

  /** Uses up the oldest. @returns what that cost, and how much there was not */
  takeOldest(quantity: Exact, parts: Parts): { cost: Exact; missing: Exact } {
    let [missing, cost] = [quantity, ZERO];
    while (missing.gt(0) && this.#next < this.#layers.length) {
      const layer = this.#layers[this.#next] as Layer;
      const part = smaller(layer.remaining, missing);
      cost = cost.plus(this.#change(layer, part.neg(), parts));
      missing = missing.minus(part);
      if (layer.remaining.eq(0)) this.#next++;
    }
    return { cost: cost.neg(), missing };
  }

  /** Uses up what is left of what a movement had filled, the latest first. */
  takeFrom(filled: Parts, quantity: Exact, parts: Parts): { cost: Exact; missing: Exact } {
    let [missing, cost] = [quantity, ZERO];
    for (const [layer, size] of this.#latestFirst(filled)) {
      const part = smaller(smaller(layer.remaining, size), missing);
      if (part.lte(0)) continue;
      cost = cost.plus(this.#change(layer, part.neg(), parts));
      missing = missing.minus(part);
    }
    return { cost: cost.neg(), missing };
  }

  /**
   * Fills layers again that a movement had used up, the latest first.
   * @param skipped of what comes back, the part that is not there any more: sold before it came
   * @returns what that cost
   */
  fillAgain(used: Parts, quantity: Exact, skipped: Exact, parts: Parts): Exact {
    let [rest, skip, cost] = [quantity, skipped, ZERO];
    for (const [layer, size] of this.#latestFirst(used)) {
      const part = smaller(size.neg(), rest);
      if (part.lte(0)) continue;
      rest = rest.minus(part);
      const gone = smaller(skip, part);
      skip = skip.minus(gone);
      if (part.gt(gone)) cost = cost.plus(this.#change(layer, part.minus(gone), parts));
    }
    return cost;
  }

  /** What a movement's layers cost that it had used up. */
  costOf(used: Parts): Exact {
    return this.#latestFirst(used).reduce((sum, [layer, size]) => {
      return size.lt(0) ? sum.minus(size.times(layer.unitCost)) : sum;
    }, ZERO);
  }

  /** What is left of each, those used up included. */
  remaining(): Map<string, Decimal> {
    return new Map(this.#layers.map(({ id, remaining }) => [id, remaining.toFixed()]));
  }

  /** @returns what the change is worth */
  #change(layer: Layer, change: Exact, parts: Parts): Exact {
    if (change.eq(0)) return ZERO;
    layer.remaining = layer.remaining.plus(change);
    parts.set(layer.id, (parts.get(layer.id) ?? ZERO).plus(change));
    if (change.gt(0)) this.#next = Math.min(this.#next, this.#places.get(layer.id) as number);
    return change.times(layer.unitCost);
  }

  #latestFirst(parts: Parts): [Layer, Exact][] {
    const places = [...parts].flatMap(([id, size]): [number, Exact][] => {
      const place = this.#places.get(id);
      return place === undefined ? [] : [[place, size]];
    });
    places.sort(([one], [other]) => other - one);
    return places.map(([place, size]) => [this.#layers[place] as Layer, size]);
  }
}

export function smaller(one: Exact, other: Exact): Exact {
  return one.lt(other) ? one : other;
}
