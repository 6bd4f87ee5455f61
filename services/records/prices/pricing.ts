/** Loads what sets the prices of items for a partner on a date: the partner's price list and the price rules. */
import { byMethod } from '../../../db/queries/stock-values.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { ListPrice } from '../../../domain/records/prices/list-prices.ts';
import { compareOffers, type Offer, offerFromList } from '../../../domain/records/prices/offers.ts';

/** The prices of some items for a partner. */
export interface Pricing {
  /** The partner's list, if it applies. */
  readonly listId: string | null;
  /** All offers for an item, in their order. */
  readonly offers: (itemId: string) => readonly Offer[];
  /** The present cost of an item; null if no offer asks for it. */
  readonly cost: (itemId: string) => Decimal | null;
}

/** A row of PRICING_SQL. */
export interface RawPricing {
  readonly list: RawList | null;
  readonly rules: RawRules | null;
}

interface RawList {
  readonly id: string;
  readonly includesTax: boolean;
  readonly prices: readonly (ListPrice & { readonly itemId: string })[] | null;
}

type RawRule = Omit<Offer, 'source' | 'partners' | 'items' | 'depth' | 'listPrices' | 'promotional'> & {
  readonly itemId: string | null;
  readonly categoryId: string | null;
  readonly partnerId: string | null;
  readonly partnerGroupId: string | null;
  readonly priceListId: string | null;
  readonly promotionId: string | null;
  readonly basisPriceListId: string | null;
  readonly depth: number | null;
};

interface RawRules {
  readonly rules: readonly RawRule[] | null;
  /** Categories of the items, with those above. */
  readonly categories: readonly { readonly itemId: string; readonly id: string }[] | null;
  /** Lists that rules begin with. */
  readonly lists: readonly RawList[] | null;
  readonly costs: Readonly<Record<string, Decimal>> | null;
}

const VALID = (alias: string) =>
  `day.value between coalesce(${alias}.valid_from, '-infinity') and coalesce(${alias}.valid_to, 'infinity')`;

/** A list `pl` with its valid prices for the items. */
const LIST_JSON = `json_build_object('id', pl.id, 'includesTax', pl.includes_tax, 'prices', (
    select json_agg(json_build_object('id', e.id, 'itemId', e.item_id, 'price', e.price::text,
      'discountPercent', e.discount_percent::text, 'minQuantity', e.min_quantity::text))
    from prices e where e.price_list_id = pl.id and e.item_id = any(:pricedItems::uuid[]) and ${VALID('e')}))`;

/** The list of the partner that applies: active, valid on the date, in the company's currency. */
const PARTNERS_LIST = `partners p join price_lists pl on pl.id = p.price_list_id
  where p.id = :partner::uuid and pl.active and pl.currency = (select currency from tenants where id = :tenant) and ${VALID('pl')}`;

/** The cost of a unit in all warehouses; the usual price of purchases where none is there. */
const COST = `coalesce((select sum(${byMethod('fifo_after', 'average_after')}) / sum(v.quantity_after)
    from (select distinct s.warehouse_id from stock_levels s where s.item_id = i.id) w
    cross join lateral (select quantity_after, average_after, fifo_after from stock_layers v
      where v.item_id = i.id and v.warehouse_id = w.warehouse_id order by v.date desc, v.seq desc limit 1) v
    where v.quantity_after > 0), i.purchase_price)`;

