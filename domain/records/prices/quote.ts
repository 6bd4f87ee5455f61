/** Finds the unit price of an item for a partner: by the offer that counts for the quantity, otherwise the item's own. */
import { type Decimal, decimal } from '../../money.ts';
import type { UnitFactor } from './list-prices.ts';
import { chooseOffer, type OfferedPrice, type OfferQuestion } from './offers.ts';

export interface Quote {
  /** Per unit, without tax, before the discounts. */
  readonly price: Decimal;
  /** The price with tax, if it is set so; otherwise null. */
  readonly priceWithTax: Decimal | null;
  readonly discountPercent: Decimal;
  /** Deducted from what the first leaves. */
  readonly secondDiscountPercent: Decimal;
  /** The price of the partner's list that determined the price; null for others. */
  readonly priceId: string | null;
  /** The rule that did; null for others. */
  readonly priceRuleId: string | null;
  /** The rule that gives the second discount; null for none. */
  readonly combinedRuleId: string | null;
}

/** Finds the price. The line applies the discounts. */
export function quote(question: OfferQuestion): Quote {
  const { offer, offered, combined } = chooseOffer(question);
  return {
    ...priceInUnit(offered, question),
    discountPercent: offered.discountPercent,
    secondDiscountPercent: combined?.discountPercent ?? '0',
    priceId: offer?.source === 'price_list' ? offer.id : null,
    priceRuleId: offer?.source === 'price_rule' ? offer.id : null,
    combinedRuleId: combined?.id ?? null,
  };
}

/** A price per own unit, in the unit that is asked for: without tax, and with it if it is set so. */
export function priceInUnit(
  { price, includesTax }: OfferedPrice,
  { unit, taxPercent }: Pick<OfferQuestion, 'unit' | 'taxPercent'>,
): Pick<Quote, 'price' | 'priceWithTax'> {
  return {
    price: unitPrice(price, unit, includesTax ? taxPercent : '0'),
    priceWithTax: includesTax ? unitPrice(price, unit, '0') : null,
  };
}

const PRICE_PLACES = 6;
/** Digits that a JSON number represents exactly. */
const DIGITS = 15;

/** Computes price × factor ÷ (1 + tax), rounded once: half away from zero, to 6 decimals (fewer for very large prices). */
export function unitPrice(price: Decimal, { numerator, denominator }: UnitFactor, taxPercent: Decimal): Decimal {
  const divisor = decimal(taxPercent).plus(100).times(denominator);
  const exact = decimal(price).times(numerator).times(100).div(divisor);
  const places = Math.max(0, Math.min(PRICE_PLACES, DIGITS - 1 - exact.e));
  return exact.round(places).toFixed();
}
