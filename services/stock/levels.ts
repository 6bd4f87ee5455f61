/**
 * Changes stock levels. Lock order: items with a minimum by id; then the general row of each stock (without zone and batch) by item and
 * warehouse; then its other rows, whatever the order of the lines.
 */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import type { StockPlace } from '../../domain/stock/allocate.ts';

/** An item in a warehouse. */
export interface Stock {
  readonly itemId: string;
  readonly warehouseId: string;
}

/** A change of the general row of a stock; all quantities are signed. */
export interface StockChange extends Stock {
  readonly onHand: Decimal;
  /** Reserved by open sales orders. */
  readonly reserved: Decimal;
  /** Incoming by open purchase orders. */
  readonly incoming: Decimal;
}

export interface PlaceChange extends Stock {
  readonly zoneId: string | null;
  readonly batchId: string | null;
  readonly onHand: Decimal;
}

export function stockKey({ itemId, warehouseId }: Stock): string {
  return `${itemId} ${warehouseId}`;
}

export function placeKey(place: Stock & { readonly zoneId: string | null; readonly batchId: string | null }): string {
  return `${stockKey(place)} ${place.zoneId ?? ''} ${place.batchId ?? ''}`;
}

/** SQL of whether the company lets stock fall below zero. */
export const ALLOWS_NEGATIVE = `coalesce((select (value ->> 'allowNegativeStock')::boolean from settings where name = 'flags'), false)`;

/**
 * Locks and changes the general rows in one statement. A row that would fall below zero is locked but not changed: the goods may lie in
 * zones or batches.
 * @returns what is now on hand at the general place of each changed stock; the others are missing
 */
export async function changeGeneral(
  trx: Db,
  ctx: Context,
  changes: readonly StockChange[],
): Promise<Map<string, Decimal>> {
  if (changes.length === 0) return new Map();
  const rows = await prepared<{ itemId: string; warehouseId: string; onHand: Decimal }>(
    trx,
    `with wanted as (
       select "itemId" as item_id, "warehouseId" as warehouse_id, sum("onHand") as on_hand, sum(reserved) as reserved,
         sum(incoming) as incoming
       from json_to_recordset(:changes::json) as c("itemId" uuid, "warehouseId" uuid, "onHand" numeric, reserved numeric, incoming numeric)
       group by 1, 2
     -- Before any row: serializes knowing the total of a watched item, so that falling below the minimum is reported once.
     ), watched as materialized (
       select pg_advisory_xact_lock(hashtextextended('stock.low ' || id, 0))
       from (select id from items where id in (select item_id from wanted) and min_stock > 0 order by id) as i
     )
     -- Check constraints look at the proposed row even when an existing row is updated, so this row has to pass them.
     insert into stock_levels as l (id, tenant_id, item_id, warehouse_id, on_hand, reserved, incoming, may_be_negative)
     select gen_random_uuid(), :tenant, item_id, warehouse_id, on_hand, reserved, incoming, on_hand < 0 from wanted w
     where (select count(*) from watched) >= 0
       and (on_hand >= 0 or exists (select from stock_levels s where s.item_id = w.item_id and s.warehouse_id = w.warehouse_id))
     order by item_id, warehouse_id
     on conflict on constraint stock_levels_place do update set
       on_hand = l.on_hand + excluded.on_hand,
       reserved = l.reserved + excluded.reserved,
       incoming = l.incoming + excluded.incoming,
       -- A level below zero may be filled up.
       may_be_negative = l.on_hand + excluded.on_hand < 0
     where l.on_hand + excluded.on_hand >= 0 or excluded.on_hand >= 0
     returning item_id as "itemId", warehouse_id as "warehouseId", on_hand as "onHand"`,
    { changes: JSON.stringify(changes), tenant: ctx.tenantId },
  );
  return new Map(rows.map((row) => [stockKey(row), row.onHand]));
}

/** Locks stocks, in the common lock order, before it is known what will change. */
export async function lockStocks(trx: Db, ctx: Context, stocks: readonly Stock[]): Promise<void> {
  const unchanged = { onHand: '0', reserved: '0', incoming: '0' } as const;
  await changeGeneral(
    trx,
    ctx,
    distinct(stocks).map((stock) => ({ ...stock, ...unchanged })),
  );
}

const DECIMALS = `select json_object_agg(i.id, u.decimals) from items i join uoms u on u.id = i.uom_id where i.id = any(:items::uuid[])`;

/** Decimals of the items' own units, by id. */
export async function unitDecimals(trx: Db, items: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const [row] = await prepared<{ decimals: Record<string, number> | null }>(trx, `select (${DECIMALS}) as decimals`, {
    items: [...new Set(items)],
  });
  return row?.decimals ?? {};
}

