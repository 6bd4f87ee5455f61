/** Stock tables: batches, levels, movements and their values. */
import type { Decimal } from '../../../domain/money.ts';
import type { Settlements } from '../../../domain/trade/stock/costing.ts';
import { day, exact, flag, instant, integer, json, optional, text, uuid } from '../columns.ts';
import { table, versionedTable } from '../table.ts';

/** Goods of one item that were made together. It is created with the first of them. */
export class Batch extends versionedTable('batches', {
  itemId: uuid(),
  batchNum: text(),
  /** Last day on which it may be delivered; null = no limit. */
  expiryDate: optional(day()),
  /** Pending batches are not for sale. */
  status: text<'pending' | 'confirmed'>(),
}) {
  static override entityType = 'Batch';
  static override access = 'stock:read' as const;
}

/** Quantities of an item at one place. The row without zone and batch is locked before the others of its stock. */
export class StockLevel extends table('stock_levels', {
  itemId: uuid(),
  warehouseId: uuid(),
  zoneId: optional(uuid()),
  batchId: optional(uuid()),
  onHand: exact(),
  /** Set aside by open sales orders. Zero except in the row without zone and batch; so is `incoming`. */
  reserved: exact(),
  /** Announced by open purchase orders. */
  incoming: exact(),
  /** Whether the quantity on hand may be below zero. */
  mayBeNegative: flag(),
}) {}

/** Goods that came in or went out at one place. Insert-only. */
export class StockMovement extends table('stock_movements', {
  /** Order of all movements. */
  seq: integer(),
  date: day(),
  itemId: uuid(),
  warehouseId: uuid(),
  zoneId: optional(uuid()),
  batchId: optional(uuid()),
  /** Signed, in the item's own unit. */
  quantity: exact(),
  /** Quantity on hand at that place afterwards. */
  balance: exact(),
  docType: optional(text()),
  documentId: optional(uuid()),
  documentLineId: optional(uuid()),
  /** The count or transfer that it belongs to. */
  operationId: optional(uuid()),
  /** The landed cost whose share it is. */
  landedCostId: optional(uuid()),
  /** Whether it removes dust rather than a line's goods (decision 0156). */
  rounding: flag(),
  createdAt: instant(),
}) {}

/**
 * The value of a movement, under the movement's id. Its current value is the change of the stock's value plus later
 * settlements.
 */
export class StockLayer extends table('stock_layers', {
  seq: integer(),
  date: day(),
  itemId: uuid(),
  warehouseId: uuid(),
  quantity: exact(),
  givenCost: optional(exact()),
  givenFifoCost: optional(exact()),
  /** The movement that this one takes back. */
  sourceId: optional(uuid()),
  unitCost: exact(),
  fifoUnitCost: exact(),
  averageChange: exact(),
  fifoChange: exact(),
  /** Remaining quantity in FIFO order; negative for goods that left before they came in and have not come in since. */
  remaining: exact(),
  quantityAfter: exact(),
  averageAfter: exact(),
  fifoAfter: exact(),
  lastCost: exact(),
  lastAverage: optional(exact()),
  /** Changes of layers by layer id. */
  parts: optional(json<Readonly<Record<string, Decimal>>>()),
  /** For a valuation movement: the receipt whose cost it changes. */
  adjustsId: optional(uuid()),
  /** Additional cost of the receipt, by average and by FIFO. */
  givenValue: optional(exact()),
  givenFifoValue: optional(exact()),
  /**
   * For a valuation movement: the movement in another warehouse whose cost change it passes on to goods that came from
   * there.
   */
  followsId: optional(uuid()),
  /** Changes of the value of earlier movements. */
  settles: optional(json<Settlements>()),
  /** Changes of its value by later movements. */
  averageSettled: exact(),
  fifoSettled: exact(),
}) {}

/** A count, a transfer or an assembly. */
export class StockOperation extends versionedTable('stock_operations', {
  kind: text<'adjustment' | 'transfer' | 'assembly'>(),
  code: text(),
  date: day(),
  periodId: uuid(),
  warehouseId: uuid(),
  zoneId: optional(uuid()),
  toWarehouseId: optional(uuid()),
  toZoneId: optional(uuid()),
  reason: optional(text()),
  /** Lines as clients see them. */
  lines: json<readonly object[]>(),
  createdBy: optional(uuid()),
}) {
  static override access = 'stock:read' as const;
}
