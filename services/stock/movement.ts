/** What moves: goods asked to go in or out, and the movements that come of it. */
import type { Decimal } from '../../domain/money.ts';
import type { PlaceChange, Stock } from './levels.ts';

/** Goods of one line that go in or out. */
export interface Move extends Stock {
  /** The line of the document; null for counts and transfers. */
  readonly lineId: string | null;
  /** Signed, in the item's own unit. */
  readonly quantity: Decimal;
  /** Only from or to this zone; null = the warehouse as a whole. */
  readonly zoneId: string | null;
  /** The place of the batch, for what comes in or goes back to where it was. */
  readonly batchId: string | null;
  /** Out: the batches to take, by name; none = first expired first out. */
  readonly batches: readonly { readonly batchNum: string; readonly quantity: Decimal }[];
  readonly allowExpired: boolean;
  /** Out: whether named batches may be pending; goods that stay in the company. */
  readonly allowPending?: boolean;
  /** Out, without zone: only what lies in no zone. */
  readonly outsideZones?: boolean;
  /** The movement that this one takes back; in: also the one that took the goods out elsewhere. They are worth what they moved with. */
  readonly sourceId?: string;
  /** True for exactly this zone and batch (counts, undoing a movement), false for a choice among what is there. */
  readonly exact: boolean;
  /** With `exact`: what is missing there leaves from elsewhere in the warehouse, of the batches named. */
  readonly elsewhere?: boolean;
  /** What one unit cost that comes in; null = the present average. */
  readonly unitCost: Decimal | null;
  readonly fifoUnitCost: Decimal | null;
  /** Where in the request's body the line stands; for the answer when there is not enough. */
  readonly pointer?: string;
}

export interface Movement extends Stock {
  readonly id: string;
  readonly zoneId: string | null;
  readonly batchId: string | null;
  /** Of what was picked; null for what came in. */
  readonly batchNum: string | null;
  readonly quantity: Decimal;
  /** On hand at that place after this movement. */
  readonly balance: Decimal;
  readonly documentLineId: string | null;
  readonly unitCost: Decimal | null;
  readonly fifoUnitCost: Decimal | null;
  readonly sourceId: string | null;
}

/** One part of a move, at one place. */
export interface Part extends PlaceChange {
  readonly move: Move;
  readonly batchNum?: string | null;
}

/** A move at the general place of its warehouse. */
export const PLAIN = {
  zoneId: null,
  batchId: null,
  batches: [],
  allowExpired: false,
  exact: false,
  unitCost: null,
  fifoUnitCost: null,
} as const;
