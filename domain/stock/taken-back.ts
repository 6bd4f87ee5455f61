/** Tracks how much of earlier movements has not been taken back yet: by returns, cancellations, or moves within the warehouse. */
import { type Decimal, decimal } from '../money.ts';
import { type Exact, type Parts, ZERO } from './fifo-layers.ts';

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
}

/** What is left of a movement; signed. */
export interface Left {
  readonly source: string | null;
  quantity: Exact;
  average: Exact;
  fifo: Exact;
  readonly parts: Parts;
}

type Done = Omit<Left, 'source'>;

export class TakenBack {
  readonly #left = new Map<string, Left>();

  /** @param done in order of date and entry, including everything that took back one another */
  constructor(done: readonly DoneMovement[]) {
    for (const { id, source, quantity, averageWorth, fifoWorth, parts } of done) {
      // A movement that did not fit its source when it was booked took back nothing.
      this.add(id, this.find(source, decimal(quantity)) === undefined ? null : source, {
        quantity: decimal(quantity),
        average: decimal(averageWorth),
        fifo: decimal(fifoWorth),
        parts: new Map(Object.entries(parts).map(([layer, size]) => [layer, decimal(size)])),
      });
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
    this.#left.set(id, { ...done, source, parts: new Map(done.parts) });
    for (let up = this.#of(source); up !== undefined; up = this.#of(up.source)) {
      up.quantity = up.quantity.plus(done.quantity);
      up.average = up.average.plus(done.average);
      up.fifo = up.fifo.plus(done.fifo);
      for (const [layer, size] of done.parts) up.parts.set(layer, (up.parts.get(layer) ?? ZERO).plus(size));
    }
  }

  #of(source: string | null): Left | undefined {
    return source === null ? undefined : this.#left.get(source);
  }
}
