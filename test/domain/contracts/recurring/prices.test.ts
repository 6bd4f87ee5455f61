import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { indexFactor, scaled } from '../../../../domain/contracts/recurring/prices.ts';
import { decimal } from '../../../../domain/money.ts';

describe('fixed prices of recurring documents', () => {
  it('rise after each full span of months, compounded', () => {
    const factor = (on: string) => indexFactor({ percent: '3', months: 12 }, '2024-02-29', on).toFixed();
    assert.equal(factor('2025-02-27'), '1');
    assert.equal(factor('2025-02-28'), '1.03');
    assert.equal(factor('2026-02-28'), '1.0609');
    assert.equal(indexFactor({ percent: '-50', months: 1 }, '2026-01-31', '2026-03-31').toFixed(), '0.25');
    assert.equal(indexFactor({ percent: '3', months: 12 }, '2026-05-01', '2026-01-01').toFixed(), '1');
  });

  it('are multiplied exactly and rounded to six decimals, with or without tax', () => {
    assert.deepEqual(scaled({ price: 10 }, decimal(1).div(3)), { price: 3.333333 });
    assert.deepEqual(scaled({ priceWithTax: 0.1 }, decimal('1.03')), { priceWithTax: 0.103 });
    assert.deepEqual(scaled({}, decimal(2)), {});
  });
});
