/** Writes a count or a transfer: head, movements, layers, audit record and events in one statement, its code last of all. */
import type { Changes } from '../../../../db/changes/changes.ts';
import type { Numbering } from '../../../../db/changes/numbering.ts';
import type { Db } from '../../../../db/database.ts';
import { StockOperation } from '../../../../db/models/trade/stock.ts';
import { type Decimal, decimal, round } from '../../../../domain/money.ts';
import type { Stock } from '../../../../domain/trade/stock/levels.ts';
import { addGoods, type MovedGoods } from '../add-goods.ts';
import type { Layer } from '../cost.ts';
import type { OperationItem } from './references.ts';
import {
  OPERATION_KINDS,
  type OperationKind,
  type OperationLine,
  type OperationRow,
  operationToJson,
} from './to-json.ts';

/** Minimum number of digits of a code. */
const DIGITS = 5;
/** Decimals of the costs shown. */
const COST_PLACES = 6;

export interface Operation {
  readonly head: Omit<OperationRow, 'code' | 'createdBy' | 'createdAt' | 'version'>;
  readonly lines: readonly OperationLine[];
  readonly goods: MovedGoods;
  /** All stocks locked for it. */
  readonly stocks: readonly Stock[];
  readonly number: Numbering;
}

/** Takes the number of a count or transfer. */
export function takeCode(changes: Changes, kind: OperationKind): Numbering {
  const { prefix } = OPERATION_KINDS[kind];
  return changes.takeNumber({ counter: `stock_operations:${prefix}`, prefix, digits: DIGITS });
}

/** @returns the operation as its GET returns it @throws ServiceError period_closed when the period was closed meanwhile */
export async function writeOperation(trx: Db, changes: Changes, operation: Operation) {
  const { head, lines, goods, stocks, number } = operation;
  const { entityType, event } = OPERATION_KINDS[head.kind];
  const { userId: createdBy, now } = changes.ctx;
  const createdAt = now.toISOString();
  const row = { ...head, code: number.pending.code, createdBy, createdAt, version: 1 };
  const shown = operationToJson(row, lines);
  changes.hold('stock', head.periodId).insert(StockOperation, [{ ...row, lines, updatedAt: createdAt }]);
  addGoods(changes, goods, { operationId: head.id, periodId: head.periodId, name: event }, stocks);
  changes.audit({ type: entityType, id: head.id }, null, shown);
  await changes.write(trx);
  return { ...shown, code: number.taken.code };
}

type Costed = Pick<OperationItem, 'costMethod' | 'standardCost'>;

/** Unit cost by the item's costing method. */
export function shownUnitCost(layer: Layer, { costMethod, standardCost }: Costed): Decimal {
  return round(standardCost ?? (costMethod === 'fifo' ? layer.fifoUnitCost : layer.unitCost), COST_PLACES);
}

/** The change that a movement of a quantity made to the value of its stock, by the item's costing method. */
export function valueChange(layer: Layer, { costMethod, standardCost }: Costed, quantity: Decimal): Decimal {
  if (standardCost !== null) return decimal(quantity).times(standardCost).toFixed();
  return costMethod === 'fifo' ? layer.fifoChange : layer.averageChange;
}
