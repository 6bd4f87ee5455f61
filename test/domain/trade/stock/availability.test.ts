import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Decimal } from '../../../../domain/money.ts';
import { availability, earliestDay } from '../../../../domain/trade/stock/availability.ts';
import { reorderQuantity } from '../../../../domain/trade/stock/reorder.ts';

const flow = (date: string, incoming: number, outgoing: number) => ({
  date,
  incoming: `${incoming}` as Decimal,
  outgoing: `${outgoing}` as Decimal,
});

describe('goods that can be promised', () => {
  it('leave later promises alone', () => {
    const days = availability('2026-06-10', '10', [
      flow('2026-06-20', 0, 8),
      flow('2026-06-15', 5, 0),
      flow('2026-06-01', 1, 2),
      flow('2026-06-30', 20, 0),
    ]);
    assert.deepEqual(
      days.map(({ date, projected, promisable }) => [date, projected, promisable]),
      [
        ['2026-06-10', '9', '6'],
        ['2026-06-15', '14', '6'],
        ['2026-06-20', '6', '6'],
        ['2026-06-30', '26', '26'],
      ],
    );
    assert.deepEqual(
      ['6', '7', '27'].map((quantity) => earliestDay(days, quantity as Decimal)),
      ['2026-06-10', '2026-06-30', null],
    );
  });

  it('never break what is promised, if that held before (property)', () => {
    const flows = fc.uniqueArray(
      fc.record({ day: fc.integer({ min: 1, max: 28 }), incoming: fc.nat(20), outgoing: fc.nat(20) }),
      { selector: ({ day }) => day, maxLength: 10 },
    );
    fc.assert(
      fc.property(flows, fc.nat(50), (all, onHand) => {
        const asked = all.map(({ day, incoming, outgoing }) =>
          flow(`2026-06-${String(day).padStart(2, '0')}`, incoming, outgoing),
        );
        const days = availability('2026-06-01', `${onHand}` as Decimal, asked);
        for (const [index, day] of days.entries()) {
          const later = days.slice(index).map(({ projected }) => Number(projected) - Number(day.promisable));
          assert.ok(later.every((left) => left >= 0) && later.includes(0));
        }
      }),
    );
  });
});

describe('the quantity to order again', () => {
  it('fills up to the maximum, in whole packs', () => {
    const levels = (minimum: Decimal, maximum: Decimal | null = null, packQuantity: Decimal | null = null) => ({
      minimum,
      maximum,
      packQuantity,
    });
    assert.equal(reorderQuantity('5', levels('5')), '0');
    assert.equal(reorderQuantity('4.5', levels('5')), '0.5');
    assert.equal(reorderQuantity('2', levels('5', '20')), '18');
    assert.equal(reorderQuantity('2', levels('5', '20', '12')), '24');
    assert.equal(reorderQuantity('-4', levels('0', '20', '12')), '24');
    assert.equal(reorderQuantity('2', levels('5', '20', '6')), '18');
  });
});