/** A place and what lies there of an item. */
export type LyingPlace = Stock & StockPlace;

/** All non-empty places of the given stocks, and whether the company allows negative stock. Their general rows must be locked. */
export async function placesOf(
  trx: Db,
  stocks: readonly Stock[],
): Promise<{
  readonly places: LyingPlace[];
  /** Codes of the items, by id. */
  readonly codes: Readonly<Record<string, string>>;
  /** Decimals of the items' own units, by id. */
  readonly decimals: Readonly<Record<string, number>>;
  readonly allowsNegative: boolean;
}> {
  type Found = {
    places: LyingPlace[] | null;
    codes: Record<string, string> | null;
    decimals: Record<string, number> | null;
    allowsNegative: boolean;
  };
  const [row] = await prepared<Found>(
    trx,
    `select ${ALLOWS_NEGATIVE} as "allowsNegative",
       (select json_object_agg(id, code) from items where id = any(:items::uuid[])) as codes, (${DECIMALS}) as decimals, (
       select json_agg(json_build_object('itemId', l.item_id, 'warehouseId', l.warehouse_id,
         'zoneId', l.zone_id, 'zoneCode', z.code, 'batchId', l.batch_id, 'batchNum', b.batch_num, 'expiryDate', b.expiry_date,
         'confirmed', coalesce(b.status = 'confirmed', true), 'onHand', l.on_hand::text))
       from json_to_recordset(:stocks::json) as s("itemId" uuid, "warehouseId" uuid)
       join stock_levels l on l.item_id = s."itemId" and l.warehouse_id = s."warehouseId"
       left join zones z on z.id = l.zone_id left join batches b on b.id = l.batch_id) as places`,
    {
      stocks: JSON.stringify(distinct(stocks)),
      items: [...new Set(stocks.map(({ itemId }) => itemId))],
    },
  );
  const { places, codes, decimals, allowsNegative = false } = row ?? {};
  return { places: places ?? [], codes: codes ?? {}, decimals: decimals ?? {}, allowsNegative };
}

/**
 * Changes places whose general rows are locked; the caller has made sure that nothing leaves that is not there.
 * @param mayBeNegative whether a place may end below zero
 * @returns what is now on hand, by `placeKey`
 */
export async function changePlaces(
  trx: Db,
  ctx: Context,
  changes: readonly PlaceChange[],
  mayBeNegative: boolean,
): Promise<Map<string, Decimal>> {
  if (changes.length === 0) return new Map();
  const rows = await prepared<Stock & { zoneId: string | null; batchId: string | null; onHand: Decimal }>(
    trx,
    `with wanted as (
       select "itemId" as item_id, "warehouseId" as warehouse_id, "zoneId" as zone_id, "batchId" as batch_id, sum("onHand") as on_hand
       from json_to_recordset(:changes::json) as c("itemId" uuid, "warehouseId" uuid, "zoneId" uuid, "batchId" uuid, "onHand" numeric)
       group by 1, 2, 3, 4
     )
     insert into stock_levels as l (id, tenant_id, item_id, warehouse_id, zone_id, batch_id, on_hand, may_be_negative)
     select gen_random_uuid(), :tenant, item_id, warehouse_id, zone_id, batch_id, on_hand, on_hand < 0 from wanted w
     where on_hand >= 0 or :negative::boolean or exists (select from stock_levels s
       where (s.item_id, s.warehouse_id) = (w.item_id, w.warehouse_id)
       and s.zone_id is not distinct from w.zone_id and s.batch_id is not distinct from w.batch_id)
     on conflict on constraint stock_levels_place do update set
       on_hand = l.on_hand + excluded.on_hand,
       may_be_negative = (:negative::boolean or excluded.on_hand >= 0) and l.on_hand + excluded.on_hand < 0
     returning item_id as "itemId", warehouse_id as "warehouseId", zone_id as "zoneId", batch_id as "batchId", on_hand as "onHand"`,
    { changes: JSON.stringify(changes), tenant: ctx.tenantId, negative: mayBeNegative },
  );
  return new Map(rows.map((row) => [placeKey(row), row.onHand]));
}

/** Each stock once. */
export function distinct(stocks: readonly Stock[]): Stock[] {
  const byKey = new Map(
    stocks.map(({ itemId, warehouseId }) => [stockKey({ itemId, warehouseId }), { itemId, warehouseId }]),
  );
  return [...byKey.values()];
}

export function isOut(quantity: Decimal): boolean {
  return decimal(quantity).lt(0);
}
