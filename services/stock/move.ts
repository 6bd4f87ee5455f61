/** Moves goods: decides where they leave from or come to, changes the levels, and says which movements that makes. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import { type Pick, Shelf, type StockPlace, type Take } from '../../domain/stock/allocate.ts';
import { listed } from '../../domain/words.ts';
import {
  changeGeneral,
  changePlaces,
  isOut,
  type LyingPlace,
  type PlaceChange,
  placeKey,
  placesOf,
  type Stock,
  type StockChange,
  stockKey,
} from './levels.ts';

/** Goods of one line that go in or out. */
export interface Move extends Stock {
  /** The line of the document; null for counts and transfers. */
  readonly lineId: string | null;
  /** Signed, in the item's own unit. */
  readonly quantity: Decimal;
  /** Only from or to this zone; null = the warehouse as a whole. */
  readonly zoneId: string | null;
  /** The place of the batch, for what comes in or goes back to where it was. */
  readonly batchId: string | null;
  /** Out: the batches to take, by name; none = first expired first out. */
  readonly batches: readonly { readonly batchNum: string; readonly quantity: Decimal }[];
  readonly allowExpired: boolean;
  /** Out: whether named batches may be pending; goods that stay in the company. */
  readonly allowPending?: boolean;
  /** Out, without zone: only what lies in no zone. */
  readonly outsideZones?: boolean;
  /** The movement that this one takes back; in: also the one that took the goods out elsewhere. They are worth what they moved with. */
  readonly sourceId?: string;
  /** True for exactly this zone and batch (counts, undoing a movement), false for a choice among what is there. */
  readonly exact: boolean;
  /** With `exact`: what is missing there leaves from elsewhere in the warehouse, of the batches named. */
  readonly elsewhere?: boolean;
  /** What one unit cost that comes in; null = the present average. */
  readonly unitCost: Decimal | null;
  readonly fifoUnitCost: Decimal | null;
  /** Where in the request's body the line stands; for the answer when there is not enough. */
  readonly pointer?: string;
}

export interface Movement extends Stock {
  readonly id: string;
  readonly zoneId: string | null;
  readonly batchId: string | null;
  /** Of what was picked; null for what came in. */
  readonly batchNum: string | null;
  readonly quantity: Decimal;
  /** On hand at that place after this movement. */
  readonly balance: Decimal;
  readonly documentLineId: string | null;
  readonly unitCost: Decimal | null;
  readonly fifoUnitCost: Decimal | null;
  readonly sourceId: string | null;
}

/** One part of a move, at one place. */
interface Part extends PlaceChange {
  readonly move: Move;
  readonly batchNum?: string | null;
}

/** A move at the general place of its warehouse. */
export const PLAIN = {
  zoneId: null,
  batchId: null,
  batches: [],
  allowExpired: false,
  exact: false,
  unitCost: null,
  fifoUnitCost: null,
} as const;

/**
 * Moves goods and changes commitments. The rows stay locked until the transaction ends, so that of two takers of the last piece
 * the second sees what the first has left.
 * @param date the day of the movements: what has expired before it does not leave
 * @throws ServiceError insufficient_stock naming each line that cannot be had and what is there; batch_expired
 */
export async function moveStock(
  trx: Db,
  ctx: Context,
  moves: readonly Move[],
  commitments: readonly StockChange[],
  date: string,
): Promise<Movement[]> {
  const plain = plainStocks(moves);
  const direct = moves.filter((move) => plain.has(stockKey(move)));
  const general = await changeGeneral(trx, ctx, [
    ...commitments,
    ...moves.map((move) => ({
      itemId: move.itemId,
      warehouseId: move.warehouseId,
      onHand: plain.has(stockKey(move)) ? move.quantity : '0',
      reserved: '0',
      incoming: '0',
    })),
  ]);
  const done = direct.filter((move) => general.has(stockKey(move)));
  const rest = moves.filter((move) => !done.includes(move));
  const parts: Part[] = done.map((move) => ({ ...placeOf(move), move, onHand: move.quantity }));
  const levels = new Map(
    [...general].map(([key, onHand]): [string, Decimal] => [`${key}  `, onHand]), // the key of a general place
  );
  if (rest.length > 0) {
    const placed = await movePlaced(trx, ctx, rest, refusedCommitments(commitments, general), date);
    parts.push(...placed.parts);
    for (const [key, onHand] of placed.levels) levels.set(key, onHand);
  }
  const order = new Map(moves.map((move, index) => [move, index]));
  parts.sort((one, other) => (order.get(one.move) ?? 0) - (order.get(other.move) ?? 0));
  return movementsOf(parts, levels);
}

