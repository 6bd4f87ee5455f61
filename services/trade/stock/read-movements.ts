/** Stock movements as clients see them. */
import type { Reader } from '../../../db/database.ts';
import { UNIT_COST, VALUE_CHANGE, WORTH } from '../../../db/queries/stock-values.ts';
import { query } from '../../../db/sql.ts';
import { type Decimal, optionalNumber, toNumber } from '../../../domain/money.ts';

/**
 * Movements with their costs, by the item's costing method, and their causes. PostgreSQL omits the left joins when it
 * counts rows.
 */
export const MOVEMENTS_SQL = `
  select m.id, m.seq, m.date, m.item_id, i.code as item_code, i.name as item_name, m.warehouse_id, m.zone_id, m.batch_id, b.batch_num,
    m.quantity,
    m.balance, round(case when m.quantity < 0 then ${WORTH} / m.quantity
      when m.quantity > 0 then ${UNIT_COST} end, 6) as unit_cost,
    ${VALUE_CHANGE} as value, v.adjusts_id as revalues_id, m.doc_type, m.document_id,
    case when m.landed_cost_id is null then o.kind else 'landed_cost' end as operation_type,
    coalesce(m.landed_cost_id, m.operation_id) as operation_id, coalesce(d.code, o.code, t.code) as document_code,
    coalesce(o.reason, d.reason, t.description) as reason,
    m.rounding, m.created_at
  from stock_movements m left join items i on i.id = m.item_id
  left join stock_layers v on v.id = m.id left join batches b on b.id = m.batch_id
  left join documents d on d.id = m.document_id left join stock_operations o on o.id = m.operation_id
  left join landed_costs t on t.id = m.landed_cost_id`;

interface MovementRow {
  readonly id: string;
  readonly date: string;
  readonly item_id: string;
  readonly item_code: string;
  readonly item_name: string;
  readonly warehouse_id: string;
  readonly zone_id: string | null;
  readonly batch_id: string | null;
  readonly batch_num: string | null;
  readonly quantity: Decimal;
  readonly balance: Decimal;
  readonly unit_cost: Decimal | null;
  readonly value: Decimal | null;
  readonly revalues_id: string | null;
  readonly doc_type: string | null;
  readonly document_id: string | null;
  readonly operation_type: string | null;
  readonly operation_id: string | null;
  readonly document_code: string | null;
  readonly reason: string | null;
  readonly rounding: boolean;
  readonly created_at: string;
}

/** A movement as clients see it. */
export function movementToJson(row: MovementRow) {
  return {
    id: row.id,
    date: row.date,
    itemId: row.item_id,
    itemCode: row.item_code,
    itemName: row.item_name,
    warehouseId: row.warehouse_id,
    zoneId: row.zone_id,
    batchId: row.batch_id,
    batchNum: row.batch_num,
    quantity: toNumber(row.quantity),
    balance: toNumber(row.balance),
    unitCost: optionalNumber(row.unit_cost),
    value: optionalNumber(row.value),
    revaluesId: row.revalues_id,
    docType: row.doc_type,
    documentId: row.document_id,
    operationType: row.operation_type,
    operationId: row.operation_id,
    documentCode: row.document_code,
    reason: row.reason,
    rounding: row.rounding,
    createdAt: row.created_at,
  };
}

/** Movements by id, in the order in which they were made. */
export async function readMovements(reader: Reader, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const sql = `select * from (${MOVEMENTS_SQL}) as movements where id = any(:ids::uuid[]) order by seq`;
  return (await query<MovementRow>(reader, sql, { ids: [...ids] })).map(movementToJson);
}
