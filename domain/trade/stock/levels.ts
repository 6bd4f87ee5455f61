/** Stocks, their places, and the levels at them. */
import type { Decimal } from '../../money.ts';

/** An item in a warehouse. */
export interface Stock {
  readonly itemId: string;
  readonly warehouseId: string;
}

/** A stock's zone and batch; the general place has neither. */
export interface Place extends Stock {
  readonly zoneId: string | null;
  readonly batchId: string | null;
}

/** A change of what orders hold of a stock; quantities are signed. */
export interface Commitment extends Stock {
  /** Reserved by open sales orders. */
  readonly reserved: Decimal;
  /** Incoming by open purchase orders. */
  readonly incoming: Decimal;
}

/** The quantities at a place. Only the general place has reserved and incoming ones. */
export interface Level extends Place {
  readonly id: string;
  readonly onHand: Decimal;
  readonly reserved: Decimal;
  readonly incoming: Decimal;
  /** Whether it may be below zero. */
  readonly mayBeNegative: boolean;
}

/** The levels that a plan changes, and those of places that goods reach for the first time. */
export interface LevelChanges {
  readonly updated: readonly { readonly before: Level; readonly after: Level }[];
  readonly inserted: readonly Level[];
}

export function stockKey({ itemId, warehouseId }: Stock): string {
  return `${itemId} ${warehouseId}`;
}

export function placeKey(place: Place): string {
  return `${stockKey(place)} ${place.zoneId ?? ''} ${place.batchId ?? ''}`;
}

/** The place of a stock without zone and batch. */
export function generalPlace({ itemId, warehouseId }: Stock): Place {
  return { itemId, warehouseId, zoneId: null, batchId: null };
}

/** Each stock once. */
export function distinct(stocks: readonly Stock[]): Stock[] {
  const byKey = new Map(
    stocks.map(({ itemId, warehouseId }) => [stockKey({ itemId, warehouseId }), { itemId, warehouseId }]),
  );
  return [...byKey.values()];
}
