/** Loads what sets the prices of items for a partner on a date: the partner's price list and the price rules. */
import { rateOn } from '../../../db/queries/exchange-rates.ts';
import { standardCost, stockValue } from '../../../db/queries/stock-values.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { currencyPlaces } from '../../../domain/locale/currencies.ts';
import { type Decimal, decimal, decimalPlaces, round } from '../../../domain/money.ts';
import type { ListPrice } from '../../../domain/records/prices/list-prices.ts';
import { compareOffers, type Offer, offerFromList } from '../../../domain/records/prices/offers.ts';

/** The prices of some items for a partner. */
export interface Pricing {
  /** The partner's list, if it applies. */
  readonly listId: string | null;
  /** All offers for an item, in their order. */
  readonly offers: (itemId: string) => readonly Offer[];
  /** The present cost of an item in the document's currency; null if no offer asks for it. */
  readonly cost: (itemId: string) => Decimal | null;
  /** A price in the company's currency, in the document's. */
  readonly converted: (price: Decimal) => Decimal;
}

/** The document's currency, the company's, and what one unit of the company's is worth in it; null if that is the company's. */
export interface PriceCurrency {
  readonly currency: string;
  readonly company: string;
  readonly rate: Decimal | null;
}

/** A row of PRICING_SQL. */
export interface RawPricing {
  readonly list: RawList | null;
  readonly rules: RawRules | null;
}

interface RawList {
  readonly id: string;
  readonly currency: string;
  /** The worth of one unit of the company's currency in the list's; null in that itself, and without a rate. */
  readonly rate: Decimal | null;
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
  /** Costs that are known, of kits the sum of their components'. */
  readonly costs: Readonly<Record<string, Decimal | null>> | null;
}

/**
 * CTE `money`: the company's currency, and that of a document for `:partner`, or of their price list, unless `:currency` names one.
 * @param more SQL of another choice, before the partner's
 */
export const moneySql = (more = '') => `money as (
  select t.currency as company, coalesce(:currency, ${more}
    (select coalesce(p.currency, pl.currency) from partners p
      left join price_lists pl on pl.id = p.price_list_id and pl.active
        and (pl.currency = t.currency or exists (select from exchange_rates x where x.currency = pl.currency))
      where p.id = :partner::uuid), t.currency) as currency
  from tenants t where t.id = :tenant
)`;

/**
 * SQL of the rate of `money.currency` on a day, or the last before; null in the company's currency.
 * @param day SQL of the day
 * @param column of the rate: itself, or the day from which it counts
 */
export const dayRateSql = (day: string, column: 'rate' | 'date' = 'rate') =>
  `(select case when currency <> company then ${rateOn('money.currency', day, column)} end from money)`;

const VALID = (alias: string) =>
  `day.value between coalesce(${alias}.valid_from, '-infinity') and coalesce(${alias}.valid_to, 'infinity')`;

/** The rate of the day of a list `pl` in another currency than the company's; null if there is none. */
const LIST_RATE = `case when pl.currency <> (select company from money) then ${rateOn('pl.currency', 'day.value')} end`;

/** A list `pl` with its valid prices for the items. */
const LIST_JSON = `json_build_object('id', pl.id, 'currency', pl.currency, 'rate', ${LIST_RATE}, 'includesTax',
  pl.includes_tax, 'prices', (
    select json_agg(json_build_object('id', e.id, 'itemId', e.item_id, 'price', e.price::text,
      'discountPercent', e.discount_percent::text, 'minQuantity', e.min_quantity::text))
    from prices e where e.price_list_id = pl.id and e.item_id = any(:pricedItems::uuid[]) and ${VALID('e')}))`;

/** The list of the partner that applies: active, valid on the date, in a currency that can be converted if it is not the document's. */
const PARTNERS_LIST = `partners p join price_lists pl on pl.id = p.price_list_id
  where p.id = :partner::uuid and pl.active and ${VALID('pl')}
    and (pl.currency in ((select currency from money), (select company from money)) or ${LIST_RATE} is not null)`;

