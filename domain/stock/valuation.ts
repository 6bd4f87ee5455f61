/**
 * Values stock by FIFO and by weighted average at once, movement by movement in order of date and entry (PGC, valuation rule 10: weighted
 * average cost, or FIFO). One ledger is one item in one warehouse.
 */
import { type Decimal, decimal, round } from '../money.ts';
import type { CostedMovement, Costing, CostState } from './costing.ts';
import { type Exact, FifoLayers, type OpenLayer, type Parts, smaller, ZERO } from './fifo-layers.ts';
import { cents, notNegative, rounded, sameSignOrNone } from './rounding.ts';
import { type DoneMovement, type Left, TakenBack } from './taken-back.ts';

/** The most that roundings of single movements add up to. */
const RESIDUE = '0.0001';
/** Decimals of unit costs: enough for quantities to return at the value they left with. */
const COST_PLACES = 12;

/** The value of a movement, and the values after it. */
interface Booking {
  readonly average: Exact;
  readonly fifo: Exact;
  readonly unitCost: Exact;
  readonly fifoUnitCost: Exact;
  readonly parts: Parts;
  /** If nothing is on hand afterwards. */
  readonly lastAverage: Exact;
}

/** A running valuation; `apply` takes movements in order. */
export class CostLedger {
  #quantity: Exact;
  #average: Exact;
  #fifo: Exact;
  #lastCost: Exact;
  #lastAverage: Exact;
  readonly #layers: FifoLayers;
  readonly #takenBack: TakenBack;
  readonly #taken = new Map<string, Exact>();

  /**
   * @param open layers, oldest first; including those that movements to come may refill
   * @param done movements that those to come take back, with everything that has already taken them back
   */
  constructor(state: CostState, open: readonly OpenLayer[], done: readonly DoneMovement[] = []) {
    this.#quantity = decimal(state.quantity);
    this.#average = decimal(state.averageValue);
    this.#fifo = decimal(state.fifoValue);
    this.#lastCost = decimal(state.lastCost);
    this.#lastAverage = decimal(state.lastAverage);
    this.#layers = new FifoLayers(open);
    this.#takenBack = new TakenBack(done);
  }

  apply(movement: CostedMovement): Costing {
    const { id } = movement;
    const quantity = decimal(movement.quantity);
    const source = this.#takenBack.find(movement.source, quantity);
    const booking = quantity.lt(0)
      ? this.#leave(quantity.neg(), source)
      : source === undefined
        ? this.#comeIn(movement, quantity)
        : this.#comeBack(id, quantity, source);
    const unitCost = round(booking.unitCost, COST_PLACES);
    const fifoUnitCost = round(booking.fifoUnitCost, COST_PLACES);
    const { parts } = booking;
    for (const [layer, size] of parts) {
      if (layer !== id) this.#taken.set(layer, (this.#taken.get(layer) ?? ZERO).minus(size));
    }
    const averageChange = booking.average.minus(this.#average);
    const fifoChange = booking.fifo.minus(this.#fifo);
    const out = quantity.lt(0);
    this.#takenBack.add(id, source === undefined ? null : (movement.source ?? null), {
      quantity,
      average: out ? averageChange : rounded(quantity.times(unitCost)),
      fifo: out ? fifoChange : rounded(quantity.times(fifoUnitCost)),
      parts,
    });
    this.#quantity = this.#quantity.plus(quantity);
    this.#average = booking.average;
    this.#fifo = booking.fifo;
    this.#lastAverage = decimal(round(this.#quantity.gt(0) ? this.#averageCost() : booking.lastAverage, COST_PLACES));
    return {
      id,
      quantity: this.#quantity.toFixed(),
      averageValue: this.#average.toFixed(),
      fifoValue: this.#fifo.toFixed(),
      lastCost: this.#lastCost.toFixed(),
      lastAverage: this.#lastAverage.toFixed(),
      averageChange: averageChange.toFixed(),
      fifoChange: fifoChange.toFixed(),
      unitCost,
      fifoUnitCost,
      remaining: (parts.get(id) ?? ZERO).toFixed(),
      parts: Object.fromEntries([...parts].map(([layer, size]) => [layer, size.toFixed()])),
    };
  }

