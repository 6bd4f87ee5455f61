/** Back-dated movements: recomputes the layers of that item and warehouse from that day on; earlier ones stay. */
import { Changes } from '../../db/changes/changes.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { STOCK_REVALUATION_DUE, STOCK_REVALUED } from '../../domain/internal-events.ts';
import { DATED_SQL, type DatedStock, LATER_SQL } from './dated.ts';
import { type Stock, stockKey } from './levels.ts';
import { recomputeLayers } from './recompute.ts';

/** With more later layers of one stock than this, a workflow recomputes them instead of the request. */
export const INLINE_LAYERS = 1000;

/**
 * Recomputes layers after back-dated movements: at once if there are few, else by an event for the workflow. Layers of stocks that goods
 * were transferred to follow: at once if that stock is locked too, else by an event.
 * @param stocks those with later movements
 * @param date of the movements
 * @param locked all stocks that the transaction has locked
 */
export async function revalueBackdated(
  trx: Db,
  ctx: Context,
  stocks: readonly Stock[],
  date: string,
  locked: readonly Stock[] = stocks,
): Promise<void> {
  const mine = new Set(locked.map(stockKey));
  let due = stocks.map(({ itemId, warehouseId }): DatedStock => ({ itemId, warehouseId, date }));
  // Each round follows goods one transfer further; it ends when costs no longer change.
  while (due.length > 0) {
    const many = await stocksWithManyLayers(trx, due);
    const few = due.filter((stock) => !many.has(stockKey(stock)));
    await recomputeLayers(trx, few);
    const followers = await stocksTransferredTo(trx, few);
    const later = [...due.filter((stock) => many.has(stockKey(stock))), ...followers.filter((one) => !isLocked(one))];
    await startWorkflowFor(trx, ctx, later);
    due = followers.filter(isLocked);
  }

  function isLocked(stock: Stock): boolean {
    return mine.has(stockKey(stock));
  }
}

/**
 * Handles the event of a back-dated movement and records that it is done; stocks that goods were transferred to get events. @returns how
 * many layers changed
 */
export async function revalueByEvent(trx: Db, ctx: Context, eventId: string): Promise<number> {
  const event = (await trx('outbox').where({ id: eventId }).first('payload')) as
    | { payload: { item_id: string; warehouse_id: string; date: string } }
    | undefined;
  if (event === undefined) return 0;
  const { item_id: itemId, warehouse_id: warehouseId, date } = event.payload;
  await lockStock(trx, { itemId, warehouseId });
  const stocks = [{ itemId, warehouseId, date }];
  const changed = await recomputeLayers(trx, stocks);
  await startWorkflowFor(trx, ctx, await stocksTransferredTo(trx, stocks));
  const done = { name: STOCK_REVALUED, payload: { due: eventId }, only: 'note' as const };
  await new Changes(ctx).emit({ type: 'Item', id: itemId }, done).write(trx);
  return changed;
}

/** Stocks that goods of the given ones were transferred to, where their cost is not yet what they left with. */
async function stocksTransferredTo(trx: Db, stocks: readonly DatedStock[]): Promise<DatedStock[]> {
  if (stocks.length === 0) return [];
  return await query<DatedStock>(
    trx,
    `select f.item_id as "itemId", f.warehouse_id as "warehouseId", min(f.date) as date
     from ${DATED_SQL} join stock_layers l on ${LATER_SQL}
     join stock_layers f on f.source_id = l.id and f.warehouse_id <> l.warehouse_id
     where (f.given_cost, f.given_fifo_cost) is distinct from (l.unit_cost, l.fifo_unit_cost)
     group by 1, 2 order by 1, 2`,
    { stocks: JSON.stringify(stocks) },
  );
}

/** Locks a stock as its movements do. */
async function lockStock(trx: Db, { itemId, warehouseId }: Stock): Promise<void> {
  await trx('stock_levels')
    .where({ item_id: itemId, warehouse_id: warehouseId, zone_id: null, batch_id: null })
    .forUpdate()
    .first('id');
}

/** The stocks with more later layers than a request recomputes. */
async function stocksWithManyLayers(trx: Db, stocks: readonly DatedStock[]): Promise<Set<string>> {
  const rows = await query<Stock>(
    trx,
    `select d."itemId", d."warehouseId" from ${DATED_SQL}
     where (select count(*) from (select from stock_layers l where ${LATER_SQL} limit ${INLINE_LAYERS + 1}) as later) > ${INLINE_LAYERS}`,
    { stocks: JSON.stringify(stocks) },
  );
  return new Set(rows.map(stockKey));
}

async function startWorkflowFor(trx: Db, ctx: Context, stocks: readonly DatedStock[]): Promise<void> {
  const changes = new Changes(ctx);
  for (const { itemId, warehouseId, date } of stocks) {
    const payload = { item_id: itemId, warehouse_id: warehouseId, date };
    changes.emit({ type: 'Item', id: itemId }, { name: STOCK_REVALUATION_DUE, payload });
  }
  await changes.write(trx);
}
