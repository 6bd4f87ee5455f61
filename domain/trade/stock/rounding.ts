/** Rounding and bounds of stock values. */
import { decimal, round } from '../../money.ts';
import { type Exact, ZERO } from './parts.ts';

/** Decimals of values. */
const PLACES = 6;
/** Decimals of unit costs. */
const COST_PLACES = 12;
/** Decimals of values that leave by average: whole cents, so that the difference stays with the goods. */
const CENTS = 2;

/** The value, or zero if it is negative. */
export function notNegative(value: Exact): Exact {
  return value.gt(0) ? value : ZERO;
}

/** Rounds a value to six decimals, as stored. */
export function roundValue(value: Exact): Exact {
  return decimal(round(value, PLACES));
}

/** Rounds to whole cents. */
export function roundToCents(value: Exact): Exact {
  return decimal(round(value, CENTS));
}

/** Rounds a unit cost as stored, with enough decimals for quantities to return at the value they left with. */
export function roundUnitCost(value: Exact): Exact {
  return decimal(round(value, COST_PLACES));
}
