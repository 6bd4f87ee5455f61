/** How values of stock are rounded and bounded. */
import { decimal, round } from '../money.ts';
import { type Exact, ZERO } from './fifo-layers.ts';

/** Decimals of values. */
const PLACES = 6;
/** Decimals of what leaves by average: whole cents, and what is left over stays with the goods. */
const CENTS = 2;

/** A value of the same sign as the quantity; undefined for others: goods that are there are not worth less than nothing. */
export function fitting(value: Exact, quantity: Exact): Exact | undefined {
  if (quantity.eq(0)) return ZERO;
  return value.times(quantity).gte(0) ? value : undefined;
}

/** The value, but nothing below zero. */
export function above(value: Exact): Exact {
  return value.gt(0) ? value : ZERO;
}

/** As values are kept: to six decimals. */
export function rounded(value: Exact): Exact {
  return decimal(round(value, PLACES));
}

/** In whole cents. */
export function cents(value: Exact): Exact {
  return decimal(round(value, CENTS));
}
