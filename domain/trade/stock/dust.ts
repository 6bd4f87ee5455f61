/**
 * Dust: the remainder that divisions leave of a quantity. Three times a third of a kilogram is 0.999999 kg in the
 * item's own unit, although everybody counts a full kilogram (decision 0156).
 */
import { type Decimal, decimal, round } from '../../money.ts';

/** Minimum precision: units of pieces have fewer decimals, but are sold in fractions too. */
export const MIN_DECIMALS = 3;

/**
 * Whether a quantity is not zero but rounds to zero at the precision of its unit, which is at least three decimals.
 * @param decimals of the item's own unit; by default, tells whether it might be dust in any unit
 */
export function isDust(quantity: Decimal, decimals = 0): boolean {
  return !decimal(quantity).eq(0) && decimal(round(quantity, Math.max(decimals, MIN_DECIMALS))).eq(0);
}

/** SQL expression for the same precision. @param decimals SQL of the unit's decimals */
export function dustPlaces(decimals: string): string {
  return `greatest(${decimals}, ${MIN_DECIMALS})`;
}
