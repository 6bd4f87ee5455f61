/** Goods that are to move, and the movements that result. */
import { type Decimal, decimal } from '../../money.ts';
import type { Place, Stock } from './levels.ts';

/** Goods of one line that go in or out. */
export interface Move extends Stock {
  /** The line of the document; null for counts and transfers. */
  readonly lineId: string | null;
  /** Signed, in the item's own unit. */
  readonly quantity: Decimal;
  /** Only from or to this zone; null = the warehouse as a whole. */
  readonly zoneId: string | null;
  /** The batch, for goods that come in or return to their place. */
  readonly batchId: string | null;
  /** Out: the batches to take, by name; none = first expired, first out. */
  readonly batches: readonly { readonly batchNum: string; readonly quantity: Decimal }[];
  readonly allowExpired: boolean;
  /** Out: whether named batches may be pending, because the goods stay in the company. */
  readonly allowPending?: boolean;
  /** Out, without zone: only goods that lie in no zone. */
  readonly outsideZones?: boolean;
  /** The movement that this one takes back; of a transfer in: the one that took the goods out. Goods are worth what they moved with. */
  readonly sourceId?: string;
  /** True for exactly this zone and batch (counts, undoing a movement), false for a choice among what is on hand. */
  readonly exact: boolean;
  /** With `exact`: a shortage there is taken from elsewhere in the warehouse, from the named batches. */
  readonly elsewhere?: boolean;
  /** Counts: leaves exactly the counted quantity, including dust. */
  readonly counted?: boolean;
  /** Unit cost of incoming goods; null = the current average. */
  readonly unitCost: Decimal | null;
  readonly fifoUnitCost: Decimal | null;
  /** Pointer to the line in the request's body, for shortages. */
  readonly pointer?: string;
}

export interface Movement extends Stock {
  readonly id: string;
  readonly zoneId: string | null;
  readonly batchId: string | null;
  /** The batch that was picked; null for what came in. */
  readonly batchNum: string | null;
  readonly quantity: Decimal;
  /** On hand at the place after this movement. */
  readonly balance: Decimal;
  readonly documentLineId: string | null;
  readonly unitCost: Decimal | null;
  readonly fifoUnitCost: Decimal | null;
  readonly sourceId: string | null;
  /** Dust that it removes, besides what the lines move. */
  readonly rounding: boolean;
  /** Pointer to its line in the request's body, for shortages. */
  readonly pointer?: string | undefined;
}

/** One part of a move, at one place. */
export interface Part extends Place {
  readonly move: Move;
  /** Signed change of what is on hand there. */
  readonly onHand: Decimal;
  readonly batchNum?: string | null;
  /** Not of the move itself: dust that the place has too little or too much because of it. */
  readonly rounding?: boolean;
}

/** A move at the general place of its warehouse. */
export const GENERAL_PLACE = {
  zoneId: null,
  batchId: null,
  batches: [],
  allowExpired: false,
  exact: false,
  unitCost: null,
  fifoUnitCost: null,
} as const;

/** Whether it names neither zone nor batch. */
export function isAtGeneralPlace({ zoneId, batchId, batches }: Move): boolean {
  return zoneId === null && batchId === null && batches.length === 0;
}

/** The place that a move names. */
export function namedPlace({ itemId, warehouseId, zoneId, batchId }: Move): Place {
  return { itemId, warehouseId, zoneId, batchId };
}

export function isOut(quantity: Decimal): boolean {
  return decimal(quantity).lt(0);
}
