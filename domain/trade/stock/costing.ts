/** Input and output of stock valuation. */
import { type Decimal, decimal } from '../../money.ts';

/** The state of a ledger after a movement. */
export interface CostState {
  /** Quantity on hand; negative when more was sold than had come in. */
  readonly quantity: Decimal;
  readonly averageValue: Decimal;
  readonly fifoValue: Decimal;
  /** Unit cost of the last receipt: the FIFO value of goods that leave when nothing is on hand. */
  readonly lastCost: Decimal;
  /** Last known average cost: the value of goods that leave when nothing is on hand. */
  readonly lastAverage: Decimal;
}

export interface CostedMovement {
  readonly id: string;
  /** Signed. */
  readonly quantity: Decimal;
  /** Unit cost of incoming goods; null = the current average cost, and the last cost by FIFO (for counts and finds). */
  readonly unitCost: Decimal | null;
  /** Unit cost for FIFO, if different: for goods from another warehouse. */
  readonly fifoUnitCost?: Decimal | null;
  /**
   * The earlier movement of this ledger that this one takes back, fully or partly: for a return, a cancellation, or a
   * move within the warehouse. Unknown ids are ignored.
   */
  readonly source?: string | null;
}

/**
 * A valuation movement: changes the cost of an earlier receipt, for example because its invoice differs from its note.
 */
export interface Revaluation {
  readonly id: string;
  /** The receipt whose cost changes. */
  readonly adjusts: string;
  /** Additional cost of the remaining goods of the receipt, by average and by FIFO. */
  readonly value: Decimal;
  readonly fifoValue: Decimal;
  /** The division computed before, if it still holds. */
  readonly booked?: Spread | undefined;
}

/** Division of a changed cost between goods on hand and goods that have left. */
export interface Spread {
  readonly averageChange: Decimal;
  readonly fifoChange: Decimal;
  /** Change of the unit cost of the receipt's FIFO layer. */
  readonly raise: Decimal;
  readonly settles: Settlements;
}

/** A later change of a movement's value, signed like the value: negative if goods that left turned out to cost more. */
export interface Settled {
  readonly average: Decimal;
  readonly fifo: Decimal;
  /** Layers of goods that had left before they came in: negative quantities by layer id. */
  readonly from?: Readonly<Record<string, Decimal>>;
}

/** Settlements by the id of the movement whose value changes. */
export type Settlements = Readonly<Record<string, Settled>>;

/** Adds settlements to running sums. @param sign −1 subtracts them */
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
 * The value change by a movement, signed like its quantity. Goods that come in while stock is negative change the value
 * by less than their cost, because part of it settles the cost of goods that had already left.
 */
export interface Costing extends CostState {
  readonly id: string;
  readonly averageChange: Decimal;
  readonly fifoChange: Decimal;
  /** Unit cost of goods that came in; average cost of goods that left. */
  readonly unitCost: Decimal;
  /**
   * FIFO unit cost of goods that left; cost of goods that came in; for a valuation movement, the change of the layer's
   * unit cost.
   */
  readonly fifoUnitCost: Decimal;
  /**
   * For incoming goods, the quantity left in FIFO order; for outgoing goods, below zero, the quantity that had not come
   * in by then.
   */
  readonly remaining: Decimal;
  /** Changes of layers by layer id, including its own. */
  readonly parts: Readonly<Record<string, Decimal>>;
  /** Changes of the value of earlier movements. */
  readonly settles: Settlements;
}
