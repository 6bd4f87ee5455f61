/** Rounding and bounds of stock values. */
import { decimal, round } from '../money.ts';
import { type Exact, ZERO } from './parts.ts';

/** Decimals of values. */
const PLACES = 6;
/** Decimals of unit costs. */
const COST_PLACES = 12;
/** Decimals of what leaves by average: whole cents; the rest stays with the goods. */
const CENTS = 2;

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

/** As unit costs are stored: enough decimals for quantities to return at the value they left with. */
export function costRounded(value: Exact): Exact {
  return decimal(round(value, COST_PLACES));
}
