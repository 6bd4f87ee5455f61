/** Reads counts and transfers. */

import type { Reader } from '../../../../db/database.ts';
import { StockOperation } from '../../../../db/models/trade/stock.ts';
import { findRow } from '../../../../db/queries/find.ts';
import { notFound } from '../../../../domain/errors.ts';
import { spacedWords } from '../../../../domain/words.ts';
import {
  OPERATION_KINDS,
  type OperationKind,
  type OperationLine,
  type OperationRow,
  operationToJson,
} from './to-json.ts';

/** @throws ServiceError not_found */
export async function readOperation(reader: Reader, kind: OperationKind, id: string) {
  const stored = await findRow(reader, StockOperation, { id, kind });
  if (stored === undefined) throw notFound(`This ${spacedWords(OPERATION_KINDS[kind].entityType)}`);
  return operationToJson(operationHead(stored), stored.lines as readonly OperationLine[]);
}

/** The head alone of a stored operation. */
export function operationHead(stored: OperationRow): OperationRow {
  const { id, kind, code, date, periodId, warehouseId, zoneId, toWarehouseId, toZoneId, reason } = stored;
  const { createdBy, createdAt, version } = stored;
  const places = { warehouseId, zoneId, toWarehouseId, toZoneId };
  return { id, kind, code, date, periodId, ...places, reason, createdBy, createdAt, version };
}
