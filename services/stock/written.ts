/** How movements are written: parts of the one statement that also writes what caused them. */
import type { Decimal } from '../../domain/money.ts';
import type { Costs } from './cost.ts';
import type { Movement } from './movement.ts';

/**
 * Movements, layers, what is used up of earlier layers, and the events stock.movement and stock.low, as parts of a `with`.
 * @param source SQL of what moved the goods: doc_type, document_id, operation_id
 * @param condition ends each part, so that it does nothing when the cause itself was not written
 */
export function movementParts(source: string, condition = 'where true'): string {
  return `moved as (
    insert into stock_movements (id, tenant_id, date, item_id, warehouse_id, zone_id, batch_id, quantity, balance, doc_type, document_id, operation_id, document_line_id, created_at)
    select id, :tenant, :movementDate::date, "itemId", "warehouseId", "zoneId", "batchId", quantity, balance, ${source}, "documentLineId", :now::timestamptz
    from json_to_recordset(:movements::json) as m(id uuid, "itemId" uuid, "warehouseId" uuid, "zoneId" uuid, "batchId" uuid, quantity numeric, balance numeric, "documentLineId" uuid)
    ${condition} returning *
  ), layered as (
    insert into stock_layers (id, tenant_id, seq, date, item_id, warehouse_id, quantity, given_cost, given_fifo_cost, source_id, unit_cost, fifo_unit_cost,
      average_change, fifo_change, remaining, quantity_after, average_after, fifo_after, last_cost, last_average, parts)
    select m.id, :tenant, m.seq, m.date, m.item_id, m.warehouse_id, m.quantity, l."givenCost", l."givenFifoCost", l."sourceId", l."unitCost", l."fifoUnitCost",
      l."averageChange", l."fifoChange", l.remaining, l.quantity, l."averageValue", l."fifoValue", l."lastCost", l."lastAverage", l.parts
    from moved m join json_to_recordset(:layers::json) as l(id uuid, quantity numeric, "givenCost" numeric, "givenFifoCost" numeric, "sourceId" uuid, "unitCost" numeric,
      "fifoUnitCost" numeric, "averageChange" numeric, "fifoChange" numeric, remaining numeric, "averageValue" numeric, "fifoValue" numeric, "lastCost" numeric, "lastAverage" numeric, parts jsonb) on l.id = m.id
  ), consumed as (
    update stock_layers l set remaining = l.remaining - c.quantity
    from json_to_recordset(:consumed::json) as c(id uuid, quantity numeric) where l.id = c.id and exists (select from moved)
  ), movement_events as (
    insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
    select gen_random_uuid(), :tenant, 'stock.movement', 'StockMovement', m.id, json_build_object('movement_id', m.id, 'item_id', m.item_id, 'item_code', i.code,
      'warehouse_id', m.warehouse_id, 'zone_id', m.zone_id, 'batch_num', b.batch_num, 'quantity', m.quantity::float8, 'balance', m.balance::float8,
      'document_type', :movedBy::text, 'document_id', coalesce(m.document_id, m.operation_id)), m.created_at
    from moved m join items i on i.id = m.item_id left join batches b on b.id = m.batch_id order by m.seq
  ), low_events as (
    insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
    select gen_random_uuid(), :tenant, 'stock.low', 'Item', i.id, json_build_object('item_id', i.id, 'code', i.code, 'name', i.name,
      'warehouse_id', m.warehouse_id, 'stock', s.on_hand::float8, 'min_stock', i.min_stock::float8), :now::timestamptz
    from (select item_id, (array_agg(warehouse_id order by seq desc))[1] as warehouse_id, sum(quantity) as quantity from moved group by item_id) m
    join items i on i.id = m.item_id and i.min_stock > 0
    join lateral (select sum(on_hand) as on_hand from stock_levels l where l.item_id = i.id) s on true
    where m.quantity < 0 and s.on_hand < i.min_stock and s.on_hand - m.quantity >= i.min_stock
  )`;
}

/**
 * What `movementParts` takes besides `tenant` and `now`.
 * @param movedBy what moved the goods, as events name it: sales_invoice, stock_transfer
 */
export function movementBindings(
  movements: readonly Movement[],
  { layers, consumed }: Costs,
  date: string,
  movedBy: string,
): Record<string, string> {
  return {
    movements: JSON.stringify(movements satisfies readonly { readonly quantity: Decimal }[]),
    layers: JSON.stringify(layers),
    consumed: JSON.stringify(consumed),
    movementDate: date,
    movedBy,
  };
}
