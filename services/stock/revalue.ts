/** Back-dated movements: the layers of that item and warehouse from that day on are worked out again; earlier ones stay. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { STOCK_REVALUATION_DUE } from '../../domain/internal-events.ts';
import type { Decimal } from '../../domain/money.ts';
import { type Costing, CostLedger, type CostState, type OpenLayer } from '../../domain/stock/valuation.ts';
import { type Stock, stockKey } from './levels.ts';

/** Above this a request does not wait: a workflow does it. */
export const INLINE_LAYERS = 1000;

/** SQL: goods that were transferred from another warehouse (layer `l`); what moved within its own is in the layers it was in. */
const FROM_ELSEWHERE = '(l.source_id is not null and l.given_cost is not null)';

/**
 * Works out layers again after back-dated movements, at once where they are few, else by an event for the workflow. Where
 * goods were transferred to, the layers follow: at once where that stock is locked too, else by an event.
 * @param stocks those that have later movements
 * @param date the day of the movements
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
  const due = stocks.map((stock): DatedStock => ({ ...stock, date }));
  for (let next = due.shift(); next !== undefined; next = due.shift()) {
    const later = await laterLayers(trx, next, next.date);
    if (later > INLINE_LAYERS) {
      await leaveToWorkflow(trx, ctx, next);
      continue;
    }
    await revalue(trx, next, next.date);
    for (const follower of await followersOf(trx, next, next.date)) {
      if (mine.has(stockKey(follower))) due.push(follower);
      else await leaveToWorkflow(trx, ctx, follower);
    }
  }
}

/** A stock whose layers are to be worked out again from a day on. */
interface DatedStock extends Stock {
  readonly date: string;
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
    movedFrom: string | null;
  }>(
    trx,
    // Goods from another warehouse are worth what they left with, as that stands now.
    `select l.id, l.quantity, coalesce(s.unit_cost, l.given_cost) as "unitCost", coalesce(s.fifo_unit_cost, l.given_fifo_cost) as "fifoUnitCost",
       case when s.id is null then l.source_id end as "movedFrom"
     from stock_layers l left join stock_layers s on s.id = l.source_id and s.warehouse_id <> l.warehouse_id
     where l.item_id = :itemId and l.warehouse_id = :warehouseId and l.date >= :date::date order by l.date, l.seq`,
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
       given_cost = case when ${FROM_ELSEWHERE} then coalesce(n."unitCost", l.given_cost) else l.given_cost end,
       given_fifo_cost = case when ${FROM_ELSEWHERE} then coalesce(n."fifoUnitCost", l.given_fifo_cost) else l.given_fifo_cost end,
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

/** Does what an event of a back-dated movement asks for; stocks that goods went on to get events. @returns how many layers changed */
export async function revalueByEvent(
  trx: Db,
  scope: Pick<Context, 'tenantId' | 'now'>,
  eventId: string,
): Promise<number> {
  const event = (await trx('outbox').where({ id: eventId }).first('payload')) as
    | { payload: { item_id: string; warehouse_id: string; date: string } }
    | undefined;
  if (event === undefined) return 0;
  const { item_id: itemId, warehouse_id: warehouseId, date } = event.payload;
  await lockStock(trx, { itemId, warehouseId });
  const changed = await revalue(trx, { itemId, warehouseId }, date);
  for (const follower of await followersOf(trx, { itemId, warehouseId }, date))
    await leaveToWorkflow(trx, scope, follower);
  return changed;
}

/** Stocks that goods of this one went on to, from a day on, where their cost is not yet what they left with. */
async function followersOf(trx: Db, { itemId, warehouseId }: Stock, date: string): Promise<DatedStock[]> {
  return await query<DatedStock>(
    trx,
    `select l.item_id as "itemId", l.warehouse_id as "warehouseId", min(l.date) as date
     from stock_layers s join stock_layers l on l.source_id = s.id and l.warehouse_id <> s.warehouse_id
     where s.item_id = :itemId and s.warehouse_id = :warehouseId and s.date >= :date::date
       and (l.given_cost, l.given_fifo_cost) is distinct from (s.unit_cost, s.fifo_unit_cost)
     group by 1, 2 order by 1, 2`,
    { itemId, warehouseId, date },
  );
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
       from stock_layers l where item_id = :itemId and warehouse_id = :warehouseId and date < :date::date and quantity > 0
         and (source_id is null or ${FROM_ELSEWHERE})
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

async function leaveToWorkflow(
  trx: Db,
  { tenantId, now }: Pick<Context, 'tenantId' | 'now'>,
  stock: DatedStock,
): Promise<void> {
  await query(
    trx,
    `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
     values (gen_random_uuid(), :tenant, '${STOCK_REVALUATION_DUE}', 'Item', :itemId::uuid, :payload::json, :now::timestamptz)`,
    {
      tenant: tenantId,
      itemId: stock.itemId,
      payload: JSON.stringify({ item_id: stock.itemId, warehouse_id: stock.warehouseId, date: stock.date }),
      now: now.toISOString(),
    },
  );
}
