/** FIFO layers of one item in one warehouse: goods that came in and are still on hand, oldest first. */
import { type Decimal, decimal } from '../../money.ts';
import { addPart, type Exact, type Parts, smaller, ZERO } from './amounts.ts';

/** Goods that came in and are still on hand; with `remaining` below zero, goods that left before they came in. */
export interface OpenLayer {
  readonly id: string;
  readonly remaining: Decimal;
  /** Estimated, for goods that left before they came in. */
  readonly unitCost: Decimal;
  /** Average cost, for goods that left before they came in. */
  readonly averageCost?: Decimal | null;
}

interface Layer {
  readonly id: string;
  remaining: Exact;
  unitCost: Exact;
}

export class FifoLayers {
  readonly #layers: Layer[];
  readonly #places: Map<string, number>;
  /** Index of the first layer that may have something left. */
  #next = 0;

  /** @param open in order of date and entry, including consumed layers that may be refilled */
  constructor(open: readonly OpenLayer[]) {
    this.#layers = open.map(({ id, remaining, unitCost }) => ({
      id,
      remaining: decimal(remaining),
      unitCost: decimal(unitCost),
    }));
    this.#places = new Map(this.#layers.map(({ id }, place) => [id, place]));
  }

  /** Adds a layer for goods that come in. @returns their cost */
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

  /** Consumes the rest of the layers that a movement had filled, latest first. */
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
   * @returns their cost, and the quantity without a layer to return to
   */
  refill(used: Parts, quantity: Exact, parts: Parts): { cost: Exact; missing: Exact } {
    let [missing, cost] = [quantity, ZERO];
    for (const [layer, size] of this.#latestFirst(used)) {
      const part = smaller(size.neg(), missing);
      if (part.lte(0)) continue;
      missing = missing.minus(part);
      cost = cost.plus(this.#change(layer, part, parts));
    }
    return { cost, missing };
  }

  /** Finds a layer with its remaining quantity and unit cost; undefined if unknown. */
  find(id: string): Readonly<Layer> | undefined {
    return this.#layers[this.#places.get(id) ?? -1];
  }

  /** Raises the unit cost of a layer. */
  raise(id: string, by: Exact): void {
    const layer = this.#layers[this.#places.get(id) ?? -1];
    if (layer !== undefined) layer.unitCost = layer.unitCost.plus(by);
  }

  /** All layers, including consumed ones. */
  all(): readonly Readonly<Layer>[] {
    return this.#layers;
  }

  /** Changes the quantity of a layer. @returns the value of the change */
  #change(layer: Layer, change: Exact, parts: Parts): Exact {
    if (change.eq(0)) return ZERO;
    layer.remaining = layer.remaining.plus(change);
    addPart(parts, layer.id, change);
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
