/** Histories in which each thing happens that random ones may leave out. */
import type { Kind, Wish } from './steps.ts';

const NOTHING = { which: 0, other: 1, cents: 10_000, day: 0, way: 2 };
const one = (kind: Kind, more: Partial<Wish> = {}): Wish => ({ ...NOTHING, kind, ...more });
/** Pays just so much of one debt, even if that is too much. */
const pays = (cents: number, more: Partial<Wish> = {}) => one('pay', { cents, way: 5, day: 1, ...more });

/** 60 + 60 on 100 are too much by intention; both come back. */
const TWICE = [one('sell'), pays(6000), pays(6000), one('return', { day: 2 }), one('return', { day: 3 })];

export const EVERYTHING: readonly (readonly Wish[])[] = [
  // The two returns are undone, in either order; 120 is paid of 100 again.
  [...TWICE, one('undo return'), one('undo return'), one('remove'), one('cancel')],
  [...TWICE, one('undo return', { which: 1 }), one('undo return')],
  // 100 was returned, paid again, and returned again: together they must not be 200 of 100.
  [
    one('sell'),
    pays(10_000),
    one('apply', { way: 0 }),
    one('return', { day: 2 }),
    pays(10_000, { day: 3 }),
    one('return', { day: 4 }),
  ].concat([one('undo return'), one('undo return')]),
  // The second half of 90 is paid, returned, and paid again.
  [one('sell', { cents: 9000, other: 0 }), pays(4500, { which: 1, other: 0 }), one('return', { day: 2 })].concat([
    pays(4500, { which: 1, other: 0, day: 3 }),
    one('undo return'),
  ]),
  // 1.01 on two halves of 1, of which an entry gives 0.01 back; then the payment is removed, so that 1.01 is open.
  [
    one('sell', { cents: 100, other: 0, day: 0 }),
    one('pay', { cents: 101, other: 3, day: 0, way: 5 }),
    one('doubt', { cents: 100, other: 0, day: 0 }),
    one('remove', { cents: 325, other: 22, which: 19, day: 0, way: 8 }),
  ],
  // 150 on 100, of which an entry gives 50 back; then the 150 come back and 50 are paid: nothing in all, but not by nothing.
  [
    one('sell'),
    pays(15_000),
    one('lose', { cents: 5000 }),
    one('return', { day: 2 }),
    pays(5000, { day: 3 }),
    one('cancel'),
  ],
  // Credit that is applied, changed and taken away; a credit set off and refunded.
  [
    one('pay', { way: 11 }),
    one('apply'),
    one('sell', { day: 1 }),
    one('apply', { way: 1, cents: 4000, day: 2 }),
  ].concat([
    one('change', { cents: 3000 }),
    one('unlink'),
    one('credit', { cents: 6000 }),
    one('offset'),
    one('credit', { cents: 2000 }),
    one('refund', { which: 1, way: 6, cents: 2000 }),
  ]),
  // Doubtful, lost, netted against a supplier, cleared, and reversed.
  [
    one('sell'),
    one('buy'),
    one('item', { cents: 3000 }),
    one('net', { cents: 2500 }),
    one('doubt', { cents: 2000 }),
  ].concat([
    one('item', { way: 1, cents: 3000 }),
    one('clear', { which: 2, other: 4, cents: 3000 }),
    one('reverse', { which: 0, way: 1 }),
    one('reverse', { which: 1, way: 1 }),
    one('lose', { which: 1, way: 7 }),
  ]),
  // Paid before its day, cancelled later, with fees of what came back; and a month that is closed.
  [
    one('sell', { day: 4 }),
    pays(10_000, { day: 0 }),
    one('return', { day: 5, way: 1 }),
    one('cancel', { day: 7 }),
  ].concat([one('close', { day: 0 }), one('sell'), one('open', { day: 0 }), one('sell')]),
  // The customer has paid the fees of a return that is then undone.
  [one('sell'), pays(10_000), one('return', { day: 2, way: 1 }), pays(350, { which: 1, day: 3 }), one('undo return')],
];
