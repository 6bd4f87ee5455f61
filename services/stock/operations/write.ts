/** Writes a count or a transfer: head, movements, layers, audit record and events in one statement, its code last of all. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ConcurrentChange } from '../../../db/errors.ts';
import { newId } from '../../../db/ids.ts';
import { query } from '../../../db/sql.ts';
import { round } from '../../../domain/money.ts';
import { type EntryToWrite, entryBindings, entryParts } from '../../accounting/write-entry.ts';
import type { Costs, Layer } from '../cost.ts';
import type { Stock } from '../levels.ts';
import type { Movement } from '../movement.ts';
import { revalueBackdated } from '../revalue.ts';
import { movementBindings, movementParts } from '../written.ts';
import {
  type AdjustmentLine,
  OPERATION_KINDS,
  type OperationRow,
  presentOperation,
  type TransferLine,
} from './present.ts';

/** Digits of a code, at least. */
const DIGITS = 5;
/** Decimals of the costs that are shown. */
const COST_PLACES = 6;

export interface Operation {
  readonly head: Omit<OperationRow, 'code' | 'createdBy' | 'createdAt' | 'version'>;
  readonly lines: readonly (AdjustmentLine | TransferLine)[];
  readonly movements: readonly Movement[];
  readonly costs: Costs;
  /** All stocks that are locked for it. */
  readonly stocks: readonly Stock[];
  /** What it enters in the ledger. */
  readonly entry?: EntryToWrite | undefined;
}

/** @returns the operation as its GET returns it @throws ConcurrentChange when the period was closed since it was read */
export async function writeOperation(trx: Db, ctx: Context, operation: Operation): Promise<Record<string, unknown>> {
  const { head, lines, movements, costs, stocks, entry } = operation;
  const { entityType, event, prefix } = OPERATION_KINDS[head.kind];
  const row = { ...head, code: '', createdBy: ctx.userId, createdAt: ctx.now.toISOString(), version: 1 };
  const shown = presentOperation(row, lines);
  const moves =
    movements.length === 0
      ? ''
      : `${movementParts('null::text, null::uuid, :id::uuid', 'where exists (select from written)')},`;
  const [written] = await query<{ code: string }>(
    trx,
    `with period as (select id from periods where id = :periodId and status = 'O' for share),
     numbering as (
       insert into counters as c (tenant_id, name, next) select :tenant, :counter, 2 from period
       on conflict (tenant_id, name) do update set next = c.next + 1 returning next - 1 as number
     ),
     written as (
       insert into stock_operations (id, tenant_id, kind, code, date, period_id, warehouse_id, zone_id, to_warehouse_id, to_zone_id, reason, lines,
         created_by, version, created_at, updated_at)
       select :id, :tenant, :kind, :prefix || lpad(number::text, greatest(${DIGITS}, length(number::text)), '0'), :date::date, :periodId::uuid,
         :warehouseId::uuid, :zoneId::uuid, :toWarehouseId::uuid, :toZoneId::uuid, :reason, :lines::jsonb, :userId::uuid, 1, :now::timestamptz, :now::timestamptz
       from numbering returning code
     ),
     ${moves}
     ${entry ? `${entryParts(`' ' || written.code`, 'from written')},` : ''}
     audited as (
       insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, old_value, new_value, created_at)
       select :auditId, :tenant, :entityType, :id::uuid, 'CREATE', :userId::uuid, :actor, :requestId, null,
         (:newValue::jsonb || jsonb_build_object('code', written.code))::json, :now::timestamptz from written
     )
     select code from written`,
    {
      id: row.id,
      tenant: ctx.tenantId,
      kind: row.kind,
      prefix,
      counter: `stock_operations:${prefix}`,
      date: row.date,
      periodId: row.periodId,
      warehouseId: row.warehouseId,
      zoneId: row.zoneId,
      toWarehouseId: row.toWarehouseId,
      toZoneId: row.toZoneId,
      reason: row.reason,
      lines: JSON.stringify(lines),
      now: row.createdAt,
      auditId: newId(),
      entityType,
      userId: ctx.userId,
      actor: ctx.actor,
      requestId: ctx.requestId,
      newValue: JSON.stringify(shown),
      ...(entry ? entryBindings(entry) : {}),
      ...(movements.length === 0 ? {} : movementBindings(movements, costs, row.date, event)),
    },
  );
  if (!written) throw new ConcurrentChange();
  await revalueBackdated(trx, ctx, costs.backdated, row.date, stocks);
  return { ...shown, code: written.code };
}

/** What one unit cost, by the method that the item is valued with. */
export function unitCostOf(layer: Layer, costMethod: 'average' | 'fifo'): string {
  return round(costMethod === 'fifo' ? layer.fifoUnitCost : layer.unitCost, COST_PLACES);
}

/** What a movement has changed the value of its stock by, by the method that the item is valued with. */
export function valueChange(layer: Layer, costMethod: 'average' | 'fifo'): string {
  return costMethod === 'fifo' ? layer.fifoChange : layer.averageChange;
}
