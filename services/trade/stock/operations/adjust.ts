/** Stocktaking: sets what is on hand to what was counted, place by place. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { placeKey } from '../../../../domain/trade/stock/levels.ts';
import { GENERAL_PLACE, type Move } from '../../../../domain/trade/stock/movement.ts';
import { buildCountEntry } from '../../../ledger/accounting/stock-entry.ts';
import { addEntry } from '../../../ledger/accounting/write-entry.ts';
import { type BatchIds, batchKey, type NamedBatch, planBatches } from '../batches.ts';
import { openPlan } from '../levels.ts';
import { moveAndValue } from '../move.ts';
import { OperationReferences } from './references.ts';
import type { AdjustmentInput, AdjustmentLineInput } from './schemas.ts';
import type { AdjustmentLine } from './to-json.ts';
import { shownUnitCost, takeCode, valueChange, writeOperation } from './write.ts';

/**
 * Books a count. Each line is compared with what is on hand at that place, under a lock; the difference moves: opening stock at its own
 * cost, finds at the current average cost.
 * @returns the adjustment as its GET returns it
 * @throws ServiceError validation_failed (pointers into the body), period_closed, insufficient_stock (a back-dated count of less)
 */
export async function adjustStock(trx: Db, ctx: Context, input: AdjustmentInput) {
  const faults = new Faults();
  const references = await OperationReferences.load(
    trx,
    ctx,
    {
      date: input.date,
      warehouses: [input.warehouseId],
      zones: [input.zoneId, ...input.lines.map(({ zoneId }) => zoneId)],
      items: input.lines.map(({ itemId }) => itemId),
      batchNums: input.lines.map(({ batchNum }) => batchNum),
    },
    faults,
  );
  checkAdjustment(input, references, faults);
  const period = references.openPeriod();
  const { warehouseId } = input;

  const stocks = input.lines.map(({ itemId }) => ({ itemId, warehouseId }));
  const [plan, batches] = await openPlan(trx, ctx, stocks, {
    places: true,
    read: () => planBatches(trx, namedBatches(input)),
  });
  const compared = countedPlaces(input, batches.ids).map((place) => {
    const previousQuantity = plan.onHand(place);
    return { place, previousQuantity, difference: decimal(place.countedQuantity).minus(previousQuantity).toFixed() };
  });
  const differing = compared.filter(({ difference }) => !decimal(difference).eq(0));
  for (const { place, difference } of compared) checkCost(place, difference, faults);
  faults.throwIfAny();
  const moves = differing.map(({ place: { itemId, zoneId, batchId, unitCost, pointer }, difference }): Move => {
    const place = { ...GENERAL_PLACE, itemId, warehouseId, zoneId, batchId, unitCost, counted: true };
    return { ...place, lineId: null, exact: true, quantity: difference, pointer: `${pointer}/countedQuantity` };
  });
  const goods = { ...(await moveAndValue(trx, plan, moves, [], references.date)), batches: batches.created };
  const { movements, costs } = goods;
  const layers = new Map(movements.map((movement, index) => [placeKey(movement), costs.layers[index]]));
  const lines = compared.map(({ place, previousQuantity, difference }): AdjustmentLine => {
    const { itemId, zoneId, batchId, batchNum, countedQuantity } = place;
    const item = references.item(itemId);
    const layer = layers.get(placeKey(place));
    const unitCost = layer === undefined ? null : shownUnitCost(layer, item);
    return {
      itemId,
      itemCode: item.code,
      zoneId,
      batchId,
      batchNum,
      countedQuantity,
      previousQuantity,
      difference,
      unitCost,
    };
  });
  const id = newId();
  const changes = new Changes(ctx);
  const number = takeCode(changes, 'adjustment');
  const entry = await buildCountEntry(trx, {
    id,
    code: number.pending.code,
    date: references.date,
    periodId: period.id,
    reason: input.reason ?? null,
    changes: movements.flatMap(({ itemId, unitCost, quantity }, index) => {
      const layer = costs.layers[index];
      return layer && unitCost === null ? valueChange(layer, references.item(itemId), quantity) : [];
    }),
    opening: movements.flatMap(({ quantity, unitCost }) =>
      unitCost === null ? [] : decimal(quantity).times(unitCost).toFixed(),
    ),
  });
  if (entry !== undefined) addEntry(changes, entry);
  return await writeOperation(trx, changes, {
    number,
    head: {
      id,
      kind: 'adjustment',
      date: references.date,
      periodId: period.id,
      warehouseId,
      zoneId: input.zoneId ?? null,
      toWarehouseId: null,
      toZoneId: null,
      reason: input.reason ?? null,
    },
    lines,
    goods,
    stocks,
  });
}

