/** Plans how goods move: the places that they leave or reach, the movements, and the levels afterwards. */
import { type Decimal, decimal, type Exact } from '../../money.ts';
import type { StockPlace } from './allocate.ts';
import { choosePlaces, type LyingPlace, type PlannedItem } from './choose-places.ts';
import { isDust } from './dust.ts';
import {
  type Commitment,
  generalPlace,
  type Level,
  type LevelChanges,
  type Place,
  placeKey,
  type Stock,
  stockKey,
} from './levels.ts';
import { isAtGeneralPlace, isOut, type Move, type Movement, namedPlace, type Part } from './movement.ts';

/** A stock with the level at its general place. */
export interface GeneralLevel extends Level, PlannedItem {}

/** A place other than the general one, with its level. */
export interface PlaceLevel extends Level, Omit<StockPlace, 'onHand' | 'zoneId' | 'batchId'> {}

export interface PlanRules {
  /** Whether the company lets stock fall below zero. */
  readonly allowsNegative: boolean;
  /** Makes the ids of movements and of new levels. */
  readonly newId: () => string;
}

/** A level as it was read, if it was there, and as it is planned. */
interface Planned {
  readonly before: Level | null;
  readonly now: Level;
}

const OPEN_PLACE = { zoneCode: null, batchNum: null, expiryDate: null, confirmed: true } as const;

/**
 * The moves of one change, each on the levels that the moves before it leave. Its stocks are locked until the change is written. Goods that
 * it brings to a place where there was no level yet stay there.
 */
export class StockPlan {
  readonly #levels = new Map<string, Planned>();
  /** The places that goods may leave, with their batches. */
  readonly #places = new Map<string, Omit<LyingPlace, 'onHand'>>();
  readonly #items = new Map<string, PlannedItem>();
  readonly #rules: PlanRules;
  readonly stocks: readonly Stock[];
  #knowsPlaces = false;

  /** @param stocks all that are going to change */
  constructor(stocks: readonly GeneralLevel[], rules: PlanRules) {
    this.#rules = rules;
    this.stocks = stocks;
    for (const { code, decimals, ...level } of stocks) {
      this.#items.set(level.itemId, { code, decimals });
      this.#add(level, OPEN_PLACE);
    }
  }

  /** Adds the other places of the stocks. */
  addPlaces(places: readonly PlaceLevel[]): void {
    this.#knowsPlaces = true;
    for (const { zoneCode, batchNum, expiryDate, confirmed, ...level } of places) {
      this.#add(level, { zoneCode, batchNum, expiryDate, confirmed });
    }
  }

  /** Whether the other places must be added before these moves can be planned. */
  needsPlaces(moves: readonly Move[]): boolean {
    return !this.#knowsPlaces && this.#directMoves(moves).size < moves.length;
  }

  /** The planned quantity at a place. */
  onHand(place: Place): Decimal {
    return decimal(this.#levels.get(placeKey(place))?.now.onHand ?? 0).toFixed();
  }

  /**
   * Plans moves of goods, and changes of what orders hold.
   * @param date of the movements: batches that expired before it do not leave
   * @returns the movements in the order of the moves
   * @throws ServiceError insufficient_stock naming each line with a shortage and what is on hand; batch_expired
   */
  move(moves: readonly Move[], commitments: readonly Commitment[], date: string): Movement[] {
    const direct = this.#directMoves(moves);
    const others = moves.filter((move) => !direct.has(move));
    // First of all, since it may refuse; the direct moves are of other stocks.
    const chosen = others.length === 0 ? [] : this.#choose(others, date);
    for (const commitment of commitments) this.#commit(commitment);
    const parts = [...direct].map((move): Part => ({ ...namedPlace(move), move, onHand: move.quantity }));
    this.#apply(parts);
    parts.push(...this.#sweep(direct));
    const order = new Map(moves.map((move, index) => [move, index]));
    return this.#movements(
      [...parts, ...chosen].sort((one, other) => (order.get(one.move) ?? 0) - (order.get(other.move) ?? 0)),
    );
  }

  /** The levels to write. */
  changes(): LevelChanges {
    const planned = [...this.#levels.values()];
    return {
      updated: planned.flatMap(({ before, now }) =>
        before === null || before === now ? [] : [{ before, after: now }],
      ),
      inserted: planned.flatMap(({ before, now }) => (before === null ? [now] : [])),
    };
  }

  #add(level: Level, place: typeof OPEN_PLACE | Omit<StockPlace, 'onHand' | 'zoneId' | 'batchId'>): void {
    const { itemId, warehouseId, zoneId, batchId } = level;
    this.#levels.set(placeKey(level), { before: level, now: level });
    this.#places.set(placeKey(level), { itemId, warehouseId, zoneId, batchId, ...place });
  }

  /** The moves whose stocks move at the general place alone, and have enough there. */
  #directMoves(moves: readonly Move[]): Set<Move> {
    const elsewhere = new Set(moves.filter((move) => !isAtGeneralPlace(move)).map(stockKey));
    const changes = sums(moves.map((move) => [stockKey(move), move.quantity]));
    return new Set(
      moves.filter((move) => {
        const change = changes.get(stockKey(move)) as Exact;
        return !elsewhere.has(stockKey(move)) && (change.gte(0) || change.plus(this.onHand(generalPlace(move))).gte(0));
      }),
    );
  }