const RULES = `
  with recursive lineage as (
    select i.id as item_id, c.id, c.parent_id from items i join categories c on c.id = i.category_id
    where i.id = any(:pricedItems::uuid[])
    union all select l.item_id, c.id, c.parent_id from lineage l join categories c on c.id = l.parent_id
  ), found as (
    select r.*, c.depth from price_rules r
      left join promotions m on m.id = r.promotion_id
      left join categories c on c.id = r.category_id, day
    where r.active and ${VALID('r')} and (m.id is null or (m.active and ${VALID('m')}))
      and r.side = case when :docType in ('PR', 'PO', 'PDN', 'PINV') then 'purchase' else 'sales' end
      and (r.item_id = any(:pricedItems::uuid[]) or r.category_id in (select id from lineage)
        or (r.item_id is null and r.category_id is null))
      and (r.partner_id is null or r.partner_id = :partner::uuid)
      and (r.partner_group_id is null or r.partner_group_id = (select group_id from partners where id = :partner::uuid))
      and (r.price_list_id is null or r.price_list_id = (select pl.id from ${PARTNERS_LIST}))
  )
  select json_build_object(
    'rules', (select json_agg(json_build_object('id', id, 'name', name, 'priority', priority, 'itemId', item_id,
      'categoryId', category_id, 'partnerId', partner_id, 'partnerGroupId', partner_group_id, 'priceListId', price_list_id,
      'promotionId', promotion_id, 'basisPriceListId', basis_price_list_id, 'depth', depth, 'minQuantity', min_quantity::text,
      'basis', basis, 'price', price::text, 'includesTax', includes_tax, 'adjustmentPercent', adjustment_percent::text,
      'adjustmentAmount', adjustment_amount::text, 'rounding', rounding::text, 'discountPercent', discount_percent::text,
      'combines', combines)) from found),
    'categories', (select json_agg(json_build_object('itemId', item_id, 'id', id)) from lineage
      where id in (select category_id from found)),
    'lists', (select json_agg(${LIST_JSON}) from price_lists pl, day where pl.id in (select basis_price_list_id from found)),
    'costs', (select json_object_agg(i.id, (${COST})::text) from items i
      where i.id = any(:pricedItems::uuid[]) and exists (select from found where basis = 'cost')))`;

/**
 * SQL of all that sets the prices of `:pricedItems` for `:partner` in documents of `:docType` on `day.value`, as JSON. Needs a CTE `day`
 * and a binding `:tenant`. A company without rules is asked nothing about them.
 */
export const PRICING_SQL = `
  select json_build_object(
    'list', (select ${LIST_JSON} from day, ${PARTNERS_LIST}),
    'rules', case when exists (select from price_rules r where r.active) then (${RULES}) end)`;

/** Makes one ordered list of offers for each item, as it is asked for. */
export function readPricing({ list, rules }: RawPricing): Pricing {
  const listed = byItem(list?.prices ?? []);
  const ruled = groupBy(rules?.rules ?? [], ({ itemId }) => itemId ?? '');
  const categories = new Map<string, Set<string>>();
  for (const { itemId, id } of rules?.categories ?? []) {
    categories.set(itemId, (categories.get(itemId) ?? new Set()).add(id));
  }
  const lists = new Map((rules?.lists ?? []).map((each) => [each.id, { ...each, byItem: byItem(each.prices ?? []) }]));
  const ruleFor = (rule: RawRule, itemId: string): Offer => {
    const basis = rule.basisPriceListId === null ? undefined : lists.get(rule.basisPriceListId);
    return {
      ...rule,
      source: 'price_rule',
      partners: partnerScope(rule),
      items: rule.itemId !== null ? 'item' : rule.categoryId !== null ? 'category' : 'all',
      depth: rule.depth ?? 0,
      includesTax: basis?.includesTax ?? rule.includesTax,
      listPrices: basis?.byItem.get(itemId) ?? [],
      promotional: rule.promotionId !== null,
    };
  };
  const rulesFor = (itemId: string) => [
    ...(ruled.get(itemId) ?? []),
    ...(ruled.get('') ?? []).filter(
      ({ categoryId }) => categoryId === null || categories.get(itemId)?.has(categoryId) === true,
    ),
  ];
  const known = new Map<string, readonly Offer[]>();
  return {
    listId: list?.id ?? null,
    cost: (itemId) => rules?.costs?.[itemId] ?? null,
    offers(itemId) {
      const found =
        known.get(itemId) ??
        [
          ...(listed.get(itemId) ?? []).map((price) => offerFromList(price, list?.includesTax ?? false)),
          ...rulesFor(itemId).map((rule) => ruleFor(rule, itemId)),
        ].sort(compareOffers);
      known.set(itemId, found);
      return found;
    },
  };
}

function partnerScope({ partnerId, partnerGroupId, priceListId }: RawRule): Offer['partners'] {
  if (partnerId !== null) return 'partner';
  if (priceListId !== null) return 'price_list';
  return partnerGroupId === null ? 'all' : 'partner_group';
}

function byItem<P extends { readonly itemId: string }>(prices: readonly P[]): Map<string, P[]> {
  return groupBy(prices, ({ itemId }) => itemId);
}

/** Whether an offer gives the item away: a fixed price of nothing. */
export function isGivenAway({ offers }: Pricing, itemId: string): boolean {
  return offers(itemId).some(({ price }) => price !== null && decimal(price).eq(0));
}
