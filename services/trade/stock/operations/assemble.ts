/** Assembly: parts leave, and the item that is made of them comes in at what they cost. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { query } from '../../../../db/sql.ts';
import { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal, round, sum, toNumber } from '../../../../domain/money.ts';
import { GENERAL_PLACE, type Move, type Movement } from '../../../../domain/trade/stock/movement.ts';
import { type Costs, valueMovements } from '../cost.ts';
import { openPlan } from '../levels.ts';
import { valued } from '../move.ts';
import { OperationReferences } from './references.ts';
import type { AssemblyInput } from './schemas.ts';
import type { AssemblyLine } from './to-json.ts';
import { shownUnitCost, takeCode, valueChange, writeOperation } from './write.ts';

/** Decimals of unit costs. */
const COST_PLACES = 12;

interface Part {
  readonly id: string;
  readonly itemId: string;
  readonly quantity: Decimal;
  readonly pointer: string;
}

/**
 * Assembles an item of its parts: those given, or those of the item (`/api/items/:id/components`) times the quantity.
 * @returns the assembly as its GET returns it
 * @throws ServiceError validation_failed (pointers into the body), period_closed, insufficient_stock
 */
export async function assembleGoods(trx: Db, ctx: Context, input: AssemblyInput) {
  const faults = new Faults();
  const { itemId, warehouseId } = input;
  const parts = await takenParts(trx, input);
  const references = await OperationReferences.load(
    trx,
    ctx,
    {
      date: input.date,
      warehouses: [warehouseId],
      zones: [],
      items: [itemId, ...parts.map((part) => part.itemId)],
      batchNums: [],
    },
    faults,
  );
  checkAssembly(input, parts, references, faults);
  const period = references.openPeriod();
  const stocks = [itemId, ...parts.map((part) => part.itemId)].map((id) => ({ itemId: id, warehouseId }));
  const [plan] = await openPlan(trx, ctx, stocks, { places: true });
  const { date } = references;
  const out = plan.move(
    parts.map((part) => leave(part, warehouseId)),
    [],
    date,
  );
  const spent = spentValue(out, await valueMovements(trx, out, date, null), references);
  const quantity = decimal(input.quantity).toFixed();
  const unitCost = round(decimal(spent).div(quantity), COST_PLACES);
  const made: Move = {
    ...GENERAL_PLACE,
    itemId,
    warehouseId,
    lineId: null,
    quantity,
    unitCost,
    fifoUnitCost: unitCost,
    pointer: '/quantity',
  };
  const goods = await valued(trx, plan, [...out, ...plan.move([made], [], date)], date);
  const changes = new Changes(ctx);
  return await writeOperation(trx, changes, {
    number: takeCode(changes, 'assembly'),
    head: {
      id: newId(),
      kind: 'assembly',
      date,
      periodId: period.id,
      warehouseId,
      zoneId: null,
      toWarehouseId: null,
      toZoneId: null,
      reason: input.reason ?? null,
    },
    lines: [
      { itemId, itemCode: references.item(itemId).code, quantity, produced: true, unitCost: round(unitCost, 6) },
      ...parts.map((part) => partLine(part, out, goods.costs, references)),
    ],
    goods: { ...goods, movements: goods.movements.map((movement) => ({ ...movement, documentLineId: null })) },
    stocks,
  });
}

/** The parts that are taken, each with its pointer. */
async function takenParts(trx: Db, { itemId, quantity, components }: AssemblyInput): Promise<Part[]> {
  if (components !== undefined) {
    return components.map((part, index) => ({
      id: newId(),
      itemId: part.itemId,
      quantity: decimal(part.quantity).toFixed(),
      pointer: `/components/${index}`,
    }));
  }
  const listed = await query<{ itemId: string; quantity: Decimal }>(
    trx,
    'select component_id as "itemId", quantity::text from item_components where item_id = :itemId::uuid order by created_at, id',
    { itemId },
  );
  return listed.map((part) => ({
    id: newId(),
    itemId: part.itemId,
    quantity: round(decimal(part.quantity).times(quantity), 6),
    pointer: '/quantity',
  }));
}

function checkAssembly(
  input: AssemblyInput,
  parts: readonly Part[],
  references: OperationReferences,
  faults: Faults,
): void {
  references.checkWarehouse(input.warehouseId, '/warehouseId', true);
  references.checkQuantity(input.quantity, '/quantity');
  const item = references.checkItem(input.itemId, '');
  if (item?.batchTracked)
    faults.add('/itemId', 'not_applicable', 'is tracked by batch; receive it with its batches instead');
  if (parts.length === 0) faults.add('/components', 'required', 'is required because the item has no components');
  const seen = new Set<string>();
  for (const { itemId, quantity, pointer } of parts) {
    if (input.components === undefined) {
      continue;
    }
    references.checkItem(itemId, pointer);
    references.checkQuantity(toNumber(quantity), `${pointer}/quantity`);
    if (itemId === input.itemId)
      faults.add(`${pointer}/itemId`, 'cycle', 'must be another item than the one that is made');
    if (seen.has(itemId)) faults.add(`${pointer}/itemId`, 'duplicate', 'must not be named twice');
    seen.add(itemId);
  }
}

function leave({ id, itemId, quantity, pointer }: Part, warehouseId: string): Move {
  return {
    ...GENERAL_PLACE,
    itemId,
    warehouseId,
    lineId: id,
    quantity: decimal(quantity).neg().toFixed(),
    pointer,
  };
}

/** The value of the parts, each by its item's costing method. */
function spentValue(out: readonly Movement[], { layers }: Costs, references: OperationReferences): Decimal {
  const changes = out.flatMap(({ itemId, quantity }, index) => {
    const layer = layers[index];
    return layer === undefined ? [] : valueChange(layer, references.item(itemId), quantity);
  });
  return sum(changes).neg().toFixed();
}

function partLine(
  part: Part,
  out: readonly Movement[],
  { layers }: Costs,
  references: OperationReferences,
): AssemblyLine {
  const item = references.item(part.itemId);
  const index = out.findIndex(({ documentLineId }) => documentLineId === part.id);
  const layer = layers[index];
  const unitCost = layer === undefined ? null : shownUnitCost(layer, item);
  return { itemId: part.itemId, itemCode: item.code, quantity: part.quantity, produced: false, unitCost };
}
