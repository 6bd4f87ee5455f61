/** Input and output of stock valuation. */
import type { Decimal } from '../money.ts';

/** The state of a ledger after a movement. */
export interface CostState {
  /** On hand; negative when more was sold than had come in. */
  readonly quantity: Decimal;
  readonly averageValue: Decimal;
  readonly fifoValue: Decimal;
  /** Unit cost of the last receipt: values by FIFO what leaves when nothing is on hand. */
  readonly lastCost: Decimal;
  /** The last known average: values what leaves when nothing is on hand. */
  readonly lastAverage: Decimal;
}

export interface CostedMovement {
  readonly id: string;
  /** Signed. */
  readonly quantity: Decimal;
  /** Unit cost of incoming goods; null = the current average, by FIFO the last cost (counts, finds). */
  readonly unitCost: Decimal | null;
  /** Unit cost for FIFO, if it differs: goods from another warehouse. */
  readonly fifoUnitCost?: Decimal | null;
  /**
   * The earlier movement of this ledger that it takes back, fully or partly: a return, a cancellation, goods moved within the warehouse.
   * Unknown ones are ignored.
   */
  readonly source?: string | null;
}

/**
 * The change in value by a movement: signed like its quantity. Goods that come in while stock is negative change it by less than they cost,
 * as far as goods that had already left were valued too low; the difference is part of their cost.
 */
export interface Costing extends CostState {
  readonly id: string;
  readonly averageChange: Decimal;
  readonly fifoChange: Decimal;
  /** Unit cost of what came in; of what left, by average. */
  readonly unitCost: Decimal;
  /** Unit cost by FIFO of what left; of what came in, its cost. */
  readonly fifoUnitCost: Decimal;
  /** For what came in: how much is left of it in FIFO order. */
  readonly remaining: Decimal;
  /** Its changes of layers, by their ids, its own included. */
  readonly parts: Readonly<Record<string, Decimal>>;
}
