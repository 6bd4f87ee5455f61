/**
 * What stock is worth, by FIFO and by weighted average at once, movement by movement in the order of date and entry
 * (PGC, valuation rule 10: weighted average cost, FIFO where preferred). One ledger is one item in one warehouse.
 */
import { type Decimal, decimal, round } from '../money.ts';

/** Decimals of values. */
const PLACES = 6;
/** Decimals of the cost of one unit: so many that quantities come back at the value they left with. */
const COST_PLACES = 12;

/** Goods that came in and are still there, by FIFO. */
export interface OpenLayer {
  readonly id: string;
  readonly remaining: Decimal;
  readonly unitCost: Decimal;
}

/** How a ledger stands after a movement. */
export interface CostState {
  /** On hand; negative when more was sold than had come in. */
  readonly quantity: Decimal;
  readonly averageValue: Decimal;
  readonly fifoValue: Decimal;
  /** The last known cost of one unit: values what leaves while nothing is there. */
  readonly lastCost: Decimal;
}

export interface CostedMovement {
  readonly id: string;
  /** Signed. */
  readonly quantity: Decimal;
  /** What one unit cost that comes in; null = as much as the present average (counts, finds). */
  readonly unitCost: Decimal | null;
  /** The same for the FIFO order, where it differs: goods that come back at what they left with. */
  readonly fifoUnitCost?: Decimal | null;
  /** The earlier movement of this ledger whose goods come in: put elsewhere in the warehouse, they are worth what they were. */
  readonly movedFrom?: string | null;
}

/** What a movement changed in value: signed, like its quantity. */
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
}

type Exact = ReturnType<typeof decimal>;
const ZERO = decimal(0);

/** What a movement took out, for goods that are put back into the same ledger. */
interface Departure {
  readonly quantity: Exact;
  readonly average: Exact;
  readonly fifo: Exact;
  /** How much of which open layers, by their position. */
  readonly parts: readonly { readonly position: number; readonly quantity: Exact }[];
}

/** A running valuation. `apply` takes movements in order; `taken` says how much of which earlier layer they used up. */
export class CostLedger {
  #quantity: Exact;
  #average: Exact;
  #fifo: Exact;
  #lastCost: Exact;
  readonly #open: { id: string; remaining: Exact; unitCost: Exact }[];
  #next = 0;
  readonly #departures = new Map<string, Departure>();
  /** Quantities used up of each layer, by its id. */
  readonly taken = new Map<string, Decimal>();

