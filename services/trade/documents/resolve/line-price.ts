import { type Decimal, type DecimalInput, decimal, sum } from '../../../../domain/money.ts';
import { OWN_UNIT, type UnitFactor } from '../../../../domain/records/prices/list-prices.ts';
import { quote, unitPrice } from '../../../../domain/records/prices/quote.ts';
import type { DocumentSide } from '../../../../domain/trade/documents/types.ts';
import { includedPercent, type VatRegime } from '../../../../domain/trade/documents/vat.ts';
import type { Pricing } from '../../../records/prices/pricing.ts';
import type { DocumentLineInput } from '../schemas.ts';
import type { BaseLine, ItemReference, TaxReference } from './references.ts';

interface LineToPrice {
  readonly side: DocumentSide;
  readonly line: DocumentLineInput;
  readonly base: BaseLine | null;
  readonly item: ItemReference | undefined;
  readonly tax: TaxReference;
  /** Rates charged on the line, in percent. */
  readonly charged: { readonly rate: Decimal; readonly surchargeRate: Decimal };
  readonly vatRegime: VatRegime;
  readonly unit: UnitFactor;
  readonly pricing: Pricing;
}

export interface LinePrice {
  /** Price without tax. */
  readonly price: Decimal;
  /** Price with tax, if that was given or comes from the price list; null if tax is added to the price. */
  readonly priceWithTax: Decimal | null;
  readonly discountPercent: Decimal;
  readonly secondDiscountPercent: Decimal;
}

/**
 * Resolves the unit price of a line without tax, and its discount: the client's, otherwise the base line's, otherwise
 * from the partner's price list or a price rule, otherwise the item's. A discount from the client replaces theirs; a price
 * from the client excludes it. A price with tax decides the total if exactly the tax that it includes is charged.
 */
export function linePrice(context: LineToPrice): LinePrice {
  const { line, base, charged } = context;
  const given = line.price !== undefined || line.priceWithTax !== undefined;
  const quoted = given || base !== null ? undefined : quotedPrice(context);
  const { price, withTax } = given ? givenPrice(context) : { price: base?.price ?? quoted?.price, withTax: null };
  const same = (percent: Decimal) => decimal(percent).eq(decimal(charged.rate).plus(charged.surchargeRate));
  const included = base === null || given ? includedTax(context) : sum([base.taxRate, base.surchargeRate]).toFixed();
  const gross = withTax ?? (given ? null : (base?.priceWithTax ?? quoted?.priceWithTax ?? null));
  return {
    price: decimal(price ?? 0).toFixed(),
    priceWithTax: gross !== null && same(included) ? decimal(gross).toFixed() : null,
    discountPercent: decimal(line.discountPercent ?? base?.discountPercent ?? quoted?.discountPercent ?? 0).toFixed(),
    secondDiscountPercent: decimal(
      line.secondDiscountPercent ?? base?.secondDiscountPercent ?? quoted?.secondDiscountPercent ?? 0,
    ).toFixed(),
  };
}

/** The client's price, without or with tax. */
function givenPrice(context: LineToPrice): { readonly price: DecimalInput; readonly withTax: Decimal | null } {
  const { price, priceWithTax } = context.line;
  if (priceWithTax === undefined) return { price: price ?? 0, withTax: null };
  const withTax = decimal(priceWithTax).toFixed();
  return { price: unitPrice(withTax, OWN_UNIT, includedTax(context)), withTax };
}

function includedTax({ tax, vatRegime, side }: LineToPrice): Decimal {
  return includedPercent(tax, vatRegime, side);
}

function quotedPrice({ side, line, item, tax, vatRegime, unit, pricing }: LineToPrice) {
  if (item === undefined) return undefined;
  return quote({
    offers: pricing.offers(item.id),
    prices: {
      own: pricing.converted(side === 'sales' ? item.salePrice : item.purchasePrice),
      cost: pricing.cost(item.id),
    },
    taxPercent: includedPercent(tax, vatRegime, side),
    quantity: decimal(line.quantity).toFixed(),
    unit,
  });
}
