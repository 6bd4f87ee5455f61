import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import {
  computeInstalments,
  dueDate,
  openAmounts,
  settleOpenInstalments,
  type TermLine,
  termsFault,
} from '../../../../domain/trade/payments/terms.ts';

const line = (percent: number | null, days: number, endOfMonth = false): TermLine => ({ percent, days, endOfMonth });
const shown = (total: Decimal, lines: TermLine[], paymentDays: number[] = [], date = '2026-01-31') =>
  computeInstalments({ date, total, places: 2 }, lines, paymentDays).map(
    ({ dueDate: day, amount }) => `${day} ${amount}`,
  );

describe('payment terms', () => {
  it('add up to 100 %, or leave a rest to one line', () => {
    assert.equal(termsFault([line(50, 0), line(50, 30)]), null);
    assert.equal(termsFault([line(33.3333, 0), line(33.3333, 30), line(null, 60)]), null);
    assert.match(termsFault([line(50, 0), line(49.99, 30)]) ?? '', /add up to 100 %, not to 99.99 %/);
    assert.match(termsFault([line(60, 0), line(60, 30)]) ?? '', /not to 120 %/);
    assert.match(termsFault([line(100, 0), line(null, 30)]) ?? '', /must add up to less than 100 %/);
    assert.match(termsFault([line(null, 0), line(null, 30)]) ?? '', /at most one line/);
  });

  it('lead to the end of the month, and to the next day on which the partner pays', () => {
    // 31 January + 30 days = 2 March.
    assert.equal(dueDate('2026-01-31', line(100, 30)), '2026-03-02');
    assert.equal(dueDate('2026-01-31', line(100, 30, true)), '2026-03-31');
    assert.equal(dueDate('2026-01-31', line(100, 30), [25, 10]), '2026-03-10');
    assert.equal(dueDate('2026-01-31', line(100, 50), [25, 10]), '2026-03-25');
    assert.equal(dueDate('2026-01-31', line(100, 54), [25, 10]), '2026-04-10');
    assert.equal(dueDate('2026-12-10', line(100, 30, true), [15]), '2027-02-15');
    // A payment day is no later than itself.
    assert.equal(dueDate('2026-01-31', line(100, 30), [2, 10]), '2026-03-02');
    assert.equal(dueDate('2026-01-31', line(100, 31), [2, 10]), '2026-03-10');
    assert.equal(dueDate('2026-12-01', line(100, 30, true), [31]), '2026-12-31');
    // February has no 31st, nor a 29th.
    assert.equal(dueDate('2026-02-01', line(100, 10), [31]), '2026-02-28');
    assert.equal(dueDate('2028-01-31', line(100, 1), [31]), '2028-02-29');
  });

  it('split a total exactly: what rounding leaves over goes to the rest, else to the last line', () => {
    // 1,000.01 ÷ 3: 333.30 (33.33 %) twice, and 333.41.
    assert.deepEqual(shown('1000.01', [line(33.33, 30), line(33.33, 60), line(null, 90)]), [
      '2026-03-02 333.3',
      '2026-04-01 333.3',
      '2026-05-01 333.41',
    ]);
    assert.deepEqual(shown('100', [line(null, 0), line(30, 60)]), ['2026-01-31 70', '2026-04-01 30']);
    // 0.05 in ten parts of 0.005, each rounded to 0.01, is used up after five.
    assert.equal(
      shown(
        '0.05',
        Array.from({ length: 10 }, (_, index) => line(10, index)),
      ).length,
      5,
    );
    // Both fall on the partner's day.
    assert.deepEqual(shown('90', [line(50, 1), line(50, 20)], [28]), ['2026-02-28 90']);
  });

  it('always split exactly into parts above zero, by ascending due dates', () => {
    const anyLines = fc.array(
      fc.record({ share: fc.integer({ min: 1, max: 50 }), days: fc.nat(400), end: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(
        anyLines,
        fc.integer({ min: 1, max: 1e9 }),
        fc.array(fc.integer({ min: 1, max: 31 })),
        (made, cents, pays) => {
          const whole = made.reduce((all, { share }) => all + share, 0);
          const lines = made.map(({ share, days, end }, index) =>
            line(index === 0 ? null : Math.floor((share * 1e6) / whole) / 1e4 || 0.0001, days, end),
          );
          const total = decimal(cents).div(100).toFixed();
          const parts = computeInstalments({ date: '2026-01-31', total, places: 2 }, lines, pays);
          assert.ok(sum(parts.map(({ amount }) => amount)).eq(total));
          assert.ok(parts.every(({ amount }) => decimal(amount).gt(0)));
          const days = parts.map((part) => part.dueDate);
          assert.deepEqual(days, [...new Set(days)].sort());
        },
      ),
    );
  });

  it('are settled the earliest first, but where a payment names its part', () => {
    const open = (settled: Decimal, named: Decimal[] = ['0', '0', '0']) =>
      openAmounts(
        named.map((one) => ({ amount: '100', settled: one })),
        settled,
      );
    assert.deepEqual(open('0'), ['100', '100', '100']);
    assert.deepEqual(open('130'), ['0', '70', '100']);
    // 100 for the second, 30 for none.
    assert.deepEqual(open('130', ['0', '100', '0']), ['70', '0', '100']);
    assert.deepEqual(open('220', ['0', '100', '0']), ['0', '0', '80']);
    // Overpaid by 5: together they are what is outstanding.
    assert.deepEqual(open('305'), ['0', '0', '-5']);
    // Taken back beyond what was settled.
    assert.deepEqual(open('-5'), ['105', '100', '100']);
  });

  it('are settled one after the other, or the named one alone, and never by more than is open', () => {
    const open = [
      { number: 1, outstanding: '30' },
      { number: 2, outstanding: '40' },
      { number: 3, outstanding: '50' },
    ] as const;
    const left = (amount: Decimal, named: number | null) =>
      settleOpenInstalments(open, amount, named).map(({ outstanding }) => outstanding);
    assert.deepEqual(left('35', null), ['0', '35', '50']);
    assert.deepEqual(left('70', null), ['0', '0', '50']);
    assert.deepEqual(left('35', 2), ['30', '5', '50']);
    assert.deepEqual(left('120', null), ['0', '0', '0']);
  });
});
