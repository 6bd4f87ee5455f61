/**
 * Dust: what divisions leave of a quantity. Three times a third of a kilogram are 0.999999 kg in the item's own unit, which is a kilogram
 * to everybody who counts (decision 0156).
 */
import { type Decimal, decimal, round } from '../money.ts';

/** Units of pieces have fewer decimals, but are sold in parts too. */
export const LEAST_DECIMALS = 3;

/**
 * Whether a quantity is not nothing, but rounds to nothing at the precision of its unit, which is three decimals at least.
 * @param decimals of the item's own unit; without them whether it might be dust in some unit
 */
export function isDust(quantity: Decimal, decimals = 0): boolean {
  return !decimal(quantity).eq(0) && decimal(round(quantity, Math.max(decimals, LEAST_DECIMALS))).eq(0);
}

/** SQL: the same precision. @param decimals of the unit */
export function dustPlaces(decimals: string): string {
  return `greatest(${decimals}, ${LEAST_DECIMALS})`;
}
