/**
 * Tracks the remainder of earlier movements: the quantity not taken back yet, and its value after later cost changes.
 */
import { type Decimal, decimal } from '../../money.ts';
import { addPart, addParts, type Exact, type Parts, parseParts } from './amounts.ts';
import type { Settled, Settlements } from './costing.ts';

/** An earlier movement, as booked. */
export interface BookedMovement {
  readonly id: string;
  /** The movement that this one took back. */
  readonly source: string | null;
  /** Signed, as are all following amounts. */
  readonly quantity: Decimal;
  readonly averageWorth: Decimal;
  readonly fifoWorth: Decimal;
  /** Changes of layers by layer id. */
  readonly parts: Readonly<Record<string, Decimal>>;
  /** Changes of the value of earlier movements. */
  readonly settles: Settlements;
}

/** The part of a movement that has not been taken back; signed. */
export interface MovementRemainder {
  readonly source: string | null;
  quantity: Exact;
  average: Exact;
  fifo: Exact;
  readonly parts: Parts;
  /**
   * By average: quantities of each receipt with a later cost change that it took from, or brought to, the goods on
   * hand.
   */
  readonly shares: Parts;
}

type Done = Omit<MovementRemainder, 'source'>;

export class MovementRemainders {
  readonly #left = new Map<string, MovementRemainder>();

  /** @param done in order of date and entry, including all movements that took others back or settled their cost */
  constructor(done: readonly BookedMovement[]) {
    for (const { id, source, quantity, averageWorth, fifoWorth, parts, settles } of done) {
      // A movement that did not fit its source when it was booked took back nothing.
      this.add(id, this.find(source, decimal(quantity)) === undefined ? null : source, {
        quantity: decimal(quantity),
        average: decimal(averageWorth),
        fifo: decimal(fifoWorth),
        parts: ownParts(parts, settles),
        shares: new Map(),
      });
      for (const [settled, change] of Object.entries(settles)) this.settle(settled, change);
    }
  }

  /** Finds the movement that a quantity takes back; undefined if unknown, or if less of it remains. */
  find(source: string | null | undefined, quantity: Exact): MovementRemainder | undefined {
    const left = source == null ? undefined : this.#left.get(source);
    const fits = left?.quantity.times(quantity).lt(0) && left.quantity.abs().gte(quantity.abs());
    return fits ? left : undefined;
  }

  /** Records a movement. It reduces the remainder of its source, and restores that of the source's own source. */
  add(id: string, source: string | null, done: Done): void {
    this.#left.set(id, { ...done, source, parts: new Map(done.parts), shares: new Map(done.shares) });
    for (let up = this.#of(source); up !== undefined; up = this.#of(up.source)) {
      up.quantity = up.quantity.plus(done.quantity);
      up.average = up.average.plus(done.average);
      up.fifo = up.fifo.plus(done.fifo);
      addParts(up.parts, done.parts);
      addParts(up.shares, done.shares);
    }
  }

  /** Changes the value of a movement. @param shares that it turns out to have taken */
  settle(id: string, { average, fifo, from = {} }: Settled, shares: Parts = new Map()): void {
    const left = this.#left.get(id);
    if (left === undefined) return;
    left.average = left.average.plus(average);
    left.fifo = left.fifo.plus(fifo);
    for (const [layer, quantity] of parseParts(from)) {
      addPart(left.parts, layer, quantity);
      addPart(left.parts, id, quantity.neg());
    }
    addParts(left.shares, shares);
  }

  /** Remainders of the movements by which goods left, except those that took others back. */
  *outs(): Iterable<readonly [id: string, left: MovementRemainder]> {
    for (const [id, left] of this.#left) if (left.source === null && left.quantity.lt(0)) yield [id, left];
  }

  #of(source: string | null): MovementRemainder | undefined {
    return source === null ? undefined : this.#left.get(source);
  }
}

/** The quantities that a movement brought to layers, including those already taken before it came in. */
function ownParts(parts: Readonly<Record<string, Decimal>>, settles: Settlements): Parts {
  const own = parseParts(parts);
  for (const [settled, { from = {} }] of Object.entries(settles)) {
    for (const [layer, quantity] of parseParts(from)) {
      addPart(own, layer, quantity.neg());
      addPart(own, settled, quantity);
    }
  }
  return own;
}
