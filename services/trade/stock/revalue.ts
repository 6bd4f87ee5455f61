/** Recomputes the layers of an item and warehouse from the day of a movement that changes the values of others; earlier ones stay. */
import { Changes } from '../../../db/changes/changes.ts';
import { followUp } from '../../../db/changes/follow-up.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { StockLevel } from '../../../db/models/trade/stock.ts';
import { query } from '../../../db/sql.ts';
import { STOCK_REVALUATION_DUE, STOCK_REVALUED } from '../../../domain/platform/internal-events.ts';
import { type Stock, stockKey } from '../../../domain/trade/stock/levels.ts';
import { DATED_SQL, type DatedStock, LATER_SQL, REVALUED_FROM_SQL } from './dated-stocks.ts';
import { followersDue, followersIn, writeFollowers } from './followers.ts';
import { recomputeLayers } from './recompute.ts';
import { addCostChanges, type CostChanges } from './valuation-movements.ts';

/** Maximum later layers of one stock that a request recomputes; a workflow takes more. */
export const INLINE_LAYERS = 1000;

/** Stocks to revalue after movements that change the values of others. */
export interface Due {
  /** Stocks whose layers are recomputed from a day on: those with later movements, or with valuation movements. */
  readonly recompute: readonly DatedStock[];
  /** Stocks in which the cost of goods that had left was settled from a day on, without recomputing layers. */
  readonly settled?: readonly DatedStock[];
  /** All stocks that the transaction has locked. */
  readonly locked: readonly Stock[];
}

/**
 * Recomputes layers after back-dated movements and valuation movements: at once if there are few, else by an event for the workflow.
 * Transferred goods follow: at once if their stock is locked too, else by an event.
 */
async function revalue(trx: Db, ctx: Context, { recompute, settled = [], locked }: Due): Promise<void> {
  const mine = new Set(locked.map(stockKey));
  const isLocked = (stock: Stock) => mine.has(stockKey(stock));
  let due = earliest(recompute);
  let changed = settled;
  // Each round follows goods one transfer further; it ends when costs no longer change.
  while (due.length > 0 || changed.length > 0) {
    const many = await stocksWithManyLayers(trx, due);
    const few = due.filter((stock) => !many.has(stockKey(stock)));
    await recomputeLayers(trx, few);
    const followers = await followersDue(trx, [...few, ...changed]);
    await writeFollowers(trx, ctx, followers.filter(isLocked));
    const next = earliest([...(await stocksTransferredTo(trx, few)), ...followers]);
    const later = [...due.filter((stock) => many.has(stockKey(stock))), ...next.filter((stock) => !isLocked(stock))];
    await startWorkflowFor(trx, ctx, later);
    due = next.filter(isLocked);
    changed = [];
  }
}

/** Recomputes values once the movements that change them are written. */
export const revalueStocks = followUp<Due>('recompute stock values', revalue);

/** Changes the cost of receipts by valuation movements, and the values of everything after them. */
export const changeCosts = followUp<CostChanges>('change costs of receipts', async (trx, ctx, { costs, locked }) => {
  if (costs.length === 0) return;
  const changes = new Changes(ctx);
  const recompute = await addCostChanges(trx, changes, costs);
  await changes.write(trx);
  await revalue(trx, ctx, { recompute, locked });
});

/**
 * Handles the event of movements that change the values of many others and records that it is done; stocks that goods were transferred to
 * get events. @returns the number of layers changed
 */
export async function revalueByEvent(trx: Db, ctx: Context, eventId: string): Promise<number> {
  const event = (await trx('outbox').where({ id: eventId }).first('payload')) as
    | { payload: { item_id: string; warehouse_id: string; date: string } }
    | undefined;
  if (event === undefined) return 0;
  const { item_id: itemId, warehouse_id: warehouseId, date } = event.payload;
  await lockStock(trx, { itemId, warehouseId });
  await writeFollowers(trx, ctx, await followersIn(trx, { itemId, warehouseId, date }));
  const stocks = [{ itemId, warehouseId, date }];
  const changed = await recomputeLayers(trx, stocks);
  const next = [...(await stocksTransferredTo(trx, stocks)), ...(await followersDue(trx, stocks))];
  await startWorkflowFor(trx, ctx, earliest(next));
  const done = { name: STOCK_REVALUED, payload: { due: eventId }, only: 'note' as const };
  await new Changes(ctx).emit({ type: 'Item', id: itemId }, done).write(trx);
  return changed;
}

/** Each stock once, with its earliest day, in the order of locks. */
function earliest(stocks: readonly DatedStock[]): DatedStock[] {
  const days = new Map<string, DatedStock>();
  for (const { itemId, warehouseId, date } of stocks) {
    const known = days.get(stockKey({ itemId, warehouseId }));
    if (known === undefined || date < known.date)
      days.set(stockKey({ itemId, warehouseId }), { itemId, warehouseId, date });
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, stock]) => stock);
}

/** Finds the stocks to which goods were transferred and whose cost there differs from the cost at which they left. */
async function stocksTransferredTo(trx: Db, stocks: readonly DatedStock[]): Promise<DatedStock[]> {
  if (stocks.length === 0) return [];
  return await query<DatedStock>(
    trx,
    `select f.item_id as "itemId", f.warehouse_id as "warehouseId", min(f.date)::text as date
     from ${DATED_SQL} join stock_layers l on ${LATER_SQL}
     join stock_layers f on f.source_id = l.id and f.warehouse_id <> l.warehouse_id
     where (f.given_cost, f.given_fifo_cost) is distinct from (l.unit_cost, l.fifo_unit_cost)
     group by 1, 2 order by 1, 2`,
    { stocks: JSON.stringify(stocks) },
  );
}

/** Locks the general row of a stock, as its movements do. */
async function lockStock(trx: Db, { itemId, warehouseId }: Stock): Promise<void> {
  await StockLevel.query(trx)
    .where({ item_id: itemId, warehouse_id: warehouseId, zone_id: null, batch_id: null })
    .forUpdate()
    .first();
}

/** The stocks with more later layers than a request recomputes. */
async function stocksWithManyLayers(trx: Db, stocks: readonly DatedStock[]): Promise<Set<string>> {
  if (stocks.length === 0) return new Set();
  const rows = await query<Stock>(
    trx,
    `select d."itemId", d."warehouseId" from ${DATED_SQL}
     where (select count(*) from (select from stock_layers l where ${LATER_SQL.replace('d.date', `least(d.date, ${REVALUED_FROM_SQL})`)}
       limit ${INLINE_LAYERS + 1}) as later) > ${INLINE_LAYERS}`,
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
