/** Exact amounts of valuation: how they are rounded, and quantities by layer. */
import { type Decimal, decimal, round } from '../../money.ts';

/** Decimals of values. */
const PLACES = 6;
/** Decimals of unit costs. */
const COST_PLACES = 12;
/** Decimals of values that leave by average: whole cents, so that the difference stays with the goods. */
const CENTS = 2;

export type Exact = ReturnType<typeof decimal>;
export const ZERO = decimal(0);

/** Quantities by layer id: filled (positive) or consumed (negative). */
export type Parts = Map<string, Exact>;

/** Adds a quantity to a layer. */
export function addPart(parts: Parts, id: string, quantity: Exact): void {
  parts.set(id, (parts.get(id) ?? ZERO).plus(quantity));
}

/** Adds all parts of another map. */
export function addParts(parts: Parts, more: Iterable<readonly [string, Exact]>): void {
  for (const [id, quantity] of more) addPart(parts, id, quantity);
}

/** Serializes parts for storage, without zeros. */
export function storedParts(parts: Parts): Record<string, Decimal> {
  return Object.fromEntries([...parts].flatMap(([id, quantity]) => (quantity.eq(0) ? [] : [[id, quantity.toFixed()]])));
}

/** Parses stored parts. */
export function parseParts(stored: Readonly<Record<string, Decimal>>): Parts {
  return new Map(Object.entries(stored).map(([id, quantity]) => [id, decimal(quantity)]));
}

export function smaller(one: Exact, other: Exact): Exact {
  return one.lt(other) ? one : other;
}

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
