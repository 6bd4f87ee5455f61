/** Reads counts and transfers. */
import type { Db } from '../../../db/database.ts';
import { notFound } from '../../../domain/errors.ts';
import { wordsOf } from '../../../domain/words.ts';
import {
  type AdjustmentLine,
  OPERATION_KINDS,
  type OperationKind,
  type OperationRow,
  operationToJson,
  type TransferLine,
} from './to-json.ts';

/** A row of stock_operations with its lines. */
export interface StoredOperation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly code: string;
  readonly date: string;
  readonly period_id: string;
  readonly warehouse_id: string;
  readonly zone_id: string | null;
  readonly to_warehouse_id: string | null;
  readonly to_zone_id: string | null;
  readonly reason: string | null;
  readonly created_by: string | null;
  readonly created_at: string;
  readonly version: number;
}

/** @throws ServiceError not_found */
export async function readOperation(db: Db, kind: OperationKind, id: string) {
  const stored = (await db('stock_operations').where({ id, kind }).first()) as
    | (StoredOperation & { lines: (AdjustmentLine | TransferLine)[] })
    | undefined;
  if (stored === undefined) throw notFound(`This ${wordsOf(OPERATION_KINDS[kind].entityType)}`);
  return operationToJson(headOf(stored), stored.lines);
}

export function headOf(stored: StoredOperation): OperationRow {
  return {
    id: stored.id,
    kind: stored.kind,
    code: stored.code,
    date: stored.date,
    periodId: stored.period_id,
    warehouseId: stored.warehouse_id,
    zoneId: stored.zone_id,
    toWarehouseId: stored.to_warehouse_id,
    toZoneId: stored.to_zone_id,
    reason: stored.reason,
    createdBy: stored.created_by,
    createdAt: stored.created_at,
    version: stored.version,
  };
}