function checkAdjustment(input: AdjustmentInput, references: OperationReferences, faults: Faults): void {
  references.checkWarehouse(input.warehouseId, '/warehouseId', false);
  const { warehouseId } = input;
  const rules = { warehouseId, required: false, mustBeActive: false };
  references.checkZone(input.zoneId ?? null, { ...rules, pointer: '/zoneId' });
  const places = new Set<string>();
  input.lines.forEach((line, index) => {
    const pointer = `/lines/${index}`;
    // The head's zone is already checked.
    if (line.zoneId !== undefined || input.zoneId === undefined) {
      references.checkZone(line.zoneId ?? null, { ...rules, pointer: `${pointer}/zoneId`, required: true });
    }
    references.checkQuantity(line.countedQuantity, `${pointer}/countedQuantity`);
    checkBatch(line, pointer, references, faults);
    const place = [line.itemId, line.zoneId ?? input.zoneId ?? '', line.batchNum ?? ''].join(' ');
    if (places.has(place)) faults.add(pointer, 'duplicate', 'is the same place as in another line');
    places.add(place);
  });
}

/** A cost belongs to goods that come in. */
function checkCost(
  { unitCost, pointer }: { readonly unitCost: Decimal | null; readonly pointer: string },
  difference: Decimal,
  faults: Faults,
): void {
  if (unitCost === null || decimal(difference).gt(0)) return;
  faults.add(`${pointer}/unitCost`, 'not_applicable', 'is allowed only where more is counted than is on hand');
}

function checkBatch(line: AdjustmentLineInput, pointer: string, references: OperationReferences, faults: Faults): void {
  const item = references.checkItem(line.itemId, pointer);
  const { batchNum, countedQuantity, expiryDate } = line;
  if (expiryDate !== undefined && batchNum === undefined) {
    faults.add(`${pointer}/expiryDate`, 'not_applicable', 'is allowed only for batches');
  }
  if (item === undefined) return;
  if (batchNum === undefined) {
    // Zero clears what came in before the item was tracked by batch.
    if (item.batchTracked && countedQuantity > 0) {
      faults.add(`${pointer}/batchNum`, 'required', 'is required because the item is tracked by batch');
    }
    return;
  }
  const known = references.batchId(line.itemId, batchNum) !== undefined;
  if (!item.batchTracked && (!known || countedQuantity > 0)) {
    faults.add(`${pointer}/batchNum`, 'not_applicable', 'is allowed only for items tracked by batch');
  } else if (!known && countedQuantity === 0) {
    faults.add(`${pointer}/batchNum`, 'invalid_reference', 'refers to a batch that does not exist');
  }
}

/** The batches that are counted, some for the first time. */
function namedBatches({ lines }: AdjustmentInput): NamedBatch[] {
  return lines.flatMap(({ itemId, batchNum, expiryDate = null }, index) =>
    batchNum === undefined ? [] : [{ itemId, batchNum, expiryDate, pointer: `/lines/${index}` }],
  );
}

function countedPlaces(input: AdjustmentInput, batches: BatchIds) {
  return input.lines.map(({ itemId, batchNum = null, zoneId, countedQuantity, unitCost }, index) => ({
    pointer: `/lines/${index}`,
    itemId,
    warehouseId: input.warehouseId,
    zoneId: zoneId ?? input.zoneId ?? null,
    batchId: batchNum === null ? null : (batches.get(batchKey({ itemId, batchNum })) ?? null),
    batchNum,
    countedQuantity: decimal(countedQuantity).toFixed(),
    unitCost: unitCost === undefined ? null : decimal(unitCost).toFixed(),
  }));
}
