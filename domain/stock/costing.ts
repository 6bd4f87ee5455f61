/** Input and output of stock valuation. */
import { type Decimal, decimal } from '../money.ts';

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

/** A valuation movement: what an earlier receipt cost changes, for example because its invoice differs from its note. */
export interface Revaluation {
  readonly id: string;
  /** The receipt. */
  readonly adjusts: string;
  /** How much more all that is left of it cost, by average and by FIFO. */
  readonly value: Decimal;
  readonly fifoValue: Decimal;
  /** As it was worked out before, if that still holds. */
  readonly booked?: Spread | undefined;
}

/** Where a changed cost goes: to goods on hand, and to goods that have left. */
export interface Spread {
  readonly averageChange: Decimal;
  readonly fifoChange: Decimal;
  /** The change of the unit cost of the receipt's FIFO layer. */
  readonly raise: Decimal;
  readonly settles: Settlements;
}

/** A later change of what a movement was worth; signed like its worth, so that what left costs more when it is negative. */
export interface Settled {
  readonly average: Decimal;
  readonly fifo: Decimal;
  /** The layers that goods turned out to be of which had left before they came: negative quantities by id. */
  readonly from?: Readonly<Record<string, Decimal>>;
}

/** By the id of the movement whose worth changes. */
export type Settlements = Readonly<Record<string, Settled>>;

/** Adds settlements to sums of them. @param sign −1 takes them out again */
export function addSettled(sums: Map<string, Settled>, settles: Settlements, sign: 1 | -1 = 1): void {
  for (const [id, { average, fifo }] of Object.entries(settles)) {
    const sum = sums.get(id) ?? { average: '0', fifo: '0' };
    sums.set(id, {
      average: decimal(average).times(sign).plus(sum.average).toFixed(),
      fifo: decimal(fifo).times(sign).plus(sum.fifo).toFixed(),
    });
  }
}

/**
 * The change in value by a movement: signed like its quantity. Goods that come in while stock is negative change it by less than they cost,
 * as far as they settle the cost of goods that had already left.
 */
export interface Costing extends CostState {
  readonly id: string;
  readonly averageChange: Decimal;
  readonly fifoChange: Decimal;
  /** Unit cost of what came in; of what left, by average. */
  readonly unitCost: Decimal;
  /** Unit cost by FIFO of what left; of what came in, its cost; of a valuation movement, its change of the layer's unit cost. */
  readonly fifoUnitCost: Decimal;
  /** For what came in: how much is left of it in FIFO order. For what left: what had not come by then, below zero. */
  readonly remaining: Decimal;
  /** Its changes of layers, by their ids, its own included. */
  readonly parts: Readonly<Record<string, Decimal>>;
  /** What it changed of the worth of earlier movements. */
  readonly settles: Settlements;
}