  /** Quantities consumed of each earlier layer, by its id; negative where goods returned to it. */
  get taken(): Map<string, Decimal> {
    return new Map([...this.#taken].map(([id, quantity]) => [id, quantity.toFixed()]));
  }

  /** What is left of each layer, including consumed ones. */
  remaining(): Map<string, Decimal> {
    return this.#layers.remaining();
  }

  #comeIn(movement: CostedMovement, quantity: Exact): Booking {
    const given = movement.unitCost === null ? null : decimal(movement.unitCost);
    const unitCost = given ?? this.#averageCost();
    const fifoUnitCost = movement.fifoUnitCost == null ? (given ?? this.#lastCost) : decimal(movement.fifoUnitCost);
    if (given !== null) this.#lastCost = fifoUnitCost;
    const owed = this.#owed(quantity);
    const rest = quantity.minus(owed);
    const parts: Parts = new Map();
    this.#layers.add(movement.id, rest, fifoUnitCost, parts);
    const short = this.#quantity.plus(quantity);
    if (short.lt(0)) {
      const share = short.div(this.#quantity);
      const [average, fifo] = [rounded(this.#average.times(share)), rounded(this.#fifo.times(share))];
      return { average, fifo, unitCost, fifoUnitCost, parts, lastAverage: unitCost };
    }
    // Goods sold before they came had an estimated cost; what is on hand now is worth its actual cost.
    const base = owed.gt(0) ? { average: ZERO, fifo: ZERO } : { average: this.#average, fifo: this.#fifo };
    const average = base.average.plus(rounded(rest.times(unitCost)));
    const fifo = base.fifo.plus(rounded(rest.times(fifoUnitCost)));
    return { average, fifo, unitCost, fifoUnitCost, parts, lastAverage: unitCost };
  }

  /** Goods leave: the oldest first; goods returned to their supplier primarily from the layers of their receipt, at its cost. */
  #leave(quantity: Exact, source: Left | undefined): Booking {
    const there = this.#quantity.gt(0) ? this.#quantity : ZERO;
    const covered = smaller(quantity, there);
    const guessed = quantity.minus(covered);
    const all = covered.eq(there) && there.gt(0);
    const cost = this.#averageCost();
    const value = source === undefined ? covered.times(cost) : source.average.times(covered).div(source.quantity);
    const averageOut = all ? this.#average : smaller(cents(notNegative(value)), notNegative(this.#average));
    const parts: Parts = new Map();
    const own = this.#layers.takeFrom(source?.parts ?? new Map(), covered, parts);
    const oldest = this.#layers.takeOldest(own.missing, parts);
    const fifoTaken = rounded(own.cost.plus(oldest.cost).plus(oldest.missing.times(this.#lastCost)));
    const out = {
      average: averageOut.plus(cents(guessed.times(cost))),
      fifo: (all ? this.#fifo : fifoTaken).plus(rounded(guessed.times(this.#lastCost))),
    };
    return {
      average: this.#average.minus(out.average),
      fifo: this.#fifo.minus(out.fifo),
      unitCost: out.average.div(quantity),
      fifoUnitCost: out.fifo.div(quantity),
      parts,
      lastAverage: cost,
    };
  }

  /** Goods return at the cost they left with, to the layers they left, last out first. */
  #comeBack(id: string, quantity: Exact, source: Left): Booking {
    const whole = quantity.eq(source.quantity.abs());
    const [average, fifo] = [notNegative(source.average.neg()), notNegative(source.fifo.neg())];
    const share = quantity.div(source.quantity.abs());
    const worth = whole ? average : cents(average.times(share));
    const parts: Parts = new Map();
    const used = [...source.parts.values()].reduce((sum, size) => (size.lt(0) ? sum.minus(size) : sum), ZERO);
    // Goods that left when nothing was on hand have no layer to return to: they cover the shortage, else form a separate layer.
    const guessed = notNegative(source.quantity.abs().minus(used));
    const unlayered = smaller(guessed, quantity);
    const unlayeredCost = guessed.gt(0)
      ? notNegative(fifo.minus(this.#layers.costOf(source.parts))).div(guessed)
      : ZERO;
    const owed = this.#owed(quantity);
    const filled = this.#layers.refill(
      source.parts,
      quantity.minus(unlayered),
      notNegative(owed.minus(unlayered)),
      parts,
    );
    const own = this.#layers.add(id, notNegative(unlayered.minus(owed)), unlayeredCost, parts);
    const layered = filled.plus(own);
    // Exactly the value that had left, where the layers cost the same.
    const same = whole && fifo.minus(layered).abs().lt(RESIDUE);
    const fifoWorth = owed.gt(0) ? rounded(fifo.times(share)) : same ? fifo : rounded(layered);
    const after = this.#quantity.plus(quantity);
    return {
      average: sameSignOrNone(this.#average.plus(worth), after) ?? cents(after.times(worth).div(quantity)),
      fifo: owed.gt(0) && after.gte(0) ? rounded(layered) : this.#fifo.plus(fifoWorth),
      unitCost: worth.div(quantity),
      // The separate layer has this cost.
      fifoUnitCost: parts.has(id) ? unlayeredCost : fifoWorth.div(quantity),
      parts,
      lastAverage: this.#averageCost(),
    };
  }

  /** How much of the incoming quantity has already been sold. */
  #owed(quantity: Exact): Exact {
    return smaller(notNegative(this.#quantity.neg()), quantity);
  }

  #averageCost(): Exact {
    return this.#quantity.gt(0) ? this.#average.div(this.#quantity) : this.#lastAverage;
  }
}
