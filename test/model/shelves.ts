/** Goods on hand by item, warehouse, zone and batch; and the choice of those that leave. */

export interface Place {
  readonly item: number;
  readonly warehouse: number;
  readonly zone: string | null;
  readonly batch: string | null;
}

/** A quantity that enters a place, or leaves it if negative. */
export interface Part {
  readonly place: Place;
  readonly quantity: number;
}

export interface BatchPart {
  readonly batch: string;
  readonly quantity: number;
}

/** The batches of every item that is kept by batch, in the order in which they leave. */
export const BATCHES = [
  { name: 'A', expiryDate: '2026-06-14', expired: true, pending: false },
  { name: 'D', expiryDate: '2026-06-20', expired: false, pending: true },
  { name: 'B', expiryDate: '2026-07-01', expired: false, pending: false },
  { name: 'C', expiryDate: null, expired: false, pending: false },
] as const;

export interface Take {
  readonly item: number;
  readonly warehouse: number;
  /** Undefined = from anywhere in the warehouse, null = only from outside zones. */
  readonly zone: string | null | undefined;
  readonly quantity: number;
  /** By name; null = the first to expire of what is for sale. */
  readonly batches: readonly BatchPart[] | null;
  readonly allowExpired: boolean;
  readonly allowPending: boolean;
}

export class Shelves {
  readonly #held: Map<string, Part>;

  constructor(held: Iterable<readonly [string, Part]> = []) {
    this.#held = new Map(held);
  }

  /** To try out on. */
  copy(): Shelves {
    return new Shelves(this.#held);
  }

  at(place: Place): number {
    return this.#held.get(placeKey(place))?.quantity ?? 0;
  }

  add({ place, quantity }: Part): void {
    this.#held.set(placeKey(place), { place, quantity: this.at(place) + quantity });
  }

  /** Returns all quantities other than zero, by place. */
  all(): Record<string, number> {
    const there = [...this.#held].filter(([, { quantity }]) => quantity !== 0);
    return Object.fromEntries(there.map(([key, { quantity }]) => [key, quantity]));
  }

  /** Returns the places that have stock. */
  places(): Place[] {
    return [...this.#held.values()].filter(({ quantity }) => quantity > 0).map(({ place }) => place);
  }

  /** Takes the available stock of one place. */
  takeAt(place: Place, wanted: number): Part[] {
    const quantity = Math.min(wanted, this.at(place));
    if (quantity <= 0) return [];
    const part = { place, quantity: -quantity };
    this.add(part);
    return [part];
  }

  /** Takes the available stock, or returns the reason for the refusal. */
  take({ batches, quantity, ...take }: Take): { readonly parts: Part[]; readonly refused?: string } {
    const here = [...this.#held.values()]
      .filter(({ place, quantity: there }) => there > 0 && place.item === take.item)
      .filter(({ place }) => place.warehouse === take.warehouse)
      .filter(({ place }) => take.zone === undefined || place.zone === take.zone)
      .map(({ place }) => place)
      .sort((one, other) => placeRank(one) - placeRank(other) || ((one.zone ?? '') < (other.zone ?? '') ? -1 : 1));
    const parts: Part[] = [];
    const takeFrom = (places: readonly Place[], wanted: number) => {
      let left = wanted;
      for (const place of places) {
        const found = this.takeAt(place, left);
        for (const part of found) left += part.quantity;
        parts.push(...found);
      }
      return left;
    };
    if (batches === null) {
      const forSale = here.filter(({ batch }) => !batchRank(batch)?.expired && !batchRank(batch)?.pending);
      return takeFrom(forSale, quantity) > 0 ? { parts, refused: 'insufficient_stock' } : { parts };
    }
    let missing = 0;
    for (const { batch, quantity: wanted } of batches) {
      const named = here.filter((place) => place.batch === batch && this.at(place) > 0);
      const allowed = named.filter(() => take.allowPending || !batchRank(batch)?.pending);
      if (allowed.length > 0 && batchRank(batch)?.expired && !take.allowExpired)
        return { parts, refused: 'batch_expired' };
      missing += takeFrom(allowed, wanted);
    }
    return missing > 0 ? { parts, refused: 'insufficient_stock' } : { parts };
  }
}

export function placeKey({ item, warehouse, zone, batch }: Place): string {
  return [item, warehouse, zone ?? '-', batch ?? '-'].join(' ');
}

function batchRank(batch: string | null) {
  return BATCHES.find(({ name }) => name === batch);
}

function placeRank({ batch }: Place): number {
  return BATCHES.findIndex(({ name }) => name === batch);
}
