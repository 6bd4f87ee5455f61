/** Counts, transfers and assemblies as clients and the audit log see them. */

import type { Row } from '../../../../db/models/table.ts';
import type { StockOperation } from '../../../../db/models/trade/stock.ts';
import { type Decimal, optionalNumber, toNumber } from '../../../../domain/money.ts';

export type OperationKind = 'adjustment' | 'transfer' | 'assembly';

/** Names of each kind in the audit log and events, and the prefix of its codes. */
export const OPERATION_KINDS = {
  adjustment: { entityType: 'StockAdjustment', event: 'stock_adjustment', prefix: 'AJ' },
  transfer: { entityType: 'StockTransfer', event: 'stock_transfer', prefix: 'TR' },
  assembly: { entityType: 'StockAssembly', event: 'stock_assembly', prefix: 'MO' },
} as const satisfies Record<OperationKind, { entityType: string; event: string; prefix: string }>;

/** A line of a count: on hand before, counted, and the cost at which the difference was booked. */
export interface AdjustmentLine {
  readonly itemId: string;
  readonly itemCode: string;
  readonly zoneId: string | null;
  readonly batchId: string | null;
  readonly batchNum: string | null;
  readonly countedQuantity: Decimal;
  readonly previousQuantity: Decimal;
  readonly difference: Decimal;
  /** Unit cost of the difference, as valued at the time; null if there is none. */
  readonly unitCost: Decimal | null;
}

/** Goods that a transfer took from one place. */
export interface MovedPart {
  readonly zoneId: string | null;
  readonly batchId: string | null;
  readonly batchNum: string | null;
  readonly quantity: Decimal;
  /** Unit cost at which they left, as valued at the time. */
  readonly unitCost: Decimal;
}

export interface TransferLine {
  readonly itemId: string;
  readonly itemCode: string;
  readonly quantity: Decimal;
  readonly zoneId: string | null;
  readonly toZoneId: string | null;
  readonly batchNum: string | null;
  readonly moved: readonly MovedPart[];
}

/** The item that an assembly makes, or a part of it. */
export interface AssemblyLine {
  readonly itemId: string;
  readonly itemCode: string;
  readonly quantity: Decimal;
  readonly produced: boolean;
  /** As valued at the time. */
  readonly unitCost: Decimal | null;
}

export type OperationLine = AdjustmentLine | TransferLine | AssemblyLine;

/** The stored head. */
export type OperationRow = Omit<Row<typeof StockOperation>, 'lines' | 'updatedAt'>;

/** A head, as lists show it. */
export function headToJson(row: OperationRow) {
  const { kind, toWarehouseId, toZoneId, ...head } = row;
  return kind === 'transfer' ? { ...head, toWarehouseId, toZoneId } : head;
}

/** A whole operation; exact quantities become JSON numbers here. */
export function operationToJson(row: OperationRow, lines: readonly OperationLine[]) {
  return { ...headToJson(row), lines: lines.map(lineToJson) };
}

function lineToJson(line: OperationLine) {
  if ('produced' in line) {
    const unitCost = optionalNumber(line.unitCost);
    return { ...line, quantity: toNumber(line.quantity), unitCost };
  }
  if ('moved' in line) {
    const moved = line.moved.map((part) => ({
      ...part,
      quantity: toNumber(part.quantity),
      unitCost: toNumber(part.unitCost),
    }));
    return { ...line, quantity: toNumber(line.quantity), moved };
  }
  return {
    ...line,
    countedQuantity: toNumber(line.countedQuantity),
    previousQuantity: toNumber(line.previousQuantity),
    difference: toNumber(line.difference),
    unitCost: optionalNumber(line.unitCost),
  };
}
