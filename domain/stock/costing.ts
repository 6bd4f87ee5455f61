/** What goes into a valuation of stock, and what comes out. */
import type { Decimal } from '../money.ts';

/** How a ledger stands after a movement. */
export interface CostState {
  /** On hand; negative when more was sold than had come in. */
  readonly quantity: Decimal;
  readonly averageValue: Decimal;
  readonly fifoValue: Decimal;
  /** What one unit of the last receipt cost: values by FIFO what leaves while nothing is there. */
  readonly lastCost: Decimal;
  /** The last known average: values what leaves while nothing is there. */
  readonly lastAverage: Decimal;
}

export interface CostedMovement {
  readonly id: string;
  /** Signed. */
  readonly quantity: Decimal;
  /** What one unit cost that comes in; null = the present average, by FIFO the last cost (counts, finds). */
  readonly unitCost: Decimal | null;
  /** The same for the FIFO order, where it differs: goods from another warehouse. */
  readonly fifoUnitCost?: Decimal | null;
  /**
   * The earlier movement of this ledger that it takes back, whole or in part: a return, a cancellation, goods put elsewhere in the
   * warehouse. One that is not known counts for nothing.
   */
  readonly source?: string | null;
}

/**
 * What a movement changed in value: signed, like its quantity. Goods that come in while stock is below zero change it by less than
 * they cost, as far as those that had left already were guessed too low; the difference is part of what these cost.
 */
export interface Costing extends CostState {
  readonly id: string;
  readonly averageChange: Decimal;
  readonly fifoChange: Decimal;
  /** Cost of one unit that came in; of one that left, by average. */
  readonly unitCost: Decimal;
  /** The same of one that left by FIFO; of one that came in, its cost. */
  readonly fifoUnitCost: Decimal;
  /** What is left of it in the FIFO order, for what came in. */
  readonly remaining: Decimal;
  /** How it changed layers, by their ids, its own included. */
  readonly parts: Readonly<Record<string, Decimal>>;
}