  /** @param open the layers with something left, the oldest first */
  constructor(state: CostState, open: readonly OpenLayer[]) {
    this.#quantity = decimal(state.quantity);
    this.#average = decimal(state.averageValue);
    this.#fifo = decimal(state.fifoValue);
    this.#lastCost = decimal(state.lastCost);
    this.#open = open.map(({ id, remaining, unitCost }) => ({
      id,
      remaining: decimal(remaining),
      unitCost: decimal(unitCost),
    }));
  }

  apply(movement: CostedMovement): Costing {
    const quantity = decimal(movement.quantity);
    if (movement.movedFrom != null) return this.#putBack(movement.id, movement.movedFrom);
    return quantity.gt(0) ? this.#comeIn(movement, quantity) : this.#leave(movement.id, quantity.neg());
  }

  /** What is left of each layer, those used up included. */
  remaining(): Map<string, Decimal> {
    return new Map(this.#open.map(({ id, remaining }) => [id, remaining.toFixed()]));
  }

  #comeIn(movement: CostedMovement, quantity: Exact): Costing {
    const unitCost = movement.unitCost === null ? this.#averageCost() : decimal(movement.unitCost);
    const fifoUnitCost = movement.fifoUnitCost == null ? unitCost : decimal(movement.fifoUnitCost);
    const before = { average: this.#average, fifo: this.#fifo };
    const owed = this.#quantity.lt(0) ? this.#quantity.neg() : ZERO;
    const rest = quantity.minus(owed);
    if (rest.gte(0)) {
      // What was sold before it came took a guess for its cost; what is there now is worth what it cost.
      const base = owed.gt(0) ? { average: ZERO, fifo: ZERO } : before;
      this.#average = base.average.plus(rounded(rest.times(unitCost)));
      this.#fifo = base.fifo.plus(rounded(rest.times(fifoUnitCost)));
    } else {
      this.#average = rounded(this.#average.times(rest).div(owed).neg());
      this.#fifo = rounded(this.#fifo.times(rest).div(owed).neg());
    }
    this.#quantity = this.#quantity.plus(quantity);
    this.#lastCost = unitCost;
    const remaining = rest.gt(0) ? rest : ZERO;
    if (remaining.gt(0)) this.#open.push({ id: movement.id, remaining, unitCost: fifoUnitCost });
    return this.#costing(movement.id, before, unitCost, fifoUnitCost, remaining);
  }

  #leave(id: string, quantity: Exact): Costing {
    const before = { average: this.#average, fifo: this.#fifo };
    const there = this.#quantity.gt(0) ? this.#quantity : ZERO;
    const covered = quantity.lt(there) ? quantity : there;
    const guessed = quantity.minus(covered);
    const cost = this.#averageCost();
    const all = covered.eq(there);
    const averageOut = all && there.gt(0) ? this.#average : rounded(covered.times(cost));
    const { cost: fifoTaken, parts } = this.#takeLayers(covered);
    const fifoOut = all && there.gt(0) ? this.#fifo : fifoTaken;
    const guess = rounded(guessed.times(cost));
    this.#average = this.#average.minus(averageOut).minus(guess);
    this.#fifo = this.#fifo.minus(fifoOut).minus(guess);
    this.#quantity = this.#quantity.minus(quantity);
    const gone = { quantity, average: averageOut.plus(guess), fifo: fifoOut.plus(guess), parts };
    this.#departures.set(id, gone);
    return this.#costing(id, before, gone.average.div(quantity), gone.fifo.div(quantity), ZERO);
  }

  /** The very goods that left come in again: value and layers are as they were. */
  #putBack(id: string, source: string): Costing {
    const gone = this.#departures.get(source);
    if (gone === undefined) throw new Error('goods come in before they have left');
    const before = { average: this.#average, fifo: this.#fifo };
    this.#average = this.#average.plus(gone.average);
    this.#fifo = this.#fifo.plus(gone.fifo);
    this.#quantity = this.#quantity.plus(gone.quantity);
    for (const { position, quantity } of gone.parts) {
      const layer = this.#open[position] as { id: string; remaining: Exact; unitCost: Exact };
      layer.remaining = layer.remaining.plus(quantity);
      this.taken.set(
        layer.id,
        decimal(this.taken.get(layer.id) ?? 0)
          .minus(quantity)
          .toFixed(),
      );
      this.#next = Math.min(this.#next, position);
    }
    return this.#costing(id, before, gone.average.div(gone.quantity), gone.fifo.div(gone.quantity), ZERO);
  }

  /** Uses up the oldest layers; their cost. */
  #takeLayers(quantity: Exact): { cost: Exact; parts: { position: number; quantity: Exact }[] } {
    let wanted = quantity;
    let cost = ZERO;
    const parts: { position: number; quantity: Exact }[] = [];
    while (wanted.gt(0) && this.#next < this.#open.length) {
      const layer = this.#open[this.#next] as { id: string; remaining: Exact; unitCost: Exact };
      const part = layer.remaining.lt(wanted) ? layer.remaining : wanted;
      layer.remaining = layer.remaining.minus(part);
      wanted = wanted.minus(part);
      cost = cost.plus(part.times(layer.unitCost));
      this.taken.set(layer.id, part.plus(this.taken.get(layer.id) ?? 0).toFixed());
      parts.push({ position: this.#next, quantity: part });
      if (layer.remaining.eq(0)) this.#next++;
    }
    return { cost: rounded(cost.plus(wanted.times(this.#lastCost))), parts };
  }

  #averageCost(): Exact {
    return this.#quantity.gt(0) ? this.#average.div(this.#quantity) : this.#lastCost;
  }

  #costing(
    id: string,
    before: { average: Exact; fifo: Exact },
    unitCost: Exact,
    fifoUnitCost: Exact,
    remaining: Exact,
  ): Costing {
    return {
      id,
      quantity: this.#quantity.toFixed(),
      averageValue: this.#average.toFixed(),
      fifoValue: this.#fifo.toFixed(),
      lastCost: this.#lastCost.toFixed(),
      averageChange: this.#average.minus(before.average).toFixed(),
      fifoChange: this.#fifo.minus(before.fifo).toFixed(),
      unitCost: round(unitCost, COST_PLACES),
      fifoUnitCost: round(fifoUnitCost, COST_PLACES),
      remaining: remaining.toFixed(),
    };
  }
}

function rounded(value: Exact): Exact {
  return decimal(round(value, PLACES));
}
