/**
 * Values stock by FIFO and by weighted average at once, movement by movement in order of date and entry (PGC, valuation rule 10: weighted
 * average cost, or FIFO). One ledger is one item in one warehouse.
 */
import { type Decimal, decimal } from '../money.ts';
import type { CostedMovement, Costing, CostState, Revaluation, Settled, Spread } from './costing.ts';
import { Debts } from './debts.ts';
import { FifoLayers, type OpenLayer } from './fifo-layers.ts';
import { addPart, addParts, type Exact, type Parts, smaller, storedParts, ZERO } from './parts.ts';
import { cents, costRounded, notNegative, rounded } from './rounding.ts';
import { divide, Pool, scaled } from './spread.ts';
import { type DoneMovement, type Left, TakenBack } from './taken-back.ts';

/** The most that roundings of single movements add up to. */
const RESIDUE = '0.0001';

/** Goods as they come in: how many, and what they are worth by average. */
interface Arrival {
  readonly quantity: Exact;
  readonly average: Exact;
  /** By FIFO: what they brought to layers. */
  readonly fifo: Exact;
  readonly shares: Parts;
}

/** What a movement did besides changing the values of the stock. */
interface Booking {
  readonly unitCost: Exact;
  readonly fifoUnitCost: Exact;
  /** Its own changes of layers, whatever was taken of them before it came. */
  readonly parts: Parts;
  readonly shares: Parts;
  /** If nothing is on hand afterwards. */
  readonly lastAverage: Exact;
}

/** A running valuation; `apply` and `revalue` take movements in order. */
export class CostLedger {
  #quantity: Exact;
  #average: Exact;
  #fifo: Exact;
  #lastCost: Exact;
  #lastAverage: Exact;
  readonly #layers: FifoLayers;
  readonly #debts: Debts;
  readonly #takenBack: TakenBack;
  readonly #pool: Pool;
  readonly #taken: Parts = new Map();

