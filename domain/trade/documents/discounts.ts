/**
 * Discounts: of a line, one percentage after the other, and of a whole document, spread over its lines by their value; and charges
 * likewise.
 */
import { type Decimal, decimal, distribute, type Exact, round, sum } from '../../money.ts';

/** Percentages deducted from the price one after the other, 0–100. */
export interface LineDiscounts {
  readonly discountPercent: Decimal;
  /** Deducted from what the first one leaves. */
  readonly secondDiscountPercent: Decimal;
}

/** A discount on all of a document: by one of both, or none. */
export interface DocumentDiscount {
  readonly percent: Decimal | null;
  readonly amount: Decimal | null;
}

/** The part of the price that both discounts leave, from 0 to 1. */
export function keptPart({ discountPercent, secondDiscountPercent }: LineDiscounts): Exact {
  return decimal(100).minus(discountPercent).times(decimal(100).minus(secondDiscountPercent)).times('0.0001');
}

/** The one percentage that deducts as much as both discounts. */
export function totalPercent(line: LineDiscounts): Decimal {
  return decimal(1).minus(keptPart(line)).times(100).toFixed();
}

/**
 * Spreads the discount of a document over its lines, so that the shares add up to it.
 * @param values of the lines after their own discounts, as they are priced: with tax where the price includes it
 * @param places decimals of amounts
 */
export function spreadDiscount(
  values: readonly Decimal[],
  { percent, amount }: DocumentDiscount,
  places: number,
): Decimal[] {
  const whole =
    amount ??
    round(
      sum(values)
        .times(percent ?? 0)
        .times('0.01'),
      places,
    );
  return distribute(whole, values, places);
}

/** Spreads a charge over the lines by the same values, so that the shares add up to it. */
export function spreadCharge(values: readonly Decimal[], amount: Decimal, places: number): Decimal[] {
  return distribute(amount, values, places);
}

/** A line that takes a quantity from the line of another document. */
interface Taking {
  /** Price of a unit after the line's own discounts. */
  readonly unitValue: Exact;
  /** The quantity; greater than zero. */
  readonly quantity: Decimal;
  /** The quantity that was taken from the other line before. */
  readonly before: Decimal;
}

/**
 * The share of a document's discount or charge that goes along with a quantity taken from one of its lines: as much of its value as
 * there, so that the parts add up to the whole.
 * @param base the line that it is taken from, with its share
 */
export function shareTaken(
  { unitValue, quantity, before }: Taking,
  base: { readonly unitValue: Exact; readonly quantity: Decimal; readonly share: Decimal },
  places: number,
): Decimal {
  const whole = base.unitValue.times(base.quantity);
  if (whole.eq(0) || decimal(base.share).eq(0)) return '0';
  const until = (upTo: Exact) => round(unitValue.times(upTo).times(base.share).div(whole), places);
  return decimal(until(decimal(before).plus(quantity)))
    .minus(until(decimal(before)))
    .toFixed();
}
