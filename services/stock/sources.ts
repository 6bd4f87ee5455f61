/** The earlier movements that others take back: returns, cancellations. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import type { DoneMovement } from '../../domain/stock/taken-back.ts';
import { DATED_SQL, type DatedStock } from './dated.ts';
import { type Stock, stockKey } from './levels.ts';

export interface Sources {
  /** By stock, in order of date and entry. */
  readonly done: ReadonlyMap<string, readonly DoneMovement[]>;
  /** The layers that they changed. */
  readonly layers: readonly string[];
}

/** What they take back, what that had taken back itself, and everything that takes back any of these, within its warehouse. */
const SOURCES_SQL = `
  with recursive up as (
    select id, source_id, warehouse_id from stock_layers where id = any(:sources::uuid[])
    union
    select s.id, s.source_id, s.warehouse_id from up join stock_layers s on s.id = up.source_id and s.warehouse_id = up.warehouse_id
  ), tree as (
    select id, warehouse_id from up
    union
    select l.id, l.warehouse_id from tree join stock_layers l on l.source_id = tree.id and l.warehouse_id = tree.warehouse_id
  )
  select l.item_id as "itemId", l.warehouse_id as "warehouseId", l.id, l.source_id as source, l.quantity, coalesce(l.parts, '{}') as parts,
    case when l.quantity < 0 then l.average_change else round(l.quantity * l.unit_cost, 6) end as "averageWorth",
    case when l.quantity < 0 then l.fifo_change else round(l.quantity * l.fifo_unit_cost, 6) end as "fifoWorth"
  from tree join stock_layers l on l.id = tree.id
  join ${DATED_SQL} on d."itemId" = l.item_id and d."warehouseId" = l.warehouse_id and l.date < d.date
  order by l.date, l.seq`;

/**
 * @param ids of movements that are taken back
 * @param stocks with the day before which their movements count; `infinity` for all of them
 */
export async function sourcesOf(trx: Db, ids: readonly string[], stocks: readonly DatedStock[]): Promise<Sources> {
  const done = new Map<string, DoneMovement[]>();
  if (ids.length === 0) return { done, layers: [] };
  const rows = await query<Stock & DoneMovement>(trx, SOURCES_SQL, {
    sources: [...new Set(ids)],
    stocks: JSON.stringify(stocks),
  });
  for (const row of rows) done.set(stockKey(row), [...(done.get(stockKey(row)) ?? []), row]);
  return { done, layers: [...new Set(rows.flatMap(({ parts }) => Object.keys(parts)))] };
}