/** The cost of a unit of `i` in all warehouses; where none is there, the standard cost, or else the usual price of purchases. */
const COST = `coalesce((select sum(${stockValue('day.value')}) / sum(v.quantity_after)
    from (select distinct s.warehouse_id from stock_levels s where s.item_id = i.id) w
    cross join lateral (select item_id, quantity_after, average_after, fifo_after from stock_layers v
      where v.item_id = i.id and v.warehouse_id = w.warehouse_id order by v.date desc, v.seq desc limit 1) v
    where v.quantity_after > 0), case i.cost_method when 'standard' then ${standardCost('i.id', 'day.value')} end, i.purchase_price)`;

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
    'costs', (select json_object_agg(priced.id, nullif(case when priced.kit
        then (select sum(k.quantity * ${COST}) from item_components k join items i on i.id = k.component_id where k.item_id = priced.id)
        else (select ${COST} from items i where i.id = priced.id) end, 0)::text) from items priced, day
      where priced.id = any(:pricedItems::uuid[]) and exists (select from found where basis = 'cost')))`;

/**
 * SQL of all that sets the prices of `:pricedItems` for `:partner` in documents of `:docType` on `day.value`, as JSON. Needs the CTEs `day`
 * and `money` (`moneySql`). A company without rules is asked nothing about them.
 */
export const PRICING_SQL = `
  select json_build_object(
    'list', (select ${LIST_JSON} from day, ${PARTNERS_LIST}),
    'rules', case when exists (select from price_rules r where r.active) then (${RULES}) end)`;

/** Makes one ordered list of offers for each item, as it is asked for. */
export function readPricing({ list, rules }: RawPricing, money: PriceCurrency): Pricing {
  const converted = (price: Decimal) => convertedPrice(price, money);
  const inCurrency = (one: RawList) => (one.prices ?? []).flatMap((price) => listPrice(price, one, money) ?? []);
  const listed = byItem(list === null ? [] : inCurrency(list));
  const ruled = groupBy(rules?.rules ?? [], ({ itemId }) => itemId ?? '');
  const categories = new Map<string, Set<string>>();
  for (const { itemId, id } of rules?.categories ?? []) {
    categories.set(itemId, (categories.get(itemId) ?? new Set()).add(id));
  }
  const lists = new Map((rules?.lists ?? []).map((each) => [each.id, { ...each, byItem: byItem(inCurrency(each)) }]));
  const ruleFor = (rule: RawRule, itemId: string): Offer => {
    const basis = rule.basisPriceListId === null ? undefined : lists.get(rule.basisPriceListId);
    return {
      ...rule,
      price: rule.price && converted(rule.price),
      adjustmentAmount: converted(rule.adjustmentAmount),
      source: 'price_rule',
      partners: partnerScope(rule),
      items: rule.itemId !== null ? 'item' : rule.categoryId !== null ? 'category' : 'all',
      depth: rule.depth ?? 0,
      includesTax: basis?.includesTax ?? rule.includesTax,
      listPrices: basis?.byItem.get(itemId) ?? [],
      promotional: rule.promotionId !== null,
    };
  };
  // A rule by the cost is none for an item whose cost nobody knows.
  const rulesFor = (itemId: string) =>
    [
      ...(ruled.get(itemId) ?? []),
      ...(ruled.get('') ?? []).filter(
        ({ categoryId }) => categoryId === null || categories.get(itemId)?.has(categoryId) === true,
      ),
    ].filter(({ basis }) => basis !== 'cost' || (rules?.costs?.[itemId] ?? null) !== null);
  const known = new Map<string, readonly Offer[]>();
  return {
    listId: list?.id ?? null,
    converted,
    cost(itemId) {
      const cost = rules?.costs?.[itemId] ?? null;
      return cost && converted(cost);
    },
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

/** A price in the company's currency, converted: with the decimals that it has, or those of the currency. */
function convertedPrice(price: Decimal, { currency, rate }: PriceCurrency): Decimal {
  if (rate === null) return price;
  return round(decimal(price).times(rate), Math.max(currencyPlaces(currency), decimalPlaces(price)));
}

/** A price of a list in the document's currency; null if the list is in another one without a rate. */
function listPrice<P extends ListPrice>(price: P, list: RawList, money: PriceCurrency): P | null {
  if (price.price === null || list.currency === money.currency) return price;
  if (list.currency === money.company) return { ...price, price: convertedPrice(price.price, money) };
  if (list.rate === null) return null;
  const places = Math.max(currencyPlaces(money.currency), decimalPlaces(price.price));
  return {
    ...price,
    price: round(
      decimal(price.price)
        .times(money.rate ?? 1)
        .div(list.rate),
      places,
    ),
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
