/** Transfers: goods leave one place and arrive at another, at the cost they left with. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { GENERAL_PLACE, type Move, type Movement } from '../../../../domain/trade/stock/movement.ts';
import type { Costs, Layer } from '../cost.ts';
import { openPlan } from '../levels.ts';
import { valued } from '../move.ts';
import { OperationReferences } from './references.ts';
import type { TransferInput } from './schemas.ts';
import type { TransferLine } from './to-json.ts';
import { shownUnitCost, takeCode, writeOperation } from './write.ts';

/** A line with what it inherits from the head. */
interface Route {
  readonly id: string;
  readonly itemId: string;
  readonly quantity: Decimal;
  readonly batchNum: string | null;
  readonly zoneId: string | null;
  readonly toZoneId: string | null;
}

/**
 * Moves goods to another warehouse, or to another zone of the same. Without a zone they are taken from anywhere in the warehouse or, within
 * one warehouse, from what lies in no zone; without a batch the first to expire leave first. All lines leave before any arrives.
 * @returns the transfer as its GET returns it
 * @throws ServiceError validation_failed (pointers into the body), period_closed, insufficient_stock
 */
export async function transferStock(trx: Db, ctx: Context, input: TransferInput) {
  const faults = new Faults();
  const { warehouseId, toWarehouseId = warehouseId } = input;
  const references = await OperationReferences.load(
    trx,
    ctx,
    {
      date: input.date,
      warehouses: [warehouseId, toWarehouseId],
      zones: [input.zoneId, input.toZoneId, ...input.lines.flatMap(({ zoneId, toZoneId }) => [zoneId, toZoneId])],
      items: input.lines.map(({ itemId }) => itemId),
      batchNums: [],
    },
    faults,
  );
  checkTransfer(input, toWarehouseId, references, faults);
  const period = references.openPeriod();

  const routes = input.lines.map((line): Route => {
    const { itemId, batchNum = null, zoneId = input.zoneId ?? null, toZoneId = input.toZoneId ?? null } = line;
    return { id: newId(), itemId, quantity: decimal(line.quantity).toFixed(), batchNum, zoneId, toZoneId };
  });
  const stocks = routes.flatMap(({ itemId }) => [
    { itemId, warehouseId },
    { itemId, warehouseId: toWarehouseId },
  ]);
  // Locks both ends at once in the common order, so that two transfers in opposite directions wait for each other.
  const [plan] = await openPlan(trx, ctx, stocks, { places: true });
  const within = warehouseId === toWarehouseId;
  const leaving = routes.map((route, index) => leave(route, warehouseId, within, `/lines/${index}/quantity`));
  const out = plan.move(leaving, [], references.date);
  const byLine = new Map(routes.map((route) => [route.id, route]));
  const arriving = out.filter(({ rounding }) => !rounding).map((movement) => arrive(movement, toWarehouseId, byLine));
  const movements = [...out, ...plan.move(arriving, [], references.date)];
  const { date } = references;
  const goods = await valued(trx, plan, movements, date);
  const { costs } = goods;
  const changes = new Changes(ctx);
  return await writeOperation(trx, changes, {
    number: takeCode(changes, 'transfer'),
    head: {
      id: newId(),
      kind: 'transfer',
      date: references.date,
      periodId: period.id,
      warehouseId,
      zoneId: input.zoneId ?? null,
      toWarehouseId,
      toZoneId: input.toZoneId ?? null,
      reason: input.reason ?? null,
    },
    lines: transferLines(routes, out, costs, references),
    // Transfer lines are not document lines.
    goods: { ...goods, movements: movements.map((movement) => ({ ...movement, documentLineId: null })) },
    stocks,
  });
}

function checkTransfer(
  input: TransferInput,
  toWarehouseId: string,
  references: OperationReferences,
  faults: Faults,
): void {
  const { warehouseId } = input;
  const within = warehouseId === toWarehouseId;
  references.checkWarehouse(warehouseId, '/warehouseId', within);
  if (!within) references.checkWarehouse(toWarehouseId, '/toWarehouseId', true);
  const from = { warehouseId, mustBeActive: false };
  const to = { warehouseId: toWarehouseId, mustBeActive: true };
  references.checkZone(input.zoneId ?? null, { ...from, pointer: '/zoneId', required: false });
  references.checkZone(input.toZoneId ?? null, { ...to, pointer: '/toZoneId', required: false });
  input.lines.forEach((line, index) => {
    const pointer = `/lines/${index}`;
    // The head's zones are already checked. Goods outside zones can always be put into one.
    if (line.zoneId !== undefined || input.zoneId === undefined) {
      const required = !within;
      references.checkZone(line.zoneId ?? null, { ...from, pointer: `${pointer}/zoneId`, required });
    }
    if (line.toZoneId !== undefined || input.toZoneId === undefined) {
      references.checkZone(line.toZoneId ?? null, { ...to, pointer: `${pointer}/toZoneId`, required: true });
    }
    if (within && (line.zoneId ?? input.zoneId) === (line.toZoneId ?? input.toZoneId)) {
      faults.add(`${pointer}/toZoneId`, 'same_place', 'is where the goods already are');
    }
    references.checkQuantity(line.quantity, `${pointer}/quantity`);
    const item = references.checkItem(line.itemId, pointer);
    if (item !== undefined && !item.batchTracked && line.batchNum !== undefined) {
      faults.add(`${pointer}/batchNum`, 'not_applicable', 'is allowed only for items tracked by batch');
    }
  });
}

/** Goods stay in the company, so a named batch may be expired or pending. */
function leave(route: Route, warehouseId: string, within: boolean, pointer: string): Move {
  const { id, itemId, quantity, batchNum, zoneId } = route;
  return {
    ...GENERAL_PLACE,
    itemId,
    warehouseId,
    zoneId,
    lineId: id,
    quantity: decimal(quantity).neg().toFixed(),
    batches: batchNum === null ? [] : [{ batchNum, quantity }],
    allowExpired: batchNum !== null,
    allowPending: batchNum !== null,
    outsideZones: within,
    pointer,
  };
}

function arrive(movement: Movement, warehouseId: string, routes: ReadonlyMap<string, Route>): Move {
  const { id: sourceId, itemId, batchId, documentLineId } = movement;
  const zoneId = routes.get(documentLineId ?? '')?.toZoneId ?? null;
  const quantity = decimal(movement.quantity).neg().toFixed();
  return { ...GENERAL_PLACE, itemId, warehouseId, zoneId, batchId, lineId: null, quantity, sourceId, exact: true };
}

function transferLines(
  routes: readonly Route[],
  out: readonly Movement[],
  costs: Costs,
  references: OperationReferences,
): TransferLine[] {
  const taken = new Map<string, { movement: Movement; layer: Layer }[]>();
  out.forEach((movement, index) => {
    const line = movement.documentLineId ?? '';
    taken.set(line, [...(taken.get(line) ?? []), { movement, layer: costs.layers[index] as Layer }]);
  });
  return routes.map(({ id, ...route }) => {
    const item = references.item(route.itemId);
    const moved = (taken.get(id) ?? []).map(({ movement: { zoneId, batchId, batchNum, quantity }, layer }) => ({
      zoneId,
      batchId,
      batchNum,
      quantity: decimal(quantity).neg().toFixed(),
      unitCost: shownUnitCost(layer, item),
    }));
    return { ...route, itemCode: item.code, moved };
  });
}
