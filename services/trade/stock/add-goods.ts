/** Adds moved goods to a change: levels, new batches, movements, their layers, what they consume of earlier layers, and their events. */
import type { Changes } from '../../../db/changes/changes.ts';
import type { DomainEvent } from '../../../db/changes/trail.ts';
import { Item } from '../../../db/models/records/master-data.ts';
import { Batch, StockLayer, StockLevel, StockMovement } from '../../../db/models/trade/stock.ts';
import { type Decimal, decimal, sum, toNumber } from '../../../domain/money.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';
import type { LevelChanges, Stock } from '../../../domain/trade/stock/levels.ts';
import type { Movement } from '../../../domain/trade/stock/movement.ts';
import type { NewBatch } from './batches.ts';
import type { Costs, Layer, MovedItem } from './cost.ts';
import { type Due, revalueStocks } from './revalue.ts';
import { assertSinglePieces } from './serials.ts';

/** Planned movements of goods, with their costs. */
export interface MovedGoods {
  readonly movements: readonly Movement[];
  readonly costs: Costs;
  /** Day of the movements. */
  readonly date: string;
  readonly levels: LevelChanges;
  readonly batches?: readonly NewBatch[];
  /** Items that are tracked by batch from now on. */
  readonly started?: readonly Item[];
}

/** The constraint that keeps a batch from being created twice. */
const UNIQUE_BATCH = 'batches_batch_num_key';

/** The cause of the movements: a document, a count or a transfer. */
export interface Cause {
  readonly docType?: DocType;
  readonly documentId?: string;
  readonly operationId?: string;
  /** The period of the movements. */
  readonly periodId: string;
  /** Name used in events: sales_invoice, stock_transfer. */
  readonly name: string;
}

/** @param locked all stocks that the transaction has locked, if more than those that moved */
export function addGoods(changes: Changes, goods: MovedGoods, cause: Cause, locked?: readonly Stock[]): void {
  const { movements, costs, date, levels, batches = [], started = [] } = goods;
  changes.update(StockLevel, levels.updated).insert(StockLevel, levels.inserted);
  for (const item of started) changes.change(Item, item, { batchTracked: true });
  for (const batch of batches) changes.create(Batch, batch);
  if (batches.length > 0) changes.repeatIfTaken(UNIQUE_BATCH);
  if (movements.length === 0) return;
  changes.hold('stock', cause.periodId);
  const { docType = null, documentId = null, operationId = null } = cause;
  const placed = {
    date,
    docType,
    documentId,
    operationId,
    landedCostId: null,
    createdAt: changes.ctx.now.toISOString(),
  };
  const rows = movements.map((movement, index) => ({ ...movement, ...placed, seq: costs.seqs[index] as number }));
  changes.insert(StockMovement, rows);
  changes.insert(
    StockLayer,
    rows.map((row, index) => layerRow(row, costs.layers[index] as Layer)),
  );
  changes.update(StockLayer, costs.consumed);
  for (const row of rows) changes.emit({ type: 'StockMovement', id: row.id }, movementEvent(row, goods, cause));
  for (const { itemId, ...event } of lowEvents(goods)) changes.emit({ type: 'Item', id: itemId }, event);
  const pieces = movements.flatMap(({ itemId, batchId, quantity, pointer = null }) =>
    batchId !== null && decimal(quantity).gt(0) && costs.items.get(itemId)?.serialTracked ? [{ batchId, pointer }] : [],
  );
  if (pieces.length > 0) changes.follow(assertSinglePieces, { pieces });
  const due = dueRevaluation(goods, locked);
  if (due !== null) changes.follow(revalueStocks, due);
}

/** The revaluation that must follow: of layers after back-dated movements, and of goods transferred below zero that have now come. */
function dueRevaluation({ movements, costs, date }: MovedGoods, locked?: readonly Stock[]): Due | null {
  const dated = (stocks: readonly Stock[]) => stocks.map(({ itemId, warehouseId }) => ({ itemId, warehouseId, date }));
  const settling = movements.filter((_, index) => Object.keys(costs.layers[index]?.settles ?? {}).length > 0);
  if (costs.backdated.length === 0 && settling.length === 0) return null;
  return { recompute: dated(costs.backdated), settled: dated(settling), locked: locked ?? movements };
}

type Placed = Pick<StockMovement, 'id' | 'seq' | 'date' | 'itemId' | 'warehouseId' | 'quantity'>;

/** A layer as stored: beside the movement's own quantity it keeps what is on hand after it. */
function layerRow({ id, seq, date, itemId, warehouseId, quantity }: Placed, layer: Layer) {
  const { quantity: quantityAfter, averageValue: averageAfter, fifoValue: fifoAfter } = layer;
  const settles = Object.keys(layer.settles).length === 0 ? null : layer.settles;
  return { ...layer, settles, id, seq, date, itemId, warehouseId, quantity, quantityAfter, averageAfter, fifoAfter };
}

function movementEvent(movement: Movement, { costs, batches = [] }: MovedGoods, cause: Cause): DomainEvent {
  const { id, itemId, warehouseId, zoneId, batchId, quantity, balance } = movement;
  return {
    name: 'stock.movement',
    payload: {
      movement_id: id,
      item_id: itemId,
      item_code: costs.items.get(itemId)?.code,
      warehouse_id: warehouseId,
      zone_id: zoneId,
      batch_num:
        batchId === null
          ? null
          : (costs.batchNums[batchId] ?? batches.find(({ id: made }) => made === batchId)?.batchNum),
      quantity: toNumber(quantity),
      balance: toNumber(balance),
      document_type: cause.name,
      document_id: cause.documentId ?? cause.operationId,
    },
  };
}

/** Items that have just fallen below their minimum. */
function lowEvents({ movements, costs }: MovedGoods): (DomainEvent & { readonly itemId: string })[] {
  // Few items have a minimum; movements of the others are not searched.
  const watched = [...costs.items.values()].filter(({ onHand }) => onHand !== null);
  return watched.flatMap((item) => {
    const moved = movements.filter(({ itemId }) => itemId === item.itemId);
    const last = moved.at(-1);
    if (item.onHand === null || last === undefined) return [];
    const change = sum(moved.map(({ quantity }) => quantity)).toFixed();
    return hasFallen(item, item.onHand, change) ? [lowEvent(item, item.onHand, last.warehouseId)] : [];
  });
}

function hasFallen({ minStock }: MovedItem, onHand: Decimal, change: Decimal): boolean {
  const before = decimal(onHand).minus(change);
  return decimal(change).lt(0) && decimal(onHand).lt(minStock) && before.gte(minStock);
}

function lowEvent({ itemId, code, name, minStock }: MovedItem, onHand: Decimal, warehouseId: string) {
  const stock = toNumber(onHand);
  const payload = { item_id: itemId, code, name, warehouse_id: warehouseId, stock, min_stock: toNumber(minStock) };
  return { itemId, name: 'stock.low', payload };
}
