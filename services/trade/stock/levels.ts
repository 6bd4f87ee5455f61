/**
 * Locks and reads stock levels. Lock order: items with a minimum by id; then the general row of each stock (without zone and batch) by item
 * and warehouse, whatever the order of the lines. A transaction that holds the general row may change the other rows of its stock.
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { prepared } from '../../../db/sql.ts';
import { distinct, type Stock } from '../../../domain/trade/stock/levels.ts';
import { type GeneralLevel, type PlaceLevel, StockPlan } from '../../../domain/trade/stock/plan.ts';

/** SQL of whether the company lets stock fall below zero. */
export const ALLOWS_NEGATIVE = `coalesce((select (value ->> 'allowNegativeStock')::boolean from settings where name = 'flags'), false)`;

/** SQL of the columns of a level `l`. */
const LEVEL = `l.id, l.item_id as "itemId", l.warehouse_id as "warehouseId", l.zone_id as "zoneId", l.batch_id as "batchId",
  l.on_hand as "onHand", l.reserved, l.incoming, l.may_be_negative as "mayBeNegative"`;

const WANTED = `unnest(:items::uuid[], :warehouses::uuid[]) as w(item_id, warehouse_id)`;

/** Names the items twice, so that the planner finds the rows by them even while it takes the table to be small. */
const OF_STOCK = `l.item_id = any(:items::uuid[]) and l.item_id = w.item_id and l.warehouse_id = w.warehouse_id`;

const GENERAL_ROW = `${OF_STOCK} and l.zone_id is null and l.batch_id is null`;

/**
 * Locks nothing while a general row is missing: a transaction that waits for a row being inserted by another must not hold rows which
 * the other may need.
 */
const LOCK_SQL = `
  -- Before any row: serializes knowing the total of a watched item, so that falling below the minimum is reported once.
  with watched as materialized (
    select pg_advisory_xact_lock(hashtextextended('stock.low ' || id, 0))
    from (select id from items where id = any(:items::uuid[]) and min_stock > 0 order by id) as i
  )
  select ${LEVEL}, i.code, u.decimals, ${ALLOWS_NEGATIVE} as "allowsNegative"
  from ${WANTED} join stock_levels l on ${GENERAL_ROW}
  join items i on i.id = l.item_id and i.id = any(:items::uuid[]) join uoms u on u.id = i.uom_id
  where (select count(*) from watched) >= 0
    and (select count(*) from ${WANTED} join stock_levels l on ${GENERAL_ROW}) = cardinality(:items::uuid[])
  order by l.item_id, l.warehouse_id for update of l`;

const MAKE_SQL = `
  insert into stock_levels (id, tenant_id, item_id, warehouse_id)
  select gen_random_uuid(), :tenant, w.item_id, w.warehouse_id from ${WANTED}
  where not exists (select from stock_levels l where ${GENERAL_ROW}) order by w.item_id, w.warehouse_id
  on conflict on constraint stock_levels_place do nothing`;

const PLACES_SQL = `
  select ${LEVEL}, z.code as "zoneCode", b.batch_num as "batchNum", b.expiry_date as "expiryDate",
    coalesce(b.status = 'confirmed', true) as confirmed
  from ${WANTED} join stock_levels l on ${OF_STOCK} and (l.zone_id is not null or l.batch_id is not null)
  left join zones z on z.id = l.zone_id left join batches b on b.id = l.batch_id`;

interface Reads<T> {
  /** Whether to read all places of the stocks with the locks, which saves a round trip. */
  readonly places?: boolean;
  /** Other reads that must follow the locks and travel with them. They run again if a stock had no row yet. */
  readonly read?: () => Promise<T>;
}

/** Locks stocks, and reads their levels to plan with. @returns the plan, and what was read with it */
export async function openPlan<T = undefined>(
  trx: Db,
  ctx: Context,
  stocks: readonly Stock[],
  { places = false, read = async () => undefined as T }: Reads<T> = {},
): Promise<readonly [plan: StockPlan, read: T]> {
  const wanted = distinct(stocks);
  if (wanted.length === 0) return [new StockPlan([], { allowsNegative: false, newId }), await read()];
  // The order matters: the other statements must begin once the stocks are locked.
  const lock = () =>
    Promise.all([
      prepared<GeneralLevel & { allowsNegative: boolean }>(trx, LOCK_SQL, stockBindings(wanted)),
      places ? readPlaces(trx, wanted) : null,
      read(),
    ]);
  let found = await lock();
  if (found[0].length === 0) {
    const made = prepared(trx, MAKE_SQL, { ...stockBindings(wanted), tenant: ctx.tenantId });
    [, found] = await Promise.all([made, lock()]);
  }
  const [general, others, more] = found;
  const plan = new StockPlan(
    general.map(({ allowsNegative: _, ...level }) => level),
    { allowsNegative: general[0]?.allowsNegative === true, newId },
  );
  if (others !== null) plan.addPlaces(others);
  return [plan, more];
}

/** Adds all places of its stocks to a plan. */
export async function addPlaces(trx: Db, plan: StockPlan): Promise<void> {
  plan.addPlaces(await readPlaces(trx, plan.stocks));
}

async function readPlaces(trx: Db, stocks: readonly Stock[]): Promise<PlaceLevel[]> {
  return await prepared(trx, PLACES_SQL, stockBindings(stocks));
}

function stockBindings(stocks: readonly Stock[]) {
  return {
    items: stocks.map(({ itemId }) => itemId),
    warehouses: stocks.map(({ warehouseId }) => warehouseId),
  };
}
