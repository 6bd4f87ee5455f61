/** The steps that random histories of goods ask for. */
import fc from 'fast-check';

const KINDS = [
  ...(['receive', 'sell', 'sell there', 'sell directly', 'return', 'move', 'invoice', 'rectify'] as const),
  ...(['bill', 'credit', 'credit with goods', 'cancel bill', 'cancel return'] as const),
] as const;

/** The next step; numbers choose among the existing candidates. */
export interface Wish {
  readonly kind: (typeof KINDS)[number];
  readonly which: number;
  readonly quantity: number;
  readonly cents: number;
}

export const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom(...KINDS, ...(['sell', 'return', 'invoice', 'rectify', 'bill'] as const)),
  which: fc.nat(20),
  quantity: fc.integer({ min: 1, max: 8 }),
  cents: fc.integer({ min: 100, max: 999 }),
});

/** A history in which each thing happens that random ones may leave out; it runs by FIFO and by average. */
export const EVERYTHING: readonly Wish[] = [
  { kind: 'receive', which: 3, quantity: 8, cents: 400 },
  { kind: 'sell', which: 0, quantity: 3, cents: 100 },
  { kind: 'move', which: 0, quantity: 2, cents: 100 },
  { kind: 'sell there', which: 0, quantity: 1, cents: 100 },
  { kind: 'return', which: 0, quantity: 1, cents: 100 },
  { kind: 'invoice', which: 1, quantity: 1, cents: 450 },
  { kind: 'rectify', which: 1, quantity: 1, cents: 380 },
  { kind: 'sell', which: 0, quantity: 8, cents: 100 },
  { kind: 'sell', which: 0, quantity: 3, cents: 100 },
  { kind: 'receive', which: 1, quantity: 5, cents: 333 },
  { kind: 'invoice', which: 0, quantity: 1, cents: 299 },
  { kind: 'rectify', which: 0, quantity: 1, cents: 512 },
];

/** Goods at two prices that are sold, returned, invoiced, returned and credited, with the invoice of their supplier in between. */
export const RETURNED: readonly Wish[] = [
  { kind: 'receive', which: 1, quantity: 5, cents: 100 },
  { kind: 'receive', which: 1, quantity: 8, cents: 233 },
  { kind: 'sell', which: 0, quantity: 10, cents: 100 },
  { kind: 'return', which: 0, quantity: 3, cents: 100 },
  { kind: 'cancel return', which: 0, quantity: 1, cents: 100 },
  { kind: 'return', which: 0, quantity: 4, cents: 100 },
  { kind: 'bill', which: 0, quantity: 4, cents: 100 },
  { kind: 'invoice', which: 1, quantity: 1, cents: 317 },
  { kind: 'bill', which: 0, quantity: 2, cents: 100 },
  { kind: 'return', which: 0, quantity: 3, cents: 100 },
  { kind: 'credit', which: 0, quantity: 2, cents: 100 },
  { kind: 'invoice', which: 0, quantity: 1, cents: 128 },
  { kind: 'credit with goods', which: 0, quantity: 1, cents: 100 },
  { kind: 'sell directly', which: 0, quantity: 4, cents: 100 },
  { kind: 'credit with goods', which: 1, quantity: 1, cents: 100 },
  { kind: 'sell directly', which: 0, quantity: 2, cents: 100 },
  { kind: 'cancel bill', which: 3, quantity: 1, cents: 100 },
  { kind: 'cancel bill', which: 0, quantity: 1, cents: 100 },
];

/** Goods come back while other sold goods are still owed: what they settle is no cost of the sale that they return from. */
export const OWED: readonly Wish[] = [
  { kind: 'sell directly', which: 0, quantity: 1, cents: 100 },
  { kind: 'receive', which: 0, quantity: 6, cents: 451 },
  { kind: 'sell directly', which: 0, quantity: 7, cents: 100 },
  { kind: 'credit with goods', which: 0, quantity: 1, cents: 100 },
];

/** An invoice is credited in full, so that its note can be invoiced again, which happens in two parts. */
export const RELEASED: readonly Wish[] = [
  { kind: 'receive', which: 1, quantity: 8, cents: 400 },
  { kind: 'sell', which: 0, quantity: 5, cents: 100 },
  { kind: 'bill', which: 0, quantity: 5, cents: 100 },
  { kind: 'credit', which: 0, quantity: 5, cents: 100 },
  { kind: 'bill', which: 0, quantity: 3, cents: 100 },
  { kind: 'return', which: 0, quantity: 1, cents: 100 },
];
