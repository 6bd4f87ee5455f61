/** Finds the unit price of an item for a partner: the one on their price list for the quantity, otherwise the item's own. */
import { type Decimal, decimal } from '../../money.ts';

/** A price list entry that is valid on the date. Either `price` or `discountPercent` is null. */
export interface ListPrice {
  readonly id: string;
  /** Per item's own unit. */
  readonly price: Decimal | null;
  readonly discountPercent: Decimal | null;
  /** In the item's own unit. */
  readonly minQuantity: Decimal;
}

/** A unit's size: one of it is numerator ÷ denominator of the item's own unit. */
export interface UnitFactor {
  readonly numerator: number;
  readonly denominator: number;
}

export const OWN_UNIT: UnitFactor = { numerator: 1, denominator: 1 };

export interface PriceQuestion {
  /** Entries of the partner's list for the item. */
  readonly prices: readonly ListPrice[];
  /** Whether the list's fixed prices include tax. */
  readonly includesTax: boolean;
  /** The tax percentage included in such prices. */
  readonly taxPercent: Decimal;
  /** The item's own price, without tax, per own unit. */
  readonly itemPrice: Decimal;
  /** In `unit`; its sign (negative for returns) does not matter. */
  readonly quantity: Decimal;
  readonly unit: UnitFactor;
}

export interface Quote {
  /** Per `unit`, without tax, before the discount. */
  readonly price: Decimal;
  /** The price with tax, if the list's prices include it; otherwise null. */
  readonly priceWithTax: Decimal | null;
  readonly discountPercent: Decimal;
  /** The entry that determined the price; null for the item's own price. */
  readonly priceId: string | null;
}

/** Finds the price by the best entry of the list, otherwise the item's own. The line applies the discount. */
export function quote(question: PriceQuestion): Quote {
  const { prices, includesTax, taxPercent, itemPrice, quantity, unit } = question;
  const best = bestPrice(prices, quantity, unit);
  const fixed = best?.price ?? null;
  return {
    price: fixed === null ? unitPrice(itemPrice, unit, '0') : unitPrice(fixed, unit, includesTax ? taxPercent : '0'),
    priceWithTax: fixed !== null && includesTax ? unitPrice(fixed, unit, '0') : null,
    discountPercent: best?.discountPercent ?? '0',
    priceId: best?.id ?? null,
  };
}

/** Finds the entry with the greatest minimum quantity that is reached; undefined if there is none. Compares units without division. */
export function bestPrice(
  prices: readonly ListPrice[],
  quantity: Decimal,
  { numerator, denominator }: UnitFactor,
): ListPrice | undefined {
  const reached = decimal(quantity).abs().times(numerator);
  let best: ListPrice | undefined;
  for (const entry of prices) {
    if (decimal(entry.minQuantity).times(denominator).gt(reached)) continue;
    if (best === undefined || decimal(entry.minQuantity).gt(best.minQuantity)) best = entry;
  }
  return best;
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