  /**
   * @param open layers, oldest first; including those that movements to come may refill, and goods that left before they came
   * @param done movements that those to come take back, with everything that has already taken them back
   * @param revalued receipts to come whose cost a valuation movement changes
   */
  constructor(
    state: CostState,
    open: readonly OpenLayer[],
    done: readonly DoneMovement[] = [],
    revalued: ReadonlySet<string> = new Set(),
  ) {
    this.#quantity = decimal(state.quantity);
    this.#average = decimal(state.averageValue);
    this.#fifo = decimal(state.fifoValue);
    this.#lastCost = decimal(state.lastCost);
    this.#lastAverage = decimal(state.lastAverage);
    this.#layers = new FifoLayers(open.filter(({ averageCost }) => averageCost == null));
    this.#debts = new Debts(
      open.flatMap(({ id, remaining, unitCost, averageCost }) => {
        if (averageCost == null || !decimal(remaining).lt(0)) return [];
        const quantity = decimal(remaining).neg();
        return [{ id, quantity, averageCost: decimal(averageCost), fifoCost: decimal(unitCost) }];
      }),
    );
    this.#takenBack = new TakenBack(done);
    this.#pool = new Pool(revalued);
  }

  apply(movement: CostedMovement): Costing {
    const { id } = movement;
    const before = { average: this.#average, fifo: this.#fifo };
    const quantity = decimal(movement.quantity);
    const source = this.#takenBack.find(movement.source, quantity);
    const sourceId = source === undefined ? null : (movement.source ?? null);
    const settles = new Map<string, Settled>();
    const booking = quantity.lt(0)
      ? this.#leave(id, quantity.neg(), source)
      : source === undefined
        ? this.#comeIn(movement, quantity, settles)
        : this.#comeBack(id, quantity, source, { sourceId: sourceId as string, settles });
    const unitCost = costRounded(booking.unitCost);
    const fifoUnitCost = costRounded(booking.fifoUnitCost);
    const change = { average: this.#average.minus(before.average), fifo: this.#fifo.minus(before.fifo) };
    const out = quantity.lt(0);
    this.#takenBack.add(id, sourceId, {
      quantity,
      average: out ? change.average : rounded(quantity.times(unitCost)),
      fifo: out ? change.fifo : rounded(quantity.times(fifoUnitCost)),
      parts: booking.parts,
      shares: booking.shares,
    });
    const parts = withSettled(booking.parts, settles);
    for (const [layer, size] of parts) if (layer !== id) addPart(this.#taken, layer, size.neg());
    this.#quantity = this.#quantity.plus(quantity);
    this.#lastAverage = costRounded(this.#quantity.gt(0) ? this.#averageCost() : booking.lastAverage);
    return this.#costing(id, change, { unitCost, fifoUnitCost, parts, settles });
  }

  /** Changes what a receipt cost: what is on hand of it changes its value, what has left its cost. */
  revalue({ id, adjusts, value, fifoValue, booked }: Revaluation): Costing {
    const { averageChange, fifoChange, raise, settles } =
      booked ?? this.#spread(adjusts, decimal(value), decimal(fifoValue));
    const change = { average: decimal(averageChange), fifo: decimal(fifoChange) };
    this.#average = this.#average.plus(change.average);
    this.#fifo = this.#fifo.plus(change.fifo);
    const layer = this.#layers.find(adjusts);
    if (layer?.unitCost.eq(this.#lastCost)) this.#lastCost = layer.unitCost.plus(raise);
    this.#layers.raise(adjusts, decimal(raise));
    for (const [settled, amounts] of Object.entries(settles)) this.#takenBack.settle(settled, amounts);
    if (this.#quantity.gt(0)) this.#lastAverage = costRounded(this.#averageCost());
    const more = { unitCost: ZERO, fifoUnitCost: decimal(raise), parts: new Map() };
    return this.#costing(id, change, { ...more, settles: new Map(Object.entries(settles)) });
  }

  /** Quantities consumed of each earlier layer, by its id; negative where goods returned to it. */
  get taken(): Map<string, Decimal> {
    return new Map([...this.#taken].map(([id, quantity]) => [id, quantity.toFixed()]));
  }

  /** What is left of each layer, including consumed ones; below zero what is owed of goods that left before they came. */
  remaining(): Map<string, Decimal> {
    const layers = this.#layers.all().map(({ id, remaining }): [string, Decimal] => [id, remaining.toFixed()]);
    const debts = [...this.#debts.remaining()].map(([id, owed]): [string, Decimal] => [id, owed.neg().toFixed()]);
    return new Map([...layers, ...debts]);
  }

  #costing(
    id: string,
    change: { readonly average: Exact; readonly fifo: Exact },
    more: {
      readonly unitCost: Exact;
      readonly fifoUnitCost: Exact;
      readonly parts: Parts;
      readonly settles: ReadonlyMap<string, Settled>;
    },
  ): Costing {
    return {
      id,
      quantity: this.#quantity.toFixed(),
      averageValue: this.#average.toFixed(),
      fifoValue: this.#fifo.toFixed(),
      lastCost: this.#lastCost.toFixed(),
      lastAverage: this.#lastAverage.toFixed(),
      averageChange: change.average.toFixed(),
      fifoChange: change.fifo.toFixed(),
      unitCost: more.unitCost.toFixed(),
      fifoUnitCost: more.fifoUnitCost.toFixed(),
      remaining: (more.parts.get(id) ?? ZERO).toFixed(),
      parts: storedParts(more.parts),
      settles: Object.fromEntries(more.settles),
    };
  }

  #comeIn(movement: CostedMovement, quantity: Exact, settles: Map<string, Settled>): Booking {
    const { id } = movement;
    const given = movement.unitCost === null ? null : decimal(movement.unitCost);
    const unitCost = given ?? this.#averageCost();
    const fifoUnitCost = movement.fifoUnitCost == null ? (given ?? this.#lastCost) : decimal(movement.fifoUnitCost);
    if (given !== null) this.#lastCost = fifoUnitCost;
    const parts: Parts = new Map();
    const fifo = rounded(this.#layers.add(id, quantity, fifoUnitCost, parts));
    const shares = this.#pool.broughtBy(id, quantity);
    this.#arrive({ quantity, average: rounded(quantity.times(unitCost)), fifo, shares }, settles);
    return { unitCost, fifoUnitCost, parts, shares, lastAverage: unitCost };
  }

  /** Goods leave: the oldest first; goods returned to their supplier primarily from the layers of their receipt, at its cost. */
  #leave(id: string, quantity: Exact, source: Left | undefined): Booking {
    const there = notNegative(this.#quantity);
    const covered = smaller(quantity, there);
    const owed = quantity.minus(covered);
    const all = covered.eq(there) && there.gt(0);
    const cost = costRounded(this.#averageCost());
    const value = source === undefined ? covered.times(cost) : source.average.times(covered).div(source.quantity);
    const averageOut = all ? this.#average : smaller(cents(notNegative(value)), notNegative(this.#average));
    const parts: Parts = new Map();
    const own = this.#layers.takeFrom(source?.parts ?? new Map(), covered, parts);
    const oldest = this.#layers.takeOldest(own.missing, parts);
    const fifoTaken = rounded(own.cost.plus(oldest.cost).plus(oldest.missing.times(this.#lastCost)));
    const ownShares = source && { shares: source.shares, part: covered.div(source.quantity) };
    const shares = there.gt(0) ? this.#pool.take(all ? undefined : covered.div(there), ownShares) : new Map();
    if (owed.gt(0)) {
      parts.set(id, owed.neg());
      this.#debts.add({ id, quantity: owed, averageCost: cost, fifoCost: this.#lastCost });
    }
    const out = {
      average: averageOut.plus(cents(owed.times(cost))),
      fifo: (all ? this.#fifo : fifoTaken).plus(rounded(owed.times(this.#lastCost))),
    };
    this.#average = this.#average.minus(out.average);
    this.#fifo = this.#fifo.minus(out.fifo);
    return {
      unitCost: out.average.div(quantity),
      fifoUnitCost: out.fifo.div(quantity),
      parts,
      shares,
      lastAverage: cost,
    };
  }

  /**
   * Goods return at the cost they left with, as it is known now, to the layers they left, last out first. What had left before it came, and
   * has not come since, comes back as if it had never left.
   */
  #comeBack(
    id: string,
    quantity: Exact,
    source: Left,
    { sourceId, settles }: { readonly sourceId: string; readonly settles: Map<string, Settled> },
  ): Booking {
    const lastAverage = this.#averageCost();
    const left = source.quantity.abs();
    const whole = quantity.eq(left);
    const owed = this.#debts.of(sourceId);
    const forgiven = owed.gt(0) ? this.#release(sourceId, quantity) : { quantity: ZERO, average: ZERO, fifo: ZERO };
    const rest = quantity.minus(forgiven.quantity);
    const parts: Parts = new Map(forgiven.quantity.gt(0) ? [[sourceId, forgiven.quantity]] : []);
    const had = {
      quantity: left.minus(owed),
      average: notNegative(source.average.neg().minus(forgiven.average)),
      fifo: notNegative(source.fifo.neg().minus(forgiven.fifo)),
    };
    const average = rest.eq(0)
      ? ZERO
      : rest.eq(had.quantity)
        ? had.average
        : cents(had.average.times(rest).div(had.quantity));
    const filled = this.#layers.refill(source.parts, rest, parts);
    // Goods whose layer is not known form one of their own.
    const unit = had.quantity.gt(0) ? had.fifo.div(had.quantity) : ZERO;
    const layered = filled.cost.plus(this.#layers.add(id, filled.missing, costRounded(unit), parts));
    // Exactly the value that had left, where the layers cost the same.
    const fifo = whole && had.fifo.minus(layered).abs().lt(RESIDUE) ? had.fifo : rounded(layered);
    const shares = scaled(source.shares, had.quantity.gt(0) ? rest.div(had.quantity).neg() : ZERO);
    this.#arrive({ quantity: rest, average, fifo, shares }, settles);
    return {
      unitCost: average.plus(forgiven.average).div(quantity),
      // A layer of its own has this cost.
      fifoUnitCost: parts.has(id) ? unit : fifo.plus(forgiven.fifo).div(quantity),
      parts,
      shares,
      lastAverage,
    };
  }

  /** Adds goods that have come to layers already. First they settle the cost of goods that left before they came, oldest first. */
  #arrive(arrival: Arrival, settles: Map<string, Settled>): void {
    let { quantity, average, fifo, shares } = arrival;
    for (let debt = this.#debts.oldest(); debt !== undefined && quantity.gt(0); debt = this.#debts.oldest()) {
      const guessed = this.#release(debt.id, quantity);
      const part = guessed.quantity.div(quantity);
      const from: Parts = new Map();
      const worth = {
        average: part.eq(1) ? average : rounded(average.times(part)),
        fifo: rounded(this.#layers.takeOldest(guessed.quantity, from).cost),
        shares: scaled(shares, part.neg()),
      };
      const settled: Settled = {
        average: guessed.average.minus(worth.average).toFixed(),
        fifo: guessed.fifo.minus(worth.fifo).toFixed(),
        from: storedParts(from),
      };
      settles.set(debt.id, settled);
      this.#takenBack.settle(debt.id, settled, worth.shares);
      quantity = quantity.minus(guessed.quantity);
      average = average.minus(worth.average);
      fifo = fifo.minus(worth.fifo);
      shares = new Map([...shares].map(([id, share]) => [id, share.plus(worth.shares.get(id) ?? ZERO)]));
    }
    this.#average = this.#average.plus(average);
    this.#fifo = this.#fifo.plus(fifo);
    this.#pool.add(shares);
  }

  /** Takes a part of a debt out of the values. @returns its quantity, and what it had been guessed to cost */
  #release(id: string, quantity: Exact): { quantity: Exact; average: Exact; fifo: Exact } {
    const { part, last } = this.#debts.take(id, quantity);
    const [average, fifo] = [notNegative(this.#average.neg()), notNegative(this.#fifo.neg())];
    const guessed = {
      quantity: part.quantity,
      average: last ? average : smaller(cents(part.quantity.times(part.averageCost)), average),
      fifo: last ? fifo : smaller(rounded(part.quantity.times(part.fifoCost)), fifo),
    };
    this.#average = this.#average.plus(guessed.average);
    this.#fifo = this.#fifo.plus(guessed.fifo);
    return guessed;
  }

  /** Divides a changed cost: by average by how the receipt's goods went, mixed with others; by FIFO by how its layer went. */
  #spread(receipt: string, value: Exact, fifoValue: Exact): Spread {
    const outs = [...this.#takenBack.outs()];
    const weights = (of: (left: Left) => Parts) =>
      outs.map(([id, left]): [string, Exact] => [id, (of(left).get(receipt) ?? ZERO).neg()]);
    const average = divide(
      value,
      this.#pool.of(receipt),
      weights(({ shares }) => shares),
    );
    const layer = this.#layers.find(receipt);
    const remaining = layer?.remaining ?? ZERO;
    const fifo = divide(
      fifoValue,
      remaining,
      weights(({ parts }) => parts),
    );
    // Goods on hand are never worth less than nothing.
    const raise = fifo.total.eq(0)
      ? ZERO
      : larger(costRounded(fifoValue.div(fifo.total)), (layer?.unitCost ?? ZERO).neg());
    const settles = new Map<string, Settled>();
    for (const id of new Set([...average.gone.keys(), ...fifo.gone.keys()])) {
      const of = (gone: ReadonlyMap<string, Exact>) => (gone.get(id) ?? ZERO).neg().toFixed();
      settles.set(id, { average: of(average.gone), fifo: of(fifo.gone) });
    }
    // Of the receipt itself by FIFO: as if all of it were there. With no more decimals than its layer keeps.
    const fifoOfAll = costRounded(raise.times(this.#pool.broughtOf(receipt)));
    settles.set(receipt, { average: value.toFixed(), fifo: fifoOfAll.toFixed() });
    return {
      averageChange: larger(average.here, notNegative(this.#average).neg()).toFixed(),
      fifoChange: larger(fifo.here, notNegative(this.#fifo).neg()).toFixed(),
      raise: raise.toFixed(),
      settles: Object.fromEntries(settles),
    };
  }

  #averageCost(): Exact {
    return this.#quantity.gt(0) ? this.#average.div(this.#quantity) : this.#lastAverage;
  }
}

/** The changes of layers at the time of the movement: what it brought, less what had been taken of it before. */
function withSettled(own: Parts, settles: ReadonlyMap<string, Settled>): Parts {
  const parts = new Map(own);
  for (const [id, { from = {} }] of settles) {
    const taken = Object.entries(from).map(([layer, quantity]): [string, Exact] => [layer, decimal(quantity)]);
    addParts(parts, taken);
    for (const [, quantity] of taken) addPart(parts, id, quantity.neg());
  }
  return parts;
}

function larger(one: Exact, other: Exact): Exact {
  return one.gt(other) ? one : other;
}
