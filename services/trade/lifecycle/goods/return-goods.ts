/** Returns goods, from a customer or to a supplier, between the same places and at the same cost. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { goodsOnLines } from '../../../../domain/trade/stock/kits.ts';
import { GENERAL_PLACE, type Move } from '../../../../domain/trade/stock/movement.ts';
import type { MovedGoods } from '../../stock/add-goods.ts';
import { openPlan } from '../../stock/levels.ts';
import { moveAndValue } from '../../stock/move.ts';
import type { Taken } from '../fulfilment/takes.ts';
import { movedBy, type Remaining, type TakenPart } from './left-over.ts';
import { inBaseUnit, type Place, type StockLine } from './stock-effects.ts';

type Moving = StockLine & Place & { readonly baseLineId: string; readonly index: number };

/**
 * Plans the movements of lines with negative quantities. Goods no longer at their place leave from elsewhere in the warehouse.
 * @param lines based on the lines whose goods they take back
 * @throws ServiceError insufficient_stock, validation_failed (batches that the lines did not move)
 */
export async function returnGoods(
  trx: Db,
  ctx: Context,
  lines: readonly StockLine[],
  date: string,
): Promise<MovedGoods> {
  const moving = goodsOnLines(lines).flatMap((line): Moving[] => {
    const { itemId, warehouseId, baseLineId } = line;
    return itemId === null || warehouseId === null || baseLineId === null
      ? []
      : [{ ...line, itemId, warehouseId, baseLineId }];
  });
  const baseLineIds = moving.map(({ baseLineId }) => baseLineId);
  // Locks the stocks before reading what has already come back.
  const [plan, left] = await openPlan(trx, ctx, moving, { places: true, read: () => movedBy(trx, baseLineIds) });
  const parts = returnedParts(moving, left);
  const moves = moving.flatMap((line) => (parts.get(line) ?? []).map((part) => returnMove(line, part)));
  return await moveAndValue(trx, plan, moves, [], date);
}

/**
 * The parts that each line takes back: of its named batches, else in the order in which they moved. Lines that name batches come first,
 * so that the others do not use them up.
 * @throws ServiceError validation_failed with a pointer to each batch that did not move with the line, or not as much
 */
function returnedParts(moving: readonly Moving[], left: Remaining): Map<Moving, TakenPart[]> {
  const faults = new Faults();
  const parts = new Map<Moving, TakenPart[]>();
  for (const line of moving) {
    if (line.batchDetails === null) continue;
    const named = inBaseUnit(line).map(({ batchNum, quantity }, entry) => {
      const there = left.leftOfBatch(line.baseLineId, batchNum);
      const at = `/lines/${line.index}/batchDetails/${entry}`;
      if (there === null)
        faults.add(`${at}/batchNum`, 'wrong_batch', 'must be a batch of the line that is not fully returned');
      else if (decimal(quantity).gt(there)) {
        faults.add(
          `${at}/quantity`,
          'out_of_range',
          `is ${quantity} in the item's own unit, but ${there} of ${batchNum} is left`,
        );
      }
      return left.take(line, quantity, batchNum);
    });
    parts.set(line, named.flat());
  }
  faults.throwIfAny();
  for (const line of moving) {
    if (line.batchDetails !== null) continue;
    parts.set(line, left.take(line, decimal(line.baseQuantity).abs().toFixed()));
  }
  return parts;
}

/** The move to or from the line's zone, else the original place, else wherever the goods are. */
function returnMove({ id, index, zoneId }: Moving, { from, size, quantity }: TakenPart): Move {
  const { itemId, warehouseId, batchId, batchNum, movementId: sourceId, unitCost, fifoUnitCost } = from;
  return {
    ...GENERAL_PLACE,
    itemId,
    warehouseId,
    zoneId: zoneId ?? from.zoneId,
    batchId,
    batches: batchNum === null ? [] : [{ batchNum, quantity: size }],
    exact: true,
    elsewhere: zoneId === null,
    lineId: id,
    quantity,
    sourceId,
    unitCost,
    fifoUnitCost,
    pointer: `/lines/${index}/quantity`,
  };
}

/** Lists what a rectifying invoice takes back of the notes behind the rectified invoice. @param undo when it is cancelled */
export async function noteReturns(trx: Db, documentId: string, undo = false): Promise<Taken[]> {
  const rows = await query<{ baseId: string; baseLineId: string; quantity: Decimal; lineNumber: number }>(
    trx,
    `select b.base_id as "baseId", b.base_line_id as "baseLineId", abs(l.quantity)::text as quantity, l.line_number as "lineNumber"
     from document_lines l join document_lines b on b.id = l.base_line_id
     where l.document_id = :documentId and b.base_type in ('SDN', 'PDN') order by l.line_number`,
    { documentId },
  );
  return rows.map(({ baseId, baseLineId, quantity, lineNumber }) => ({
    baseId,
    baseLineId,
    quantity: undo ? decimal(quantity).neg().toFixed() : quantity,
    pointer: `/lines/${lineNumber - 1}/quantity`,
  }));
}
