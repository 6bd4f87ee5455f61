/** Decides from which places goods leave, and reports shortages. */
import { ServiceError } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal } from '../../money.ts';
import { joinWords } from '../../words.ts';
import { type Pick, Shelf, type StockPlace, type Take } from './allocate.ts';
import { isDust } from './dust.ts';
import { placeKey, type Stock, stockKey } from './levels.ts';
import { isOut, type Move, namedPlace, type Part } from './movement.ts';

/** A place and what lies there of an item. */
export type LyingPlace = Stock & StockPlace;

/** An item, as planning needs it. */
export interface PlannedItem {
  readonly code: string;
  /** Decimals of its own unit. */
  readonly decimals: number;
}

export interface Rules {
  readonly date: string;
  readonly allowsNegative: boolean;
  /** By id. */
  readonly items: ReadonlyMap<string, PlannedItem>;
}

/**
 * The places that each move leaves from or arrives at: as requested, else first expired, first out.
 * @throws ServiceError insufficient_stock naming each line with a shortage and what is on hand; batch_expired
 */
export function choosePlaces(moves: readonly Move[], places: readonly LyingPlace[], rules: Rules): Part[] {
  const byStock = groupBy(places, stockKey);
  const shelves = new Map<string, Shelf>();
  const faults: { pointer: string; code: string; message: string }[] = [];
  const parts: Part[] = [];
  for (const move of moves) {
    if (!isOut(move.quantity)) {
      parts.push({ ...namedPlace(move), move, onHand: move.quantity, batchNum: move.batches[0]?.batchNum ?? null });
      continue;
    }
    const key = stockKey(move);
    const here = byStock.get(key) ?? [];
    const shelf = shelves.get(key) ?? new Shelf(here, rules.date);
    shelves.set(key, shelf);
    const { picks, missing, expiredBatch } = move.exact ? takeExactly(move, here, shelf) : shelf.take(wantedTake(move));
    if (expiredBatch !== null) throw batchExpired(move, expiredBatch);
    const taken = picks.map((pick) => pickedPart(move, pick));
    const { code, decimals } = rules.items.get(move.itemId) as PlannedItem;
    if (taken.length > 0 && isDust(missing, decimals)) parts.push(...withDust(taken, missing));
    else if (decimal(missing).lte(0)) parts.push(...taken, ...sweep(shelf, picks, move, decimals));
    else if (rules.allowsNegative) parts.push(...addMissing(taken, move, missing));
    else faults.push(shortage(move, code, missing, shelf));
  }
  if (faults.length > 0) throw insufficientStock(faults);
  return parts;
}

/** Adds missing dust to the last place, so that it gives everything it has and the quantity is complete. */
function withDust(taken: readonly Part[], missing: Decimal): Part[] {
  const last = taken.at(-1) as Part;
  const whole = { ...last, onHand: decimal(last.onHand).minus(missing).toFixed() };
  return [...taken.slice(0, -1), { ...last, rounding: true, onHand: missing }, whole];
}

/** Removes the dust that goods leave behind where they lay; a count leaves what was counted. */
function sweep(shelf: Shelf, picks: readonly Pick[], move: Move, decimals: number): Part[] {
  if (move.counted) return [];
  return picks.flatMap((pick) => {
    const quantity = shelf.quantityAt(pick.place);
    if (!isDust(quantity, decimals)) return [];
    shelf.takeAt(pick.place, quantity);
    return [{ ...pickedPart(move, { ...pick, quantity }), rounding: true }];
  });
}

/** The requested place goes below zero; what was on hand and what was missing become one movement. */
function addMissing(taken: readonly Part[], move: Move, missing: Decimal): Part[] {
  const key = placeKey(move);
  const there = taken.find((part) => placeKey(part) === key);
  const onHand = decimal(there?.onHand ?? 0)
    .minus(missing)
    .toFixed();
  return [...taken.filter((part) => part !== there), { ...namedPlace(move), ...there, move, onHand }];
}

function wantedTake({
  quantity,
  zoneId,
  batches,
  allowExpired,
  allowPending = false,
  outsideZones = false,
}: Move): Take {
  return { quantity: decimal(quantity).neg().toFixed(), zoneId, batches, allowExpired, allowPending, outsideZones };
}

/** Takes from one place, expired or not, and where allowed the rest from others: an undone movement, a count, a return. */
function takeExactly(move: Move, here: readonly LyingPlace[], shelf: Shelf) {
  const place = here.find((known) => placeKey(known) === placeKey(move));
  const there = shelf.takeAt(place, decimal(move.quantity).neg().toFixed());
  if (move.elsewhere !== true || decimal(there.missing).lte(0)) return there;
  const batches = move.batches.map((batch) => ({ ...batch, quantity: there.missing }));
  const more = shelf.take({ quantity: there.missing, zoneId: null, batches, allowExpired: true, allowPending: true });
  return { ...more, picks: [...there.picks, ...more.picks] };
}

function pickedPart(move: Move, { place, quantity }: Pick): Part {
  const { itemId, warehouseId } = move;
  const { zoneId, batchId, batchNum } = place satisfies StockPlace;
  return { itemId, warehouseId, zoneId, batchId, batchNum, move, onHand: decimal(quantity).neg().toFixed() };
}

/** Describes a shortage; also mentions goods that are on hand but blocked, since the reader sees them on the shelf. */
function shortage(move: Move, code: string, missing: Decimal, shelf: Shelf) {
  const { pending, expired } = move.exact
    ? ({ pending: '0', expired: '0' } as const)
    : shelf.notForSale(wantedTake(move));
  const wanted = decimal(move.quantity).neg();
  const there = wanted.minus(missing).toFixed();
  const named = move.batches.map(({ batchNum }) => batchNum);
  const ofBatches =
    named.length === 0 ? '' : named.length === 1 ? ` of batch ${named[0]}` : ` of its ${named.length} batches`;
  const inZone = move.zoneId === null ? '' : ' in this zone';
  const notes = [
    ...(decimal(pending).gt(0) && move.allowPending !== true
      ? [`${pending} more in batches that are not confirmed`]
      : []),
    ...(decimal(expired).gt(0) && !move.allowExpired ? [`${expired} more in expired batches`] : []),
  ];
  const besides = notes.length === 0 ? '' : ` (${joinWords(notes)})`;
  return {
    pointer: move.pointer ?? '',
    code: 'insufficient_stock',
    message: `${code}: ${there} on hand${ofBatches}${inZone}${besides}, ${wanted.toFixed()} needed`,
  };
}

/** @param errors a message for each line with a shortage */
export function insufficientStock(errors: readonly { pointer: string; code: string; message: string }[]): ServiceError {
  const named = [...new Set(errors.map((error) => error.message))].slice(0, 5);
  return new ServiceError('insufficient_stock', `Not enough stock of ${named.join('; ')}`, { errors });
}

function batchExpired(move: Move, batchNum: string): ServiceError {
  const message = `batch ${batchNum} has expired; name it with allowExpired to deliver it anyway`;
  return new ServiceError('batch_expired', `The ${message}`, {
    errors: [{ pointer: move.pointer ?? '', code: 'batch_expired', message }],
  });
}
