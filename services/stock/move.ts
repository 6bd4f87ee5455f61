/** Moves goods: changes the levels of the chosen places and returns the movements. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import { isDust } from '../../domain/stock/dust.ts';
import { choosePlaces, placeOf } from './choose-places.ts';
import {
  changeGeneral,
  changePlaces,
  isOut,
  placeKey,
  placesOf,
  type StockChange,
  stockKey,
  unitDecimals,
} from './levels.ts';
import { isAtGeneralPlace, type Move, type Movement, type Part } from './movement.ts';

/**
 * Moves goods and changes reservations and incoming quantities. The rows stay locked until the transaction ends, so that of two takers of
 * the last piece the second sees what the first has left.
 * @param date of the movements: batches that expired before it do not leave
 * @throws ServiceError insufficient_stock naming each line with a shortage and what is on hand; batch_expired
 */
export async function moveStock(
  trx: Db,
  ctx: Context,
  moves: readonly Move[],
  commitments: readonly StockChange[],
  date: string,
): Promise<Movement[]> {
  const plain = generalOnly(moves);
  const direct = moves.filter((move) => plain.has(stockKey(move)));
  const general = await changeGeneral(trx, ctx, [
    ...commitments,
    ...moves.map(
      (move): StockChange => ({
        itemId: move.itemId,
        warehouseId: move.warehouseId,
        onHand: plain.has(stockKey(move)) ? move.quantity : '0',
        reserved: '0',
        incoming: '0',
      }),
    ),
  ]);
  const done = new Set(direct.filter((move) => general.has(stockKey(move))));
  const rest = moves.filter((move) => !done.has(move));
  const parts: Part[] = [...done].map((move) => ({ ...placeOf(move), move, onHand: move.quantity }));
  const swept = await sweepGeneral(trx, ctx, [...done], general);
  parts.push(...swept);
  for (const { itemId, warehouseId } of swept) general.set(stockKey({ itemId, warehouseId }), '0');
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

/** Removes the dust that moves have left at general places: of what went out, or where too much had gone out before. */
async function sweepGeneral(
  trx: Db,
  ctx: Context,
  moves: readonly Move[],
  levels: ReadonlyMap<string, Decimal>,
): Promise<Part[]> {
  const last = new Map(
    moves.flatMap((move): [string, Move][] => {
      const left = levels.get(stockKey(move)) ?? '0';
      return isDust(left) && (isOut(move.quantity) || isOut(left)) && !move.counted ? [[stockKey(move), move]] : [];
    }),
  );
  if (last.size === 0) return [];
  const decimals = await unitDecimals(
    trx,
    [...last.values()].map(({ itemId }) => itemId),
  );
  const parts = [...last].flatMap(([key, move]): Part[] => {
    const left = levels.get(key) as Decimal;
    if (!isDust(left, decimals[move.itemId])) return [];
    return [{ ...placeOf(move), move, rounding: true, onHand: decimal(left).neg().toFixed() }];
  });
  const unchanged = { reserved: '0', incoming: '0' } as const;
  await changeGeneral(
    trx,
    ctx,
    parts.map(({ itemId, warehouseId, onHand }) => ({ itemId, warehouseId, onHand, ...unchanged })),
  );
  return parts;
}

/** The stocks whose moves all concern the general place, so that no place has to be chosen. */
function generalOnly(moves: readonly Move[]): Set<string> {
  const plain = new Set(moves.map(stockKey));
  for (const move of moves) {
    if (!isAtGeneralPlace(move)) plain.delete(stockKey(move));
  }
  return plain;
}

/** Reservations and incoming quantities of rows left unchanged because goods could not leave the general place. */
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
  const { places, ...rules } = await placesOf(trx, moves);
  const parts = choosePlaces(moves, places, { date, ...rules });
  const changes = parts.map(({ move: _move, batchNum: _batchNum, rounding: _rounding, ...change }) => change);
  return { parts, levels: await changePlaces(trx, ctx, changes, rules.allowsNegative) };
}

/** The movements behind changed levels, each with its balance, in the order of the lines. */
function movementsOf(parts: readonly Part[], levels: ReadonlyMap<string, Decimal>): Movement[] {
  const balances = new Map<string, ReturnType<typeof decimal>>();
  // Backwards from the last movement: the level after all of them is known.
  const backwards = [...parts]
    .reverse()
    .map(({ move, onHand: quantity, batchNum = null, rounding = false, ...place }): Movement => {
      const key = placeKey(place);
      const balance = balances.get(key) ?? decimal(levels.get(key) ?? 0);
      balances.set(key, balance.minus(quantity));
      const { unitCost, fifoUnitCost, lineId: documentLineId, sourceId = null, pointer } = move;
      const own = { documentLineId, unitCost, fifoUnitCost, sourceId, pointer };
      return {
        id: newId(),
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
