/** Prices of lists, by minimum quantity. */
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