/** The stocks of which every move concerns the general place alone, so that no place has to be chosen. */
function plainStocks(moves: readonly Move[]): Set<string> {
  const plain = new Set(moves.map(stockKey));
  for (const move of moves) {
    if (move.zoneId !== null || move.batchId !== null || move.batches.length > 0) plain.delete(stockKey(move));
  }
  return plain;
}

/** Commitments of rows that were left as they are, because goods could not leave the general place. */
function refusedCommitments(
  commitments: readonly StockChange[],
  changed: ReadonlyMap<string, Decimal>,
): readonly StockChange[] {
  return commitments.filter((change) => !changed.has(stockKey(change)));
}

async function movePlaced(
  trx: Db,
  ctx: Context,
  moves: readonly Move[],
  commitments: readonly StockChange[],
  date: string,
): Promise<{ parts: Part[]; levels: Map<string, Decimal> }> {
  if (commitments.length > 0) await changeGeneral(trx, ctx, commitments);
  const { places, codes, allowsNegative } = await placesOf(trx, moves);
  const parts = choosePlaces(moves, places, { date, allowsNegative, codes });
  const changes = parts.map(({ move: _move, batchNum: _batchNum, ...change }) => change);
  return { parts, levels: await changePlaces(trx, ctx, changes, allowsNegative) };
}

interface Rules {
  readonly date: string;
  readonly allowsNegative: boolean;
  /** Codes of the items, by id. */
  readonly codes: Readonly<Record<string, string>>;
}

/** @throws ServiceError insufficient_stock, batch_expired */
function choosePlaces(moves: readonly Move[], places: readonly LyingPlace[], rules: Rules): Part[] {
  const byStock = new Map<string, LyingPlace[]>();
  for (const place of places) byStock.set(stockKey(place), [...(byStock.get(stockKey(place)) ?? []), place]);
  const shelves = new Map<string, Shelf>();
  const faults: { pointer: string; code: string; message: string }[] = [];
  const parts: Part[] = [];
  for (const move of moves) {
    if (!isOut(move.quantity)) {
      parts.push({ ...placeOf(move), move, onHand: move.quantity, batchNum: move.batches[0]?.batchNum ?? null });
      continue;
    }
    const key = stockKey(move);
    const here = byStock.get(key) ?? [];
    const shelf = shelves.get(key) ?? new Shelf(here, rules.date);
    shelves.set(key, shelf);
    const { picks, missing, expiredBatch } = move.exact ? exactly(move, here, shelf) : shelf.take(takeOf(move));
    if (expiredBatch !== null) throw batchExpired(move, expiredBatch);
    const taken = picks.map((pick) => partOf(move, pick));
    if (decimal(missing).lte(0)) parts.push(...taken);
    else if (rules.allowsNegative) parts.push(...withMissing(taken, move, missing));
    else faults.push(shortage(move, rules.codes[move.itemId] ?? 'The item', missing, shelf));
  }
  if (faults.length > 0) throw insufficientStock(faults);
  return parts;
}

/** Below zero goes the place that was asked for; what was there and what was not are one movement. */
function withMissing(taken: readonly Part[], move: Move, missing: Decimal): Part[] {
  const key = placeKey(move);
  const there = taken.find((part) => placeKey(part) === key);
  const onHand = decimal(there?.onHand ?? 0)
    .minus(missing)
    .toFixed();
  return [...taken.filter((part) => part !== there), { ...placeOf(move), ...there, move, onHand }];
}

