/** Decides which goods leave a warehouse: the named batches, otherwise the first to expire. */
import { type Decimal, decimal } from '../../money.ts';

/** A place of one item within one warehouse. */
export interface StockPlace {
  readonly zoneId: string | null;
  readonly zoneCode: string | null;
  readonly batchId: string | null;
  readonly batchNum: string | null;
  /** Last date on which the batch may be delivered; null = no limit. */
  readonly expiryDate: string | null;
  /** Pending batches are not for sale. */
  readonly confirmed: boolean;
  readonly onHand: Decimal;
}

/** The goods that a line takes out of stock. */
export interface Take {
  /** Positive, in the item's own unit. */
  readonly quantity: Decimal;
  /** Restricts the take to this zone; null = anywhere in the warehouse. */
  readonly zoneId: string | null;
  /** With zoneId null: restricts the take to goods outside zones. */
  readonly outsideZones?: boolean;
  /** Batches by name with their quantities, which add up to `quantity`; none = first expired, first out. */
  readonly batches: readonly { readonly batchNum: string; readonly quantity: Decimal }[];
  /** Whether named batches may be expired. */
  readonly allowExpired: boolean;
  /** Whether named batches may be pending, since the goods stay within the company. */
  readonly allowPending?: boolean;
}

export interface Pick {
  readonly place: StockPlace;
  readonly quantity: Decimal;
}

export interface Allocation {
  readonly picks: readonly Pick[];
  /** The shortage; "0" when there is none. */
  readonly missing: Decimal;
  /** A named batch that cannot leave because it has expired. */
  readonly expiredBatch: string | null;
}

type Exact = ReturnType<typeof decimal>;

/** The places of one item in one warehouse, reduced by each take. */
export class Shelf {
  readonly #places: readonly StockPlace[];
  readonly #left = new Map<StockPlace, Exact>();
  readonly #date: string;

  /** @param date on which goods leave; batches that expired before it are not taken */
  constructor(places: readonly StockPlace[], date: string) {
    this.#places = [...places].sort(firstExpiredFirst);
    this.#date = date;
    for (const place of places) this.#left.set(place, decimal(place.onHand));
  }

  /** Takes the goods on hand; a shortage is reported, not taken. */
  take(take: Take): Allocation {
    const { quantity, batches, allowExpired, allowPending = false } = take;
    const here = this.#places.filter((place) => isWithin(place, take));
    if (batches.length === 0) {
      const fresh = here.filter((place) => place.confirmed && !this.#hasExpired(place));
      return { ...this.#pick(fresh, decimal(quantity)), expiredBatch: null };
    }
    const picks: Pick[] = [];
    let missing = decimal(0);
    for (const batch of batches) {
      const named = here.filter(
        ({ batchNum, confirmed }) => batchNum === batch.batchNum && (confirmed || allowPending),
      );
      const expired = named.some((place) => this.#hasExpired(place) && this.#left.get(place)?.gt(0));
      if (expired && !allowExpired) return { picks: [], missing: quantity, expiredBatch: batch.batchNum };
      const part = this.#pick(named, decimal(batch.quantity));
      picks.push(...part.picks);
      missing = missing.plus(part.missing);
    }
    return { picks, missing: missing.toFixed(), expiredBatch: null };
  }

  /** Quantities within reach of a take that are not for sale: pending ones, and expired ones among the others. */
  notForSale(take: Take): { readonly pending: Decimal; readonly expired: Decimal } {
    const names = new Set(take.batches.map(({ batchNum }) => batchNum));
    let [pending, expired] = [decimal(0), decimal(0)];
    for (const place of this.#places) {
      if (!isWithin(place, take) || (names.size > 0 && !names.has(place.batchNum ?? ''))) continue;
      const left = this.#left.get(place) ?? decimal(0);
      if (left.lte(0)) continue;
      if (!place.confirmed) pending = pending.plus(left);
      else if (this.#hasExpired(place)) expired = expired.plus(left);
    }
    return { pending: pending.toFixed(), expired: expired.toFixed() };
  }

  /** Takes from one place regardless of its batch; takes nothing if it is undefined. */
  takeAt(place: StockPlace | undefined, quantity: Decimal): Allocation {
    return { ...this.#pick(place === undefined ? [] : [place], decimal(quantity)), expiredBatch: null };
  }

  /** The quantity left at a place after all takes so far. */
  quantityAt(place: StockPlace): Decimal {
    return (this.#left.get(place) ?? decimal(0)).toFixed();
  }

  #hasExpired({ expiryDate }: StockPlace): boolean {
    return expiryDate !== null && expiryDate < this.#date;
  }

  #pick(places: readonly StockPlace[], wanted: Exact): { picks: Pick[]; missing: Decimal } {
    const picks: Pick[] = [];
    let missing = wanted;
    for (const place of places) {
      if (missing.lte(0)) break;
      const left = this.#left.get(place) ?? decimal(0);
      if (left.lte(0)) continue;
      const quantity = left.lt(missing) ? left : missing;
      this.#left.set(place, left.minus(quantity));
      missing = missing.minus(quantity);
      picks.push({ place, quantity: quantity.toFixed() });
    }
    return { picks, missing: missing.toFixed() };
  }
}

function isWithin({ zoneId }: StockPlace, take: Take): boolean {
  return (take.zoneId === null && take.outsideZones !== true) || zoneId === take.zoneId;
}

/** By expiry date (never expiring last), then batch, then the general place before zones. */
function firstExpiredFirst(one: StockPlace, other: StockPlace): number {
  return (
    compare(one.expiryDate ?? '9999-12-31', other.expiryDate ?? '9999-12-31') ||
    compare(one.batchNum ?? '', other.batchNum ?? '') ||
    compare(one.zoneCode ?? '', other.zoneCode ?? '')
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
