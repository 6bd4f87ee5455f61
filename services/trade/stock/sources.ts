/** Loads the earlier movements that others take back (returns, cancellations) or whose cost they settle. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { type Stock, stockKey } from '../../../domain/trade/stock/levels.ts';
import type { BookedMovement } from '../../../domain/trade/stock/movement-remainders.ts';
import { DATED_SQL, type DatedStock } from './dated-stocks.ts';

export interface Sources {
  /** Booked movements by stock, in order of date and entry. */
  readonly done: ReadonlyMap<string, readonly BookedMovement[]>;
  /** Ids of the layers that they changed. */
  readonly layers: readonly string[];
}

/** SQL: the unit cost of a FIFO layer, including later cost changes of its receipt. */
export const PRESENT_UNIT_COST = 'fifo_unit_cost + case when fifo_settled = 0 then 0 else fifo_settled / quantity end';

/**
 * The movements taken back, those that they had taken back themselves, and all that take back any of these, within one warehouse; then
 * the movements that settled the cost of any of these.
 */
const SOURCES_SQL = `
  with recursive up as (
    select id, source_id, warehouse_id from stock_layers where id = any(:sources::uuid[])
    union
    select s.id, s.source_id, s.warehouse_id from up join stock_layers s on s.id = up.source_id and s.warehouse_id = up.warehouse_id
  ), tree as (
    select id, warehouse_id from up
    union
    select l.id, l.warehouse_id from tree join stock_layers l on l.source_id = tree.id and l.warehouse_id = tree.warehouse_id
  ), used as (
    select id from tree
    union
    select a.id from ${DATED_SQL} join stock_layers a on a.item_id = d."itemId" and a.warehouse_id = d."warehouseId"
    where a.settles is not null and a.date < d.date and a.settles ?| array(select id::text from tree)
  )
  select l.item_id as "itemId", l.warehouse_id as "warehouseId", l.id, l.source_id as source, l.quantity, coalesce(l.parts, '{}') as parts,
    coalesce(l.settles, '{}') as settles,
    case when l.quantity < 0 then l.average_change else round(l.quantity * l.unit_cost, 6) end as "averageWorth",
    case when l.quantity < 0 then l.fifo_change else round(l.quantity * l.fifo_unit_cost, 6) end as "fifoWorth"
  from used join stock_layers l on l.id = used.id
  join ${DATED_SQL} on d."itemId" = l.item_id and d."warehouseId" = l.warehouse_id and l.date < d.date
  order by l.date, l.seq`;

/**
 * @param ids of movements that are taken back, or settled
 * @param stocks with the day before which their movements count; `infinity` for all of them
 */
export async function loadSources(trx: Db, ids: readonly string[], stocks: readonly DatedStock[]): Promise<Sources> {
  const done = new Map<string, BookedMovement[]>();
  if (ids.length === 0) return { done, layers: [] };
  const rows = await query<Stock & BookedMovement>(trx, SOURCES_SQL, {
    sources: [...new Set(ids)],
    stocks: JSON.stringify(stocks),
  });
  for (const row of rows) {
    const known = done.get(stockKey(row));
    if (known) known.push(row);
    else done.set(stockKey(row), [row]);
  }
  return { done, layers: [...new Set(rows.flatMap(changedLayers))] };
}

function changedLayers({ parts, settles }: BookedMovement): string[] {
  const settled = Object.values(settles).flatMap(({ from = {} }) => Object.keys(from));
  return [...Object.keys(parts), ...settled];
}
