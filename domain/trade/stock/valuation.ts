/**
 * Values stock by FIFO and by weighted average at the same time, movement by movement in order of date and entry (PGC,
 * valuation rule 10: weighted average cost, or FIFO). A ledger covers one item in one warehouse.
 */
import { type Decimal, decimal } from '../../money.ts';
import {
  addPart,
  addParts,
  type Exact,
  notNegative,
  type Parts,
  roundToCents,
  roundUnitCost,
  roundValue,
  smaller,
  storedParts,
  ZERO,
} from './amounts.ts';
import type { CostedMovement, Costing, CostState, Revaluation, Settled, Spread } from './costing.ts';
import { Debts } from './debts.ts';
import { FifoLayers, type OpenLayer } from './fifo-layers.ts';
import { type BookedMovement, type MovementRemainder, MovementRemainders } from './movement-remainders.ts';
import { divide, ReceiptShares, scaleParts } from './receipt-shares.ts';

/** Maximum sum of the rounding differences of single movements. */
const RESIDUE = '0.0001';

/** Incoming goods: their quantity and their value by average. */
interface Arrival {
  readonly quantity: Exact;
  readonly average: Exact;
  /** FIFO value: what they added to layers. */
  readonly fifo: Exact;
  readonly shares: Parts;
}

/** The result of a movement other than the change of stock values. */
interface Booking {
  readonly unitCost: Exact;
  readonly fifoUnitCost: Exact;
  /** Its own changes of layers, including quantities taken before it came in. */
  readonly parts: Parts;
  readonly shares: Parts;
  /** Average cost if nothing is on hand afterwards. */
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
  readonly #remainders: MovementRemainders;
  readonly #shares: ReceiptShares;
  readonly #taken: Parts = new Map();

  /**
   * @param open layers, oldest first, including those that later movements may refill, and goods that left before they
   * came in
   * @param done movements that later ones take back, with everything that has already taken them back
   * @param revalued later receipts whose cost a valuation movement changes
   */
  constructor(
    state: CostState,
    open: readonly OpenLayer[],
    done: readonly BookedMovement[] = [],
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
    this.#remainders = new MovementRemainders(done);
    this.#shares = new ReceiptShares(revalued);
  }

