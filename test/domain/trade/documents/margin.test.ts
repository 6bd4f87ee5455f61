/** VAT on the margin of used goods (decision 0378). */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { marginTax } from '../../../../domain/trade/documents/margin.ts';

describe('the tax on a margin', () => {
  const tax = (amount: number, cost: number) =>
    marginTax({ amount: `${amount}` as Decimal, cost: `${cost}` as Decimal, rate: '21' }, 2);

  it('is the part of it that is tax', () => {
    assert.deepEqual(tax(1210, 605), { rate: '21', base: '500', amount: '105' });
    assert.deepEqual(tax(100, 90), { rate: '21', base: '8.26', amount: '1.74' });
  });

  it('is nothing without a margin', () => {
    assert.deepEqual(
      [tax(100, 100).amount, tax(100, 150).base, tax(-100, -150).amount, tax(0, -5).base],
      ['0', '0', '0', '0'],
    );
  });

  it('is taken back as it was charged', () => {
    const cents = fc.integer({ min: 0, max: 1e9 });
    fc.assert(
      fc.property(cents, cents, (amount, cost) => {
        const [sold, back] = [tax(amount / 100, cost / 100), tax(-amount / 100, -cost / 100)];
        assert.ok(decimal(sold.base).plus(back.base).eq(0) && decimal(sold.amount).plus(back.amount).eq(0));
        const margin = decimal(amount).minus(cost).div(100);
        if (margin.gt(0)) assert.ok(decimal(sold.base).plus(sold.amount).eq(margin));
      }),
    );
  });
});
