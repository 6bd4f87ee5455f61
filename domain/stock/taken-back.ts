/** Tracks what is left of earlier movements: how much has not been taken back yet, and what it is worth after later changes of its cost. */
import { type Decimal, decimal } from '../money.ts';
import type { Settled, Settlements } from './costing.ts';
import { addPart, addParts, type Exact, type Parts, partsOf } from './parts.ts';

/** An earlier movement, as booked. */
export interface DoneMovement {
  readonly id: string;
  /** The movement that it took back itself. */
  readonly source: string | null;
  /** Signed, as are all following amounts. */
  readonly quantity: Decimal;
  readonly averageWorth: Decimal;
  readonly fifoWorth: Decimal;
  /** Its changes of layers, by their ids. */
  readonly parts: Readonly<Record<string, Decimal>>;
  /** What it changed of the worth of earlier ones. */
  readonly settles: Settlements;
}

/** What is left of a movement; signed. */
export interface Left {
  readonly source: string | null;
  quantity: Exact;
  average: Exact;
  fifo: Exact;
  readonly parts: Parts;
  /** By average: how much it took of, or brought to, the goods on hand, of each receipt whose cost changes later. */
  readonly shares: Parts;
}

type Done = Omit<Left, 'source'>;

export class TakenBack {
  readonly #left = new Map<string, Left>();

  /** @param done in order of date and entry, including everything that took back one another, or settled its cost */
  constructor(done: readonly DoneMovement[]) {
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

  /** The movement that a quantity takes back; undefined if unknown, or less is left of it. */
  find(source: string | null | undefined, quantity: Exact): Left | undefined {
    const left = source == null ? undefined : this.#left.get(source);
    const fits = left?.quantity.times(quantity).lt(0) && left.quantity.abs().gte(quantity.abs());
    return fits ? left : undefined;
  }

  /** Records a movement. What is left of its source decreases, and what is left of the source's own source increases again. */
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

  /** Changes what a movement was worth. @param shares that it turns out to have taken */
  settle(id: string, { average, fifo, from = {} }: Settled, shares: Parts = new Map()): void {
    const left = this.#left.get(id);
    if (left === undefined) return;
    left.average = left.average.plus(average);
    left.fifo = left.fifo.plus(fifo);
    for (const [layer, quantity] of partsOf(from)) {
      addPart(left.parts, layer, quantity);
      addPart(left.parts, id, quantity.neg());
    }
    addParts(left.shares, shares);
  }

  /** What is left of the movements by which goods left, without those that took back others. */
  *outs(): Iterable<readonly [id: string, left: Left]> {
    for (const [id, left] of this.#left) if (left.source === null && left.quantity.lt(0)) yield [id, left];
  }

  #of(source: string | null): Left | undefined {
    return source === null ? undefined : this.#left.get(source);
  }
}

/** What a movement brought to layers, including what others had already taken before it came. */
function ownParts(parts: Readonly<Record<string, Decimal>>, settles: Settlements): Parts {
  const own = partsOf(parts);
  for (const [settled, { from = {} }] of Object.entries(settles)) {
    for (const [layer, quantity] of partsOf(from)) {
      addPart(own, layer, quantity.neg());
      addPart(own, settled, quantity);
    }
  }
  return own;
}
