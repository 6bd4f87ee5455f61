/** Spreads costs of bringing goods in, such as freight and duty, over the received goods. */
import { type Decimal, decimal, distribute, sum } from '../../money.ts';

/** Ways to spread a cost: by the value of the goods, their quantity, weight or volume, or the same for each line. */
export const SPREAD_METHODS = ['value', 'quantity', 'weight', 'volume', 'equal'] as const;
export type SpreadMethod = (typeof SPREAD_METHODS)[number];

/** Received goods that are still with the company or its customers: nothing that went back to the supplier. */
export interface ReceivedGoods {
  /** In the item's own unit. */
  readonly quantity: Decimal;
  /** Net amount of the receipt's line for them. */
  readonly value: Decimal;
  /** Kilograms of one unit; null if unknown. */
  readonly weight: Decimal | null;
  /** Cubic metres of one unit; null if unknown. */
  readonly volume: Decimal | null;
}

export interface Charge {
  readonly method: SpreadMethod;
  readonly amount: Decimal;
}

/** The weight of goods in a spreading; null if the item does not say what it needs. */
export function spreadWeight(goods: ReceivedGoods, method: SpreadMethod): Decimal | null {
  switch (method) {
    case 'value':
      return goods.value;
    case 'quantity':
      return goods.quantity;
    case 'equal':
      return decimal(goods.quantity).gt(0) ? '1' : '0';
    default: {
      const unit = goods[method];
      return unit === null ? null : decimal(unit).times(goods.quantity).toFixed();
    }
  }
}

/**
 * Spreads all charges over the goods.
 * @param places decimals of amounts
 * @returns the share of each, which add up to the sum of the charges; null if a charge has nothing to be spread by
 */
export function spreadCharges(
  goods: readonly ReceivedGoods[],
  charges: readonly Charge[],
  places: number,
): Decimal[] | null {
  let shares = goods.map(() => decimal(0));
  for (const { method, amount } of charges) {
    const weights = goods.map((each) => spreadWeight(each, method) ?? '0');
    if (sum(weights).lte(0)) return null;
    const parts = distribute(amount, weights, places);
    shares = shares.map((share, index) => share.plus(parts[index] ?? 0));
  }
  return shares.map((share) => share.toFixed());
}