  apply(movement: CostedMovement): Costing {
    const { id } = movement;
    const before = { average: this.#average, fifo: this.#fifo };
    const quantity = decimal(movement.quantity);
    const source = this.#remainders.find(movement.source, quantity);
    const sourceId = source === undefined ? null : (movement.source ?? null);
    const settles = new Map<string, Settled>();
    const booking = quantity.lt(0)
      ? this.#issue(id, quantity.neg(), source)
      : source === undefined
        ? this.#receive(movement, quantity, settles)
        : this.#takeBack(id, quantity, source, { sourceId: sourceId as string, settles });
    const unitCost = roundUnitCost(booking.unitCost);
    const fifoUnitCost = roundUnitCost(booking.fifoUnitCost);
    const change = { average: this.#average.minus(before.average), fifo: this.#fifo.minus(before.fifo) };
    const out = quantity.lt(0);
    this.#remainders.add(id, sourceId, {
      quantity,
      average: out ? change.average : roundValue(quantity.times(unitCost)),
      fifo: out ? change.fifo : roundValue(quantity.times(fifoUnitCost)),
      parts: booking.parts,
      shares: booking.shares,
    });
    const parts = withSettled(booking.parts, settles);
    for (const [layer, size] of parts) if (layer !== id) addPart(this.#taken, layer, size.neg());
    this.#quantity = this.#quantity.plus(quantity);
    this.#lastAverage = roundUnitCost(this.#quantity.gt(0) ? this.#averageCost() : booking.lastAverage);
    return this.#costing(id, change, { unitCost, fifoUnitCost, parts, settles });
  }

  /** Changes the cost of a receipt: the value of its goods on hand, and the cost of those that have left. */
  revalue({ id, adjusts, value, fifoValue, booked }: Revaluation): Costing {
    const { averageChange, fifoChange, raise, settles } =
      booked ?? this.#spread(adjusts, decimal(value), decimal(fifoValue));
    const change = { average: decimal(averageChange), fifo: decimal(fifoChange) };
    this.#average = this.#average.plus(change.average);
    this.#fifo = this.#fifo.plus(change.fifo);
    const layer = this.#layers.find(adjusts);
    if (layer?.unitCost.eq(this.#lastCost)) this.#lastCost = layer.unitCost.plus(raise);
    this.#layers.raise(adjusts, decimal(raise));
    for (const [settled, amounts] of Object.entries(settles)) this.#remainders.settle(settled, amounts);
    if (this.#quantity.gt(0)) this.#lastAverage = roundUnitCost(this.#averageCost());
    const more = { unitCost: ZERO, fifoUnitCost: decimal(raise), parts: new Map() };
    return this.#costing(id, change, { ...more, settles: new Map(Object.entries(settles)) });
  }

  /** Quantities consumed of each earlier layer by id; negative if goods returned to it. */
  get taken(): Map<string, Decimal> {
    return new Map([...this.#taken].map(([id, quantity]) => [id, quantity.toFixed()]));
  }

  /**
   * The remaining quantity of each layer, including consumed ones; below zero for goods that left before they came in.
   */
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

  #receive(movement: CostedMovement, quantity: Exact, settles: Map<string, Settled>): Booking {
    const { id } = movement;
    const given = movement.unitCost === null ? null : decimal(movement.unitCost);
    const unitCost = given ?? this.#averageCost();
    const fifoUnitCost = movement.fifoUnitCost == null ? (given ?? this.#lastCost) : decimal(movement.fifoUnitCost);
    if (given !== null) this.#lastCost = fifoUnitCost;
    const parts: Parts = new Map();
    const fifo = roundValue(this.#layers.add(id, quantity, fifoUnitCost, parts));
    const shares = this.#shares.receive(id, quantity);
    this.#addArrival({ quantity, average: roundValue(quantity.times(unitCost)), fifo, shares }, settles);
    return { unitCost, fifoUnitCost, parts, shares, lastAverage: unitCost };
  }

  /**
   * Issues goods, the oldest first. Goods returned to their supplier leave from the layers of their receipt where
   * possible, at its cost.
   */
  #issue(id: string, quantity: Exact, source: MovementRemainder | undefined): Booking {
    const there = notNegative(this.#quantity);
    const covered = smaller(quantity, there);
    const owed = quantity.minus(covered);
    const all = covered.eq(there) && there.gt(0);
    const cost = roundUnitCost(this.#averageCost());
    const value = source === undefined ? covered.times(cost) : source.average.times(covered).div(source.quantity);
    const averageOut = all ? this.#average : smaller(roundToCents(notNegative(value)), notNegative(this.#average));
    const parts: Parts = new Map();
    const own = this.#layers.takeFrom(source?.parts ?? new Map(), covered, parts);
    const oldest = this.#layers.takeOldest(own.missing, parts);
    const fifoTaken = roundValue(own.cost.plus(oldest.cost).plus(oldest.missing.times(this.#lastCost)));
    const ownShares = source && { shares: source.shares, part: covered.div(source.quantity) };
    const shares = there.gt(0) ? this.#shares.take(all ? undefined : covered.div(there), ownShares) : new Map();
    if (owed.gt(0)) {
      parts.set(id, owed.neg());
      this.#debts.add({ id, quantity: owed, averageCost: cost, fifoCost: this.#lastCost });
    }
    const out = {
      average: averageOut.plus(roundToCents(owed.times(cost))),
      fifo: (all ? this.#fifo : fifoTaken).plus(roundValue(owed.times(this.#lastCost))),
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
   * Takes goods back at the cost they left with, as known now, into the layers they left, last out first. Goods that
   * left before they came in, and have not come in since, return as if they had never left.
   */
  #takeBack(
    id: string,
    quantity: Exact,
    source: MovementRemainder,
    { sourceId, settles }: { readonly sourceId: string; readonly settles: Map<string, Settled> },
  ): Booking {
    const lastAverage = this.#averageCost();
    const left = source.quantity.abs();
    const whole = quantity.eq(left);
    const owed = this.#debts.owedQuantity(sourceId);
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
        : roundToCents(had.average.times(rest).div(had.quantity));
    const filled = this.#layers.refill(source.parts, rest, parts);
    // Goods of unknown layers form a layer of their own.
    const unit = had.quantity.gt(0) ? had.fifo.div(had.quantity) : ZERO;
    const layered = filled.cost.plus(this.#layers.add(id, filled.missing, roundUnitCost(unit), parts));
    // Exactly the value that had left, if the layers still cost the same.
    const fifo = whole && had.fifo.minus(layered).abs().lt(RESIDUE) ? had.fifo : roundValue(layered);
    const shares = scaleParts(source.shares, had.quantity.gt(0) ? rest.div(had.quantity).neg() : ZERO);
    this.#addArrival({ quantity: rest, average, fifo, shares }, settles);
    return {
      unitCost: average.plus(forgiven.average).div(quantity),
      // A layer of its own has this cost.
      fifoUnitCost: parts.has(id) ? unit : fifo.plus(forgiven.fifo).div(quantity),
      parts,
      shares,
      lastAverage,
    };
  }

  /**
   * Adds goods that are already in layers. They first settle the cost of goods that left before they came in, oldest
   * first.
   */
  #addArrival(arrival: Arrival, settles: Map<string, Settled>): void {
    let { quantity, average, fifo, shares } = arrival;
    for (let debt = this.#debts.oldest(); debt !== undefined && quantity.gt(0); debt = this.#debts.oldest()) {
      const guessed = this.#release(debt.id, quantity);
      const part = guessed.quantity.div(quantity);
      const from: Parts = new Map();
      const worth = {
        average: part.eq(1) ? average : roundValue(average.times(part)),
        fifo: roundValue(this.#layers.takeOldest(guessed.quantity, from).cost),
        shares: scaleParts(shares, part.neg()),
      };
      const settled: Settled = {
        average: guessed.average.minus(worth.average).toFixed(),
        fifo: guessed.fifo.minus(worth.fifo).toFixed(),
        from: storedParts(from),
      };
      settles.set(debt.id, settled);
      this.#remainders.settle(debt.id, settled, worth.shares);
      quantity = quantity.minus(guessed.quantity);
      average = average.minus(worth.average);
      fifo = fifo.minus(worth.fifo);
      shares = new Map([...shares].map(([id, share]) => [id, share.plus(worth.shares.get(id) ?? ZERO)]));
    }
    this.#average = this.#average.plus(average);
    this.#fifo = this.#fifo.plus(fifo);
    this.#shares.add(shares);
  }

  /** Removes part of a debt from the values. @returns its quantity and estimated cost */
  #release(id: string, quantity: Exact): { quantity: Exact; average: Exact; fifo: Exact } {
    const { part, last } = this.#debts.take(id, quantity);
    const [average, fifo] = [notNegative(this.#average.neg()), notNegative(this.#fifo.neg())];
    const guessed = {
      quantity: part.quantity,
      average: last ? average : smaller(roundToCents(part.quantity.times(part.averageCost)), average),
      fifo: last ? fifo : smaller(roundValue(part.quantity.times(part.fifoCost)), fifo),
    };
    this.#average = this.#average.plus(guessed.average);
    this.#fifo = this.#fifo.plus(guessed.fifo);
    return guessed;
  }

  /**
   * Divides a changed cost: by average according to how the receipt's goods left, mixed with others; by FIFO according
   * to its layer.
   */
  #spread(receipt: string, value: Exact, fifoValue: Exact): Spread {
    const outs = [...this.#remainders.outs()];
    const weights = (of: (left: MovementRemainder) => Parts) =>
      outs.map(([id, left]): [string, Exact] => [id, (of(left).get(receipt) ?? ZERO).neg()]);
    const average = divide(
      value,
      this.#shares.share(receipt),
      weights(({ shares }) => shares),
    );
    const layer = this.#layers.find(receipt);
    const remaining = layer?.remaining ?? ZERO;
    const fifo = divide(
      fifoValue,
      remaining,
      weights(({ parts }) => parts),
    );
    // The value of goods on hand is never negative.
    const raise = fifo.total.eq(0)
      ? ZERO
      : larger(roundUnitCost(fifoValue.div(fifo.total)), (layer?.unitCost ?? ZERO).neg());
    const settles = new Map<string, Settled>();
    for (const id of new Set([...average.gone.keys(), ...fifo.gone.keys()])) {
      const of = (gone: ReadonlyMap<string, Exact>) => (gone.get(id) ?? ZERO).neg().toFixed();
      settles.set(id, { average: of(average.gone), fifo: of(fifo.gone) });
    }
    // For the receipt itself by FIFO, as if all of it were on hand, with no more decimals than its layer has.
    const fifoOfAll = roundUnitCost(raise.times(this.#shares.receivedQuantity(receipt)));
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

/** Combines the layer changes at the time of the movement: what it brought less what had been taken of it before. */
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
