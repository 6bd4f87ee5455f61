/** Finds the price that a document line would get for an item and partner, and says why. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { type FieldError, notFound, validationFailed } from '../../../domain/errors.ts';
import { type Decimal, decimal, optionalNumber, toNumber } from '../../../domain/money.ts';
import { OWN_UNIT, type UnitFactor } from '../../../domain/records/prices/list-prices.ts';
import { type Considered, explainOffers, type OfferQuestion } from '../../../domain/records/prices/offers.ts';
import { priceInUnit, type Quote, quote } from '../../../domain/records/prices/quote.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { includedPercent, type TaxRates, type VatRegime } from '../../../domain/trade/documents/vat.ts';
import { dayRateSql, moneySql, PRICING_SQL, type RawPricing, readPricing } from './pricing.ts';

export interface PriceQuery {
  /** If absent, the item's own price applies. */
  readonly partnerId?: string;
  readonly itemId: string;
  /** In the unit `uomId`; defaults to 1. */
  readonly quantity?: number;
  /** Defaults to today, in the company's time zone. */
  readonly date?: string;
  /** Defaults to the item's own unit. */
  readonly uomId?: string;
  /** Defaults to SO. */
  readonly docType?: DocType;
  /** Defaults to the partner's, then to the company's. */
  readonly currency?: string;
  /** Adds all offers that were considered. */
  readonly explain?: boolean;
}

const SQL = `
with day as (select coalesce(:date::date, ${TODAY}) as value), ${moneySql()}
select (select value::text from day) as date,
  (select currency from money) as currency, (select company from money) as company, ${dayRateSql('(select value from day)')} as rate,
  (select json_build_object('active', active, 'vatRegime', vat_regime) from partners where id = :partner::uuid) as partner,
  (select json_build_object('active', i.active, 'uomId', i.uom_id, 'salePrice', i.sale_price::text, 'purchasePrice', i.purchase_price::text,
     'salesTax', (${taxSql('sales_tax_group_id')}), 'purchaseTax', (${taxSql('purchase_tax_group_id')}),
     'unit', (select json_build_object('numerator', u.factor_numerator, 'denominator', u.factor_denominator)
       from item_units u where u.item_id = i.id and u.uom_id = :uom::uuid))
   from items i where i.id = :item::uuid) as item,
  (${PRICING_SQL}) as pricing`;

/** SQL of an item's tax with the rate valid on the date, as document lines get it. */
function taxSql(column: string): string {
  return `select json_build_object('rate', t.rate::text, 'surchargeRate', t.surcharge_rate::text, 'kind', t.kind)
    from taxes named join taxes t on t.code = named.code, day
    where named.id = i.${column} and day.value between coalesce(t.valid_from, '-infinity') and coalesce(t.valid_to, 'infinity') limit 1`;
}

interface Found {
  readonly date: string;
  readonly currency: string;
  readonly company: string;
  readonly rate: Decimal | null;
  readonly partner: { readonly active: boolean; readonly vatRegime: VatRegime } | null;
  readonly item: {
    readonly active: boolean;
    readonly uomId: string;
    readonly salePrice: Decimal;
    readonly purchasePrice: Decimal;
    readonly salesTax: TaxRates | null;
    readonly purchaseTax: TaxRates | null;
    readonly unit: UnitFactor | null;
  } | null;
  readonly pricing: RawPricing;
}

/**
 * Finds the price, in one round trip.
 * @throws ServiceError not_found (partner, item); validation_failed if one of them is inactive, or the unit is not one of the item's
 */
export async function findPrice(reader: Reader, ctx: Context, request: PriceQuery) {
  const { partnerId, itemId, quantity = 1, docType = 'SO' } = request;
  const [found] = await query<Found>(reader, SQL, {
    date: request.date ?? null,
    now: ctx.now.toISOString(),
    tenant: ctx.tenantId,
    currency: request.currency ?? null,
    partner: partnerId ?? null,
    item: itemId,
    uom: request.uomId ?? null,
    pricedItems: [itemId],
    docType,
  });
  if (!found) throw new Error('the statement always returns one row');
  const { partner, item, date, currency, company, rate } = found;
  if (partner === null && partnerId !== undefined) throw notFound('This partner');
  if (item === null) throw notFound('This item');
  const unit = request.uomId === undefined || request.uomId === item.uomId ? OWN_UNIT : item.unit;
  const faults = [
    ...addFaultIf(partner?.active === false, '/partnerId', 'refers to an inactive partner'),
    ...addFaultIf(!item.active, '/itemId', 'refers to an inactive item'),
    ...addFaultIf(unit === null, '/uomId', 'is not a unit of this item'),
    ...addFaultIf(currency !== company && rate === null, '/currency', `has no rate for ${date} or before`),
  ];
  if (faults.length > 0 || unit === null) throw validationFailed(faults);

  const { side } = DOCUMENT_TYPES[docType];
  const pricing = readPricing(found.pricing, { currency, company, rate });
  const tax = side === 'sales' ? item.salesTax : item.purchaseTax;
  const question: OfferQuestion = {
    offers: pricing.offers(itemId),
    prices: {
      own: pricing.converted(side === 'sales' ? item.salePrice : item.purchasePrice),
      cost: pricing.cost(itemId),
    },
    taxPercent: tax === null ? '0' : includedPercent(tax, partner?.vatRegime ?? 'general', side),
    quantity: decimal(quantity).toFixed(),
    unit,
  };
  const { price, priceWithTax, discountPercent, secondDiscountPercent, ...from } = quote(question);
  return {
    price: toNumber(price),
    priceWithTax: optionalNumber(priceWithTax),
    discountPercent: toNumber(discountPercent),
    secondDiscountPercent: toNumber(secondDiscountPercent),
    source: sourceName(from),
    priceListId: from.priceId === null ? null : pricing.listId,
    ...from,
    currency,
    uomId: request.uomId ?? item.uomId,
    quantity,
    date,
    ...(request.explain === true ? { considered: explainOffers(question).map((each) => toView(each, question)) } : {}),
  };
}

function sourceName({ priceId, priceRuleId }: Pick<Quote, 'priceId' | 'priceRuleId'>) {
  if (priceRuleId !== null) return 'price_rule';
  return priceId === null ? 'item' : 'price_list';
}

function toView({ offer, offered, outcome }: Considered, question: OfferQuestion) {
  const { price, priceWithTax } = priceInUnit(offered, question);
  return {
    outcome,
    source: offer?.source ?? 'item',
    id: offer?.id ?? null,
    name: offer?.name ?? null,
    priority: offer?.priority ?? 0,
    partners: offer?.partners ?? 'all',
    items: offer?.items ?? 'item',
    minQuantity: toNumber(offer?.minQuantity ?? '0'),
    promotional: offer?.promotional ?? false,
    price: toNumber(price),
    priceWithTax: optionalNumber(priceWithTax),
    discountPercent: toNumber(offered.discountPercent),
  };
}

function addFaultIf(wrong: boolean, pointer: string, message: string): FieldError[] {
  return wrong ? [{ pointer, code: 'invalid_reference', message }] : [];
}
