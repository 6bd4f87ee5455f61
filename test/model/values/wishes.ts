/** The steps that random histories of goods ask for. */
import fc from 'fast-check';

/** The next step; numbers choose among the existing candidates. */
export interface Wish {
  readonly kind: 'receive' | 'sell' | 'sell there' | 'return' | 'move' | 'invoice' | 'rectify';
  readonly which: number;
  readonly quantity: number;
  readonly cents: number;
}

export const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom(
    'receive',
    'sell',
    'sell',
    'sell there',
    'return',
    'move',
    'invoice',
    'invoice',
    'rectify',
    'rectify',
  ),
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
