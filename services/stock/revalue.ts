/** Back-dated movements: the layers of that item and warehouse from that day on are worked out again; earlier ones stay. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { STOCK_REVALUATION_DUE } from '../../domain/internal-events.ts';
import type { Decimal } from '../../domain/money.ts';
import { type Costing, CostLedger, type CostState, type OpenLayer } from '../../domain/stock/valuation.ts';
import type { Stock } from './levels.ts';

/** Above this a request does not wait: a workflow does it. */
export const INLINE_LAYERS = 1000;

/**
 * Works out layers again after back-dated movements, at once where they are few, else by an event for the workflow.
 * @param date the day of the earliest such movement
 */
export async function revalueBackdated(trx: Db, ctx: Context, stocks: readonly Stock[], date: string): Promise<void> {
  for (const stock of stocks) {
    const later = await laterLayers(trx, stock, date);
    if (later > INLINE_LAYERS) await leaveToWorkflow(trx, ctx, stock, date);
    else await revalue(trx, stock, date);
  }
}

/**
 * Works out the layers of one stock from a day on. Repeating it changes nothing.
 * @param trx the general row of the stock is locked in it, by the caller's movement or by `revalueByEvent`
 * @returns how many layers changed
 */
export async function revalue(trx: Db, stock: Stock, date: string): Promise<number> {
  const { state, open } = await standingBefore(trx, stock, date);
  const movements = await query<{
    id: string;
    quantity: Decimal;
    unitCost: Decimal | null;
    fifoUnitCost: Decimal | null;
  }>(
    trx,
    `select id, quantity, given_cost as "unitCost", given_fifo_cost as "fifoUnitCost" from stock_layers
     where item_id = :itemId and warehouse_id = :warehouseId and date >= :date::date order by date, seq`,
    { itemId: stock.itemId, warehouseId: stock.warehouseId, date },
  );
  const ledger = new CostLedger(state, open);
  const costings = movements.map((movement) => ledger.apply(movement));
  const left = ledger.remaining();
  const layers: (Partial<Costing> & { id: string; remaining: Decimal })[] = [
    ...open.map(({ id }) => ({ id, remaining: left.get(id) ?? '0' })),
    ...costings.map((costing) => ({ ...costing, remaining: left.get(costing.id) ?? '0' })),
  ];
  const changed = await query<{ id: string }>(
    trx,
    `update stock_layers l set remaining = n.remaining,
       unit_cost = coalesce(n."unitCost", l.unit_cost), fifo_unit_cost = coalesce(n."fifoUnitCost", l.fifo_unit_cost),
       average_change = coalesce(n."averageChange", l.average_change), fifo_change = coalesce(n."fifoChange", l.fifo_change),
       quantity_after = coalesce(n.quantity, l.quantity_after), average_after = coalesce(n."averageValue", l.average_after),
       fifo_after = coalesce(n."fifoValue", l.fifo_after), last_cost = coalesce(n."lastCost", l.last_cost)
     from json_to_recordset(:layers::json) as n(id uuid, remaining numeric, "unitCost" numeric, "fifoUnitCost" numeric, "averageChange" numeric,
       "fifoChange" numeric, quantity numeric, "averageValue" numeric, "fifoValue" numeric, "lastCost" numeric)
     where l.id = n.id returning l.id`,
    { layers: JSON.stringify(layers) },
  );
  return changed.length;
}

/** Does what an event of a back-dated movement asks for. @returns how many layers changed */
export async function revalueByEvent(trx: Db, eventId: string): Promise<number> {
  const event = (await trx('outbox').where({ id: eventId }).first('payload')) as
    | { payload: { item_id: string; warehouse_id: string; date: string } }
    | undefined;
  if (event === undefined) return 0;
  const { item_id: itemId, warehouse_id: warehouseId, date } = event.payload;
  await lockStock(trx, { itemId, warehouseId });
  return await revalue(trx, { itemId, warehouseId }, date);
}

/** Locks a stock as its movements do. */
async function lockStock(trx: Db, { itemId, warehouseId }: Stock): Promise<void> {
  await trx('stock_levels')
    .where({ item_id: itemId, warehouse_id: warehouseId, zone_id: null, batch_id: null })
    .forUpdate()
    .first('id');
}

async function laterLayers(trx: Db, { itemId, warehouseId }: Stock, date: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    trx,
    `select count(*) as count from (select 1 from stock_layers
     where item_id = :itemId and warehouse_id = :warehouseId and date >= :date::date limit ${INLINE_LAYERS + 1}) as later`,
    { itemId, warehouseId, date },
  );
  return Number(row?.count);
}

/**
 * How a stock stood before a day: what was on hand then had come in last (FIFO uses up the oldest), so that the open layers
 * are found from the latest backwards.
 */
async function standingBefore(
  trx: Db,
  { itemId, warehouseId }: Stock,
  date: string,
): Promise<{ state: CostState; open: readonly OpenLayer[] }> {
  const [row] = await query<CostState & { open: OpenLayer[] | null }>(
    trx,
    `with last as (
       select quantity_after, average_after, fifo_after, last_cost from stock_layers
       where item_id = :itemId and warehouse_id = :warehouseId and date < :date::date order by date desc, seq desc limit 1
     ), came as (
       select id, date, seq, quantity, fifo_unit_cost, sum(quantity) over (order by date desc, seq desc) - quantity as later
       from stock_layers where item_id = :itemId and warehouse_id = :warehouseId and date < :date::date and quantity > 0
     )
     select coalesce(last.quantity_after, 0)::text as quantity, coalesce(last.average_after, 0)::text as "averageValue",
       coalesce(last.fifo_after, 0)::text as "fifoValue", coalesce(last.last_cost, i.purchase_price)::text as "lastCost",
       (select json_agg(json_build_object('id', id, 'remaining', least(quantity, last.quantity_after - later)::text, 'unitCost', fifo_unit_cost::text)
          order by date, seq) from came where later < last.quantity_after) as open
     from items i left join last on true where i.id = :itemId`,
    { itemId, warehouseId, date },
  );
  if (!row) throw new Error('a stock has an item');
  const { open, ...state } = row;
  return { state, open: open ?? [] };
}

async function leaveToWorkflow(trx: Db, ctx: Context, stock: Stock, date: string): Promise<void> {
  await query(
    trx,
    `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
     values (gen_random_uuid(), :tenant, '${STOCK_REVALUATION_DUE}', 'Item', :itemId::uuid, :payload::json, :now::timestamptz)`,
    {
      tenant: ctx.tenantId,
      itemId: stock.itemId,
      payload: JSON.stringify({ item_id: stock.itemId, warehouse_id: stock.warehouseId, date }),
      now: ctx.now.toISOString(),
    },
  );
}
