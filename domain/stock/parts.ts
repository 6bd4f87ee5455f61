/** Quantities of layers, by their ids: filled (positive) or consumed (negative). */
import { type Decimal, decimal } from '../money.ts';

export type Exact = ReturnType<typeof decimal>;
export const ZERO = decimal(0);

export type Parts = Map<string, Exact>;

/** Adds a quantity, times a factor. */
export function addPart(parts: Parts, id: string, quantity: Exact): void {
  parts.set(id, (parts.get(id) ?? ZERO).plus(quantity));
}

/** Adds other parts. */
export function addParts(parts: Parts, more: Iterable<readonly [string, Exact]>): void {
  for (const [id, quantity] of more) addPart(parts, id, quantity);
}

/** Parts as they are stored: none of nothing. */
export function storedParts(parts: Parts): Record<string, Decimal> {
  return Object.fromEntries([...parts].flatMap(([id, quantity]) => (quantity.eq(0) ? [] : [[id, quantity.toFixed()]])));
}

/** Stored parts. */
export function partsOf(stored: Readonly<Record<string, Decimal>>): Parts {
  return new Map(Object.entries(stored).map(([id, quantity]) => [id, decimal(quantity)]));
}

export function smaller(one: Exact, other: Exact): Exact {
  return one.lt(other) ? one : other;
}
