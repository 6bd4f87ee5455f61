/** The steps that random sequences ask for: items, quantities, places and batches. */
import fc from 'fast-check';
import {
  type Doc,
  isOrder,
  isSale,
  type Line,
  openQuantity,
  originLine,
  returnableQuantity,
  type Type,
  type Wanted,
} from './paper.ts';
import { BATCHES, type BatchPart } from './shelves.ts';
import { SPOTS } from './site.ts';

/** Place, and batches by name; null leaves the choice to the service. */
export interface Way {
  readonly spot: number | null;
  readonly named: readonly [number, number] | null;
  readonly allowExpired: boolean;
}

/** A value, or more often none. */
export function seldom<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
}

export const way: fc.Arbitrary<Way> = fc.record({
  spot: seldom(fc.nat(SPOTS.length - 1)),
  named: seldom(fc.tuple(fc.nat(3), fc.nat(3))),
  allowExpired: fc.boolean(),
});

export const someItem = fc.nat(1);

/** A line without base: quantities in quarters, prices in cents (null = the item's). */
export const wish = fc.record({
  item: someItem,
  quarters: fc.integer({ min: 1, max: 16 }),
  price: seldom(fc.integer({ min: -300, max: 2000 })),
  discount: fc.constantFrom(0, 0, 10, 33),
  way,
});
export type Wish = typeof wish extends fc.Arbitrary<infer W> ? W : never;

/** Price of every item, in cents. */
const PRICES = { sale: 250, purchase: 120 };

export function wantedLine(type: Type, { item, quarters, price, discount, way }: Wish): Wanted {
  const quantity = quarters / 4;
  const usual = isSale({ type }) ? PRICES.sale : PRICES.purchase;
  const spot = SPOTS[way.spot ?? 0] as (typeof SPOTS)[number];
  const batches = type.endsWith('O') ? null : chooseBatches(type, item, quantity, way);
  return {
    item,
    quantity,
    price: price ?? usual,
    discount,
    ...spot,
    batches,
    allowExpired: way.allowExpired,
    base: null,
  };
}

/** Returns a line based on another; other places and batches only if its goods move now. */
export function following(type: Type, line: Line, quantity: number, way: Way): Wanted {
  const moves = originLine(line) === line && isOrder(line.doc);
  const spot = moves && way.spot !== null ? SPOTS[way.spot] : { warehouse: line.warehouse, zone: null };
  const batches = moves ? chooseBatches(type, line.item, quantity, way) : null;
  const { item, price, discount } = line;
  return {
    item,
    price,
    discount,
    quantity,
    ...(spot as object),
    batches,
    allowExpired: way.allowExpired,
    base: line,
  } as Wanted;
}

/** Chooses batches; incoming goods always name theirs. */
export function chooseBatches(type: Type, item: number, quantity: number, { named }: Way): BatchPart[] | null {
  if (item === 0) return null;
  if (named === null) return isSale({ type }) ? null : [{ batch: BATCHES[2].name, quantity }];
  const [one, other] = named.map((index) => (BATCHES[index] as (typeof BATCHES)[number]).name) as [string, string];
  const half = Math.floor(quantity * 2) / 4;
  if (one === other || half === 0) return [{ batch: one, quantity }];
  return [
    { batch: one, quantity: half },
    { batch: other, quantity: quantity - half },
  ];
}

/** A share of what is left of a line, in quarters: five take more than that. */
export const share = fc.constantFrom(1, 2, 4, 4, 5);

export function takePart(left: number, line: Line, share: number): number {
  const quarters = (left || Math.abs(line.quantity)) * 4;
  return Math.max(1, Math.floor((quarters * share) / 4)) / 4;
}

/** Documents that fit, those of which something is left first. */
export function chosen(docs: readonly Doc[], which: number, quantityLeft: (line: Line) => number = openQuantity): Doc {
  const open = docs.filter(({ lines, status }) => status !== 'X' && lines.some((line) => quantityLeft(line) > 0));
  const candidates = which % 4 > 0 && open.length > 0 ? open : docs;
  return candidates[which % candidates.length] as Doc;
}

export const returnable = (line: Line) => (line.doc.status === 'D' ? 0 : returnableQuantity(line));
