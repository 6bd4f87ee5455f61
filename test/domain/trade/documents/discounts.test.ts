import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import {
  keptPart,
  shareTaken,
  spreadCharge,
  spreadDiscount,
  totalPercent,
} from '../../../../domain/trade/documents/discounts.ts';

const cents = fc.integer({ min: 0, max: 1_000_000 });
const money = (value: number): Decimal => decimal(value).div(100).toFixed();
const percent = fc.integer({ min: 0, max: 10_000 }).map(money);

describe('two discounts of a line', () => {
  it('are deducted one after the other', () => {
    assert.equal(keptPart({ discountPercent: '10', secondDiscountPercent: '5' }).toFixed(), '0.855');
    assert.equal(totalPercent({ discountPercent: '10', secondDiscountPercent: '5' }), '14.5');
  });

  it('do as much in either order, and never more than all', () => {
    fc.assert(
      fc.property(percent, percent, (first, second) => {
        const kept = keptPart({ discountPercent: first, secondDiscountPercent: second });
        assert.ok(kept.eq(keptPart({ discountPercent: second, secondDiscountPercent: first })));
        assert.ok(kept.gte(0) && kept.lte(1));
      }),
    );
  });
});

describe('the discount of a document', () => {
  it('is spread by value, to the cent', () => {
    const amounts = spreadDiscount(['10', '10', '10'], { percent: null, amount: '10' }, 2);
    assert.deepEqual(amounts, ['3.33', '3.34', '3.33']);
    assert.deepEqual(spreadDiscount(['33.33', '66.67'], { percent: '10', amount: null }, 2), ['3.33', '6.67']);
  });

  it('has a charge beside it, spread likewise', () => {
    assert.deepEqual(spreadCharge(['33.33', '66.67', '0'], '10', 2), ['3.33', '6.67', '0']);
  });

  it('adds up to the whole, and leaves each line within a cent of its part', () => {
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 40 }), percent, (lines, off) => {
        const values = lines.map(money);
        const whole = sum(values).times(off).div(100).round(2);
        const byPercent = spreadDiscount(values, { percent: off, amount: null }, 2);
        assert.deepEqual(spreadDiscount(values, { percent: null, amount: whole.toFixed() }, 2), byPercent);
        assert.ok(sum(byPercent).eq(whole));
        byPercent.forEach((share, index) => {
          const exact = sum(values).eq(0) ? decimal(0) : whole.times(values[index] as Decimal).div(sum(values));
          assert.ok(exact.minus(share).abs().lte('0.01'), `${share} of ${exact.toFixed(4)}`);
        });
      }),
    );
  });
});

describe('the share that goes along with a part of a line', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 10 });

  it('adds up over all parts at the same price', () => {
    fc.assert(
      fc.property(parts, cents, fc.integer({ min: 1, max: 100_000 }), (quantities, share, price) => {
        const unitValue = decimal(money(price));
        const quantity = decimal(quantities.reduce((all, one) => all + one, 0)).toFixed();
        const base = { unitValue, quantity, share: money(share) };
        let before = decimal(0);
        const shares = quantities.map((one) => {
          const taking = { unitValue, quantity: decimal(one).toFixed(), before: before.toFixed() };
          before = before.plus(one);
          return shareTaken(taking, base, 2);
        });
        assert.equal(sum(shares).toFixed(), decimal(money(share)).toFixed());
      }),
    );
  });

  it('follows the price: half of it at half the price, nothing for nothing', () => {
    const base = { unitValue: decimal(10), quantity: '10', share: '20' } as const;
    const share = (unitValue: number) =>
      shareTaken({ unitValue: decimal(unitValue), quantity: '10', before: '0' }, base, 2);
    assert.deepEqual([share(10), share(5), share(0)], ['20', '10', '0']);
    assert.equal(
      shareTaken({ unitValue: decimal(10), quantity: '1', before: '0' }, { ...base, unitValue: decimal(0) }, 2),
      '0',
    );
  });
});
