/** Quantities by layer id: filled (positive) or consumed (negative). */
import { type Decimal, decimal } from '../../money.ts';

export type Exact = ReturnType<typeof decimal>;
export const ZERO = decimal(0);

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
