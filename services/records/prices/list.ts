/** Loads the price list of a partner that applies on a date. */
import type { ListPrice } from '../../../domain/records/prices/quote.ts';

export interface PriceListReference {
  readonly id: string;
  readonly includesTax: boolean;
  /** Prices by item. */
  readonly prices: ReadonlyMap<string, readonly ListPrice[]>;
}

/** A row of PRICE_LIST_SQL. */
export interface RawPriceList {
  readonly id: string;
  readonly includesTax: boolean;
  readonly prices: readonly (ListPrice & { readonly itemId: string })[] | null;
}

/**
 * SQL of the list of `:partner` that applies on `day.value` (active, valid on the date, in the company's currency) with its valid prices
 * for `:pricedItems`, as JSON. Needs a CTE `day` and a binding `:tenant`.
 */
export const PRICE_LIST_SQL = `
  select json_build_object('id', pl.id, 'includesTax', pl.includes_tax, 'prices', (
    select json_agg(json_build_object('id', e.id, 'itemId', e.item_id, 'price', e.price::text,
      'discountPercent', e.discount_percent::text, 'minQuantity', e.min_quantity::text))
    from prices e where e.price_list_id = pl.id and e.item_id = any(:pricedItems::uuid[])
      and day.value between coalesce(e.valid_from, '-infinity') and coalesce(e.valid_to, 'infinity')))
  from partners p join price_lists pl on pl.id = p.price_list_id, day
  where p.id = :partner::uuid and pl.active and pl.currency = (select currency from tenants where id = :tenant)
    and day.value between coalesce(pl.valid_from, '-infinity') and coalesce(pl.valid_to, 'infinity')`;

/** Parses the list and groups its prices by item. */
export function readPriceList(raw: RawPriceList | null): PriceListReference | null {
  if (raw === null) return null;
  const prices = new Map<string, ListPrice[]>();
  for (const entry of raw.prices ?? []) {
    const ofItem = prices.get(entry.itemId);
    if (ofItem) ofItem.push(entry);
    else prices.set(entry.itemId, [entry]);
  }
  return { id: raw.id, includesTax: raw.includesTax, prices };
}