  /** Removes the dust that moves leave at general places: of what went out, or where too much had gone out before. */
  #sweep(moves: Iterable<Move>): Part[] {
    const last = new Map<string, Move>();
    for (const move of moves) {
      const left = this.onHand(generalPlace(move));
      const { decimals } = this.#items.get(move.itemId) as PlannedItem;
      if (!isDust(left, decimals) || move.counted || !(isOut(move.quantity) || isOut(left))) continue;
      last.set(stockKey(move), move);
    }
    const parts = [...last.values()].map((move): Part => {
      const onHand = decimal(this.onHand(generalPlace(move)))
        .neg()
        .toFixed();
      return { ...generalPlace(move), move, rounding: true, onHand };
    });
    this.#apply(parts);
    return parts;
  }

  #commit({ reserved, incoming, ...stock }: Commitment): void {
    if (decimal(reserved).eq(0) && decimal(incoming).eq(0)) return;
    const { before, now } = this.#levels.get(placeKey(generalPlace(stock))) as Planned;
    const held = { reserved: plus(now.reserved, reserved), incoming: plus(now.incoming, incoming) };
    this.#levels.set(placeKey(now), { before, now: { ...now, ...held } });
  }

  /** Changes levels. A level that is below zero already may be filled up, whatever the company allows. */
  #apply(parts: readonly Part[]): void {
    const places = new Map(parts.map((part) => [placeKey(part), part]));
    for (const [key, change] of sums(parts.map((part) => [placeKey(part), part.onHand]))) {
      const { itemId, warehouseId, zoneId, batchId } = places.get(key) as Part;
      const { before, now } = this.#levels.get(key) ?? { before: null, now: null };
      if (now !== null && change.eq(0)) continue;
      const onHand = change.plus(now?.onHand ?? 0);
      const mayBeNegative = onHand.lt(0) && (this.#rules.allowsNegative || change.gte(0));
      const level = now ?? {
        id: this.#rules.newId(),
        itemId,
        warehouseId,
        zoneId,
        batchId,
        reserved: '0',
        incoming: '0',
      };
      this.#levels.set(key, { before, now: { ...level, onHand: onHand.toFixed(), mayBeNegative } });
    }
  }

  /** Moves goods from and to the places that are named, or chosen among those where goods lie. */
  #choose(moves: readonly Move[], date: string): Part[] {
    const lying = [...this.#places.values()].map((place) => ({ ...place, onHand: this.onHand(place) }));
    const parts = choosePlaces(moves, lying, { ...this.#rules, date, items: this.#items });
    this.#apply(parts);
    return parts;
  }

  /** The movements behind changed levels, each with its balance. */
  #movements(parts: readonly Part[]): Movement[] {
    const balances = new Map<string, Exact>();
    // Backwards from the last movement: the level after all of them is known.
    const backwards = [...parts]
      .reverse()
      .map(({ move, onHand: quantity, batchNum = null, rounding = false, ...place }): Movement => {
        const key = placeKey(place);
        const balance = balances.get(key) ?? decimal(this.onHand(place));
        balances.set(key, balance.minus(quantity));
        const { unitCost, fifoUnitCost, lineId: documentLineId, sourceId = null, pointer } = move;
        const own = { documentLineId, unitCost, fifoUnitCost, sourceId, pointer };
        return {
          id: this.#rules.newId(),
          ...place,
          batchNum,
          quantity,
          balance: balance.toFixed(),
          rounding,
          ...(rounding ? { documentLineId: null, unitCost: null, fifoUnitCost: null, sourceId: null } : own),
        };
      });
    return backwards.reverse();
  }
}

function plus(one: Decimal, other: Decimal): Decimal {
  return decimal(one).plus(other).toFixed();
}

function sums(changes: readonly (readonly [key: string, quantity: Decimal])[]): Map<string, Exact> {
  const totals = new Map<string, Exact>();
  for (const [key, quantity] of changes) totals.set(key, decimal(quantity).plus(totals.get(key) ?? 0));
  return totals;
}
