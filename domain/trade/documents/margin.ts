/**
 * The margin scheme of used goods, works of art, antiques and collectibles (REBU; LIVA, arts. 135 to 139; decision 0378): VAT on what a
 * sale brings above what was paid for the goods.
 */
import { type Decimal, decimal, round } from '../../money.ts';

export interface MarginSale {
  /** Price that the customer pays, with the tax that no invoice shows; below zero if goods come back. */
  readonly amount: Decimal;
  /** Price that was paid for the goods, with tax; it has the sign of the amount. */
  readonly cost: Decimal;
  /** In percent. */
  readonly rate: Decimal;
}

/** The tax on a margin. */
export interface MarginTax {
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
}

/**
 * The tax of one sale (LIVA, art. 137.Uno): the margin contains it. A loss bears no tax, and is set off against no other margin.
 * @param places decimals of amounts
 */
export function marginTax({ amount, cost, rate }: MarginSale, places: number): MarginTax {
  // Goods that come back may have had no price.
  const sign = decimal(amount).lt(0) || decimal(cost).lt(0) ? -1 : 1;
  const margin = decimal(amount).minus(cost).times(sign);
  if (margin.lte(0)) return { rate, base: '0', amount: '0' };
  const base = decimal(round(margin.times(100).div(decimal(rate).plus(100)), places));
  return { rate, base: base.times(sign).toFixed(), amount: margin.minus(base).times(sign).toFixed() };
}