function takeOf({ quantity, zoneId, batches, allowExpired, allowPending = false, outsideZones = false }: Move): Take {
  return { quantity: decimal(quantity).neg().toFixed(), zoneId, batches, allowExpired, allowPending, outsideZones };
}

/** Takes from one place, expired or not, and where that is allowed the rest from others: a movement undone, a count, a return. */
function exactly(move: Move, here: readonly LyingPlace[], shelf: Shelf) {
  const place = here.find((known) => placeKey(known) === placeKey(move));
  const there = shelf.takeAt(place, decimal(move.quantity).neg().toFixed());
  if (move.elsewhere !== true || decimal(there.missing).lte(0)) return there;
  const batches = move.batches.map((batch) => ({ ...batch, quantity: there.missing }));
  const more = shelf.take({ quantity: there.missing, zoneId: null, batches, allowExpired: true, allowPending: true });
  return { ...more, picks: [...there.picks, ...more.picks] };
}

function placeOf({ itemId, warehouseId, zoneId, batchId }: Move) {
  return { itemId, warehouseId, zoneId, batchId };
}

function partOf(move: Move, { place, quantity }: Pick): Part {
  const { itemId, warehouseId } = move;
  const { zoneId, batchId, batchNum } = place satisfies StockPlace;
  return { itemId, warehouseId, zoneId, batchId, batchNum, move, onHand: decimal(quantity).neg().toFixed() };
}

/** What is missing; what lies there but cannot be had is told too, since whoever reads it sees those goods on the shelf. */
function shortage(move: Move, code: string, missing: Decimal, shelf: Shelf) {
  const { pending, expired } = move.exact ? { pending: '0', expired: '0' } : shelf.notForSale(takeOf(move));
  const wanted = decimal(move.quantity).neg();
  const there = wanted.minus(missing).toFixed();
  const where = move.zoneId === null ? '' : ' in this zone';
  const notes = [
    ...(decimal(pending).gt(0) && move.allowPending !== true
      ? [`${pending} more in batches still to be confirmed`]
      : []),
    ...(decimal(expired).gt(0) && !move.allowExpired ? [`${expired} more in expired batches`] : []),
  ];
  const besides = notes.length === 0 ? '' : ` (${listed(notes)})`;
  return {
    pointer: move.pointer ?? '',
    code: 'insufficient_stock',
    message: `${code}: ${there} there${where}${besides}, ${wanted.toFixed()} wanted`,
  };
}

function insufficientStock(errors: readonly { pointer: string; code: string; message: string }[]): ServiceError {
  const named = errors.map((error) => error.message).slice(0, 5);
  return new ServiceError('insufficient_stock', `Not enough stock of ${named.join('; ')}`, { errors });
}

function batchExpired(move: Move, batchNum: string): ServiceError {
  const message = `batch ${batchNum} has expired; name it with allowExpired to deliver it all the same`;
  return new ServiceError('batch_expired', `The ${message}`, {
    errors: [{ pointer: move.pointer ?? '', code: 'batch_expired', message }],
  });
}

/** The movements behind changed levels, each with the balance it left, in the order of the lines. */
function movementsOf(parts: readonly Part[], levels: ReadonlyMap<string, Decimal>): Movement[] {
  const balances = new Map<string, ReturnType<typeof decimal>>();
  // From the last movement backwards: the level after all of them is known.
  const backwards = [...parts].reverse().map(({ move, onHand: quantity, batchNum = null, ...place }): Movement => {
    const key = placeKey(place);
    const balance = balances.get(key) ?? decimal(levels.get(key) ?? 0);
    balances.set(key, balance.minus(quantity));
    const { unitCost, fifoUnitCost, lineId: documentLineId } = move;
    return {
      id: newId(),
      ...place,
      batchNum,
      quantity,
      balance: balance.toFixed(),
      documentLineId,
      unitCost,
      fifoUnitCost,
      sourceId: move.sourceId ?? null,
    };
  });
  return backwards.reverse();
}
