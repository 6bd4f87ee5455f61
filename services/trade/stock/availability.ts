/** Goods of an item that can be promised, by day. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { ownOpenQuantity } from '../../../db/queries/open-quantities.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { type Decimal, decimal, sum, toNumber } from '../../../domain/money.ts';
import {
  type AvailabilityDay,
  availability,
  earliestDay,
  type Flow,
  type KitPart,
  kitAvailability,
} from '../../../domain/trade/stock/availability.ts';

export interface AvailabilityQuery {
  readonly itemId: string;
  /** Only this one; all by default. */
  readonly warehouseId?: string;
  /** To find the first day on which it can be promised. */
  readonly quantity?: number;
}

/** Open quantities of orders by the day on which they are expected: the order's delivery date, or its own. */
const SQL = `
  with day as (select ${TODAY} as value), flows as (
    select coalesce(d.delivery_date, d.date) as date, d.doc_type, round(l.each * ${ownOpenQuantity('l', 'd')}, 6) as quantity
    from (
      select *, 1 as each from document_lines where item_id = :item::uuid and components is null
      union all select k.*, (part ->> 'quantity')::numeric from document_lines k, jsonb_array_elements(k.components) part
        where k.components is not null and part ->> 'itemId' = :item
    ) l join documents d on d.id = l.document_id
    where d.doc_type in ('SO', 'PO') and d.status not in (${STATE.cancelled}, ${STATE.closed})
      and l.warehouse_id is not null and (:warehouse::uuid is null or l.warehouse_id = :warehouse::uuid)
  )
  select (select value::text from day) as today,
    (select json_build_object('kit', i.kit, 'decimals', u.decimals) from items i join uoms u on u.id = i.uom_id
      where i.id = :item::uuid) as item,
    (select json_build_object('onHand', coalesce(sum(l.on_hand), 0)::text,
        'blocked', coalesce(sum(l.on_hand) filter (where b.status <> 'confirmed' or b.expiry_date < (select value from day)), 0)::text)
      from stock_levels l left join batches b on b.id = l.batch_id
      where l.item_id = :item::uuid and (:warehouse::uuid is null or l.warehouse_id = :warehouse::uuid)) as stock,
    (select json_agg(json_build_object('date', date, 'incoming', incoming::text, 'outgoing', outgoing::text)) from (
      select date::text, coalesce(sum(quantity) filter (where doc_type = 'PO'), 0) as incoming,
        coalesce(sum(quantity) filter (where doc_type = 'SO'), 0) as outgoing
      from flows where quantity > 0 group by 1) f) as flows`;

const PARTS_SQL = 'select component_id as id, quantity::text from item_components where item_id = :item::uuid';

interface Found {
  readonly today: string;
  readonly item: { readonly kit: boolean; readonly decimals: number } | null;
  /** Goods on hand, and those of them in batches that have expired or are not confirmed. */
  readonly stock: { readonly onHand: Decimal; readonly blocked: Decimal };
  readonly flows: readonly Flow[] | null;
}

/** @throws ServiceError not_found */
export async function readAvailability(reader: Reader, ctx: Context, request: AvailabilityQuery) {
  const { itemId, warehouseId = null, quantity } = request;
  const { onHand, days } = await expected(reader, ctx, itemId, warehouseId);
  const total = (member: 'incoming' | 'outgoing') => toNumber(sum(days.map((day) => day[member])).toFixed());
  return {
    itemId,
    warehouseId,
    onHand: toNumber(onHand),
    reserved: total('outgoing'),
    incoming: total('incoming'),
    promisable: toNumber(days[0]?.promisable ?? '0'),
    quantity: quantity ?? null,
    earliest: quantity === undefined ? null : earliestDay(days, decimal(quantity).toFixed()),
    days: days.map((day) => ({
      date: day.date,
      incoming: toNumber(day.incoming),
      outgoing: toNumber(day.outgoing),
      projected: toNumber(day.projected),
      promisable: toNumber(day.promisable),
    })),
  };
}

/** The days of an item; those of a kit as its components allow. */
async function expected(
  reader: Reader,
  ctx: Context,
  item: string,
  warehouse: string | null,
): Promise<{ readonly onHand: Decimal; readonly days: readonly AvailabilityDay[] }> {
  const [found] = await query<Found>(reader, SQL, { item, warehouse, now: ctx.now.toISOString() });
  if (found === undefined || found.item === null) throw notFound('This item');
  const { onHand, blocked } = found.stock;
  const usable = decimal(onHand).minus(blocked).toFixed();
  if (!found.item.kit) return { onHand, days: availability(found.today, usable, found.flows ?? []) };
  const listed = await query<{ id: string; quantity: Decimal }>(reader, PARTS_SQL, { item });
  const parts: KitPart[] = [];
  for (const { id, quantity } of listed) parts.push({ quantity, ...(await expected(reader, ctx, id, warehouse)) });
  return kitAvailability(found.today, parts, found.item.decimals);
}
