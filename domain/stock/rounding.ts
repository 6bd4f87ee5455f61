/** Rounding and bounds of stock values. */
import { decimal, round } from '../money.ts';
import { type Exact, ZERO } from './fifo-layers.ts';

/** Decimals of values. */
const PLACES = 6;
/** Decimals of what leaves by average: whole cents; the rest stays with the goods. */
const CENTS = 2;

/** A value with the same sign as the quantity, else undefined: goods on hand are never worth less than nothing. */
export function sameSignOrNone(value: Exact, quantity: Exact): Exact | undefined {
  if (quantity.eq(0)) return ZERO;
  return value.times(quantity).gte(0) ? value : undefined;
}

/** The value, but never below zero. */
export function notNegative(value: Exact): Exact {
  return value.gt(0) ? value : ZERO;
}

/** As values are stored: six decimals. */
export function rounded(value: Exact): Exact {
  return decimal(round(value, PLACES));
}

/** In whole cents. */
export function cents(value: Exact): Exact {
  return decimal(round(value, CENTS));
}
