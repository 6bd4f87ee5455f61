import assert from 'node:assert/strict';
import { planRectifications, type SoldLine } from '../../demo/cancel.ts';

describe('a cancellation in the demo', () => {
  const sold = (): SoldLine[] => [
    { invoiceId: 'first', number: '10', lineId: 'first-1', itemId: 'cup', price: 1.25, open: 12 },
    { invoiceId: 'first', number: '10', lineId: 'first-2', itemId: 'plate', price: 4, open: 1 },
    { invoiceId: 'second', number: '20/2', lineId: 'second-1', itemId: 'cup', price: 1.25, open: 5 },
    { invoiceId: 'third', number: '30', lineId: 'third-1', itemId: 'cup', price: 2.51, open: 50 },
    { invoiceId: 'later', number: '90', lineId: 'later-1', itemId: 'cup', price: 1.25, open: 50 },
  ];
  const cups = (quantity: number, price = 1.25) => ({ itemId: 'cup', quantity, price });

  it('applies to the latest earlier invoice with the item, its price and enough of it', () => {
    assert.deepEqual(planRectifications('C40', [cups(-5)], sold()), [
      { invoiceId: 'second', lines: [{ baseLineId: 'second-1', quantity: -5 }] },
    ]);
    assert.deepEqual(planRectifications('C40', [cups(-6)], sold()), [
      { invoiceId: 'first', lines: [{ baseLineId: 'first-1', quantity: -6 }] },
    ]);
    assert.deepEqual(planRectifications('C15', [cups(-5)], sold())[0]?.invoiceId, 'first');
  });

  it('applies to no invoice without an earlier sale at the price and in the quantity', () => {
    const lines = [{ itemId: 'lamp', quantity: -1, price: 9 }, cups(-1, 1.06), cups(-51, 2.51)];
    assert.deepEqual(planRectifications('C40', lines, sold()), [{ invoiceId: undefined, lines }]);
    assert.deepEqual(planRectifications('C9', [cups(-1)], sold())[0]?.invoiceId, undefined);
  });

  it('creates one rectifying invoice for each invoice, and takes nothing back twice', () => {
    const lines = [cups(-5), { itemId: 'plate', quantity: -1, price: 4 }, cups(-12), cups(-1)];
    const own = sold();
    assert.deepEqual(planRectifications('C40', lines, own), [
      { invoiceId: 'second', lines: [{ baseLineId: 'second-1', quantity: -5 }] },
      {
        invoiceId: 'first',
        lines: [
          { baseLineId: 'first-2', quantity: -1 },
          { baseLineId: 'first-1', quantity: -12 },
        ],
      },
      { invoiceId: undefined, lines: [cups(-1)] },
    ]);
    assert.deepEqual(
      own.map(({ open }) => open),
      [0, 0, 0, 50, 50],
    );
  });
});
