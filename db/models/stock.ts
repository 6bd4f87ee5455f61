/** Tables of stock besides levels and movements. */
import type { Decimal } from '../../domain/money.ts';
import type { Settlements } from '../../domain/stock/costing.ts';
import { day, exact, flag, instant, integer, json, optional, text, uuid } from './columns.ts';
import { table, versionedTable } from './table.ts';

/** Goods of one item that were made together. It comes into being with the first of them. */
export class Batch extends versionedTable('batches', {
  itemId: uuid(),
  batchNum: text(),
  /** Last day on which it may be delivered; null = no limit. */
  expiryDate: optional(day()),
  /** Pending ones are not for sale. */
  status: text<'pending' | 'confirmed'>(),
}) {
  static override entityType = 'Batch';
}

/** Goods that came in or went out at one place; only ever inserted. */
export class StockMovement extends table('stock_movements', {
  /** The order of all movements. */
  seq: integer(),
  date: day(),
  itemId: uuid(),
  warehouseId: uuid(),
  zoneId: optional(uuid()),
  batchId: optional(uuid()),
  /** Signed, in the item's own unit. */
  quantity: exact(),
  /** On hand at that place after it. */
  balance: exact(),
  docType: optional(text()),
  documentId: optional(uuid()),
  documentLineId: optional(uuid()),
  /** The count or transfer that it is of. */
  operationId: optional(uuid()),
  /** Dust that it removes; not of a line (decision 0156). */
  rounding: flag(),
  /** Whether the days after it were checked: not of movements from before that rule (decision 0156). */
  daysChecked: flag(),
  createdAt: instant(),
}) {}

/** What a movement is worth, under the id of the movement. Its worth now is its change of the stock's value plus what was settled since. */
export class StockLayer extends table('stock_layers', {
  seq: integer(),
  date: day(),
  itemId: uuid(),
  warehouseId: uuid(),
  quantity: exact(),
  givenCost: optional(exact()),
  givenFifoCost: optional(exact()),
  /** The movement that it takes back. */
  sourceId: optional(uuid()),
  unitCost: exact(),
  fifoUnitCost: exact(),
  averageChange: exact(),
  fifoChange: exact(),
  /** What is left of it in the FIFO order; below zero, what left before it came and has not come since. */
  remaining: exact(),
  quantityAfter: exact(),
  averageAfter: exact(),
  fifoAfter: exact(),
  lastCost: exact(),
  lastAverage: optional(exact()),
  /** How it changed layers, by their ids. */
  parts: optional(json<Readonly<Record<string, Decimal>>>()),
  /** Of a valuation movement: the receipt whose cost it changes. */
  adjustsId: optional(uuid()),
  /** How much more the receipt cost, by average and by FIFO. */
  givenValue: optional(exact()),
  givenFifoValue: optional(exact()),
  /** The movement in another warehouse whose change of cost it carries on to goods that came from there. */
  followsId: optional(uuid()),
  /** What it changed of the worth of earlier movements. */
  settles: optional(json<Settlements>()),
  /** What later movements changed of its worth. */
  averageSettled: exact(),
  fifoSettled: exact(),
}) {}

/** A count or a transfer. */
export class StockOperation extends versionedTable('stock_operations', {
  kind: text<'adjustment' | 'transfer'>(),
  code: text(),
  date: day(),
  periodId: uuid(),
  warehouseId: uuid(),
  zoneId: optional(uuid()),
  toWarehouseId: optional(uuid()),
  toZoneId: optional(uuid()),
  reason: optional(text()),
  /** As clients see them. */
  lines: json<readonly object[]>(),
  createdBy: optional(uuid()),
}) {}
