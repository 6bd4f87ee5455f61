/** FIFO layers of one item in one warehouse: goods that came in and are still on hand, oldest first. */
import { type Decimal, decimal } from '../money.ts';

export type Exact = ReturnType<typeof decimal>;
export const ZERO = decimal(0);

/** Goods that came in and are still on hand. */
export interface OpenLayer {
  readonly id: string;
  readonly remaining: Decimal;
  readonly unitCost: Decimal;
}

/** A movement's changes of layers, by their ids: filled (positive) or consumed (negative). */
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

  /** @param open in order of date and entry; including consumed ones that may be filled again */
  constructor(open: readonly OpenLayer[]) {
    this.#layers = open.map(({ id, remaining, unitCost }) => ({
      id,
      remaining: decimal(remaining),
      unitCost: decimal(unitCost),
    }));
    this.#places = new Map(this.#layers.map(({ id }, place) => [id, place]));
  }

  /** Adds goods that have just come in. */
  add(id: string, quantity: Exact, unitCost: Exact, parts: Parts): Exact {
    if (quantity.lte(0)) return ZERO;
    this.#places.set(id, this.#layers.length);
    this.#layers.push({ id, remaining: quantity, unitCost });
    parts.set(id, quantity);
    return quantity.times(unitCost);
  }

  /** Consumes the oldest layers. @returns their cost, and the missing quantity */
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

  /** Consumes what is left of the layers that a movement had filled, latest first. */
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
   * Refills layers that a movement had consumed, latest first.
   * @param skipped the part of the returned goods that no longer exists: sold before it came
   * @returns their cost
   */
  refill(used: Parts, quantity: Exact, skipped: Exact, parts: Parts): Exact {
    let [rest, skip, cost] = [quantity, skipped, ZERO];
    for (const [layer, size] of this.#latestFirst(used)) {
      const part = smaller(size.neg(), rest);
      if (part.lte(0)) continue;
      rest = rest.minus(part);
      const skippedSoFar = smaller(skip, part);
      skip = skip.minus(skippedSoFar);
      if (part.gt(skippedSoFar)) cost = cost.plus(this.#change(layer, part.minus(skippedSoFar), parts));
    }
    return cost;
  }

  /** The cost of the layers that a movement had consumed. */
  costOf(used: Parts): Exact {
    return this.#latestFirst(used).reduce((sum, [layer, size]) => {
      return size.lt(0) ? sum.minus(size.times(layer.unitCost)) : sum;
    }, ZERO);
  }

  /** What is left of each, including consumed ones. */
  remaining(): Map<string, Decimal> {
    return new Map(this.#layers.map(({ id, remaining }) => [id, remaining.toFixed()]));
  }

  /** @returns the value of the change */
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
