import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { offsetAmounts } from '../../../../domain/trade/payments/offset.ts';

const part = (outstanding: Decimal, asked: Decimal | null = null) => ({ outstanding, asked });

describe('setting off', () => {
  it('reaches as far as the smaller side, in the order given', () => {
    assert.deepEqual(offsetAmounts([part('100'), part('-30')]), ['30', '-30']);
    assert.deepEqual(offsetAmounts([part('-100'), part('40'), part('50'), part('60')]), ['-100', '40', '50', '10']);
    assert.deepEqual(offsetAmounts([part('-10'), part('-5'), part('12')]), ['-10', '-2', '12']);
  });

  it('keeps to what is asked', () => {
    assert.deepEqual(offsetAmounts([part('100', '20'), part('-30')]), ['20', '-20']);
    assert.deepEqual(offsetAmounts([part('100', '20'), part('50'), part('-30')]), ['20', '10', '-30']);
    assert.equal(offsetAmounts([part('100', '40'), part('-30')]), null);
    assert.equal(offsetAmounts([part('100', '20'), part('-30', '-25')]), null);
    assert.deepEqual(offsetAmounts([part('100'), part('30')]), ['0', '0']);
  });

  it('adds up to nothing and never exceeds what is outstanding', () => {
    const cents = fc.integer({ min: -100_000, max: 100_000 }).map((value) => decimal(value).div(100).toFixed());
    fc.assert(
      fc.property(fc.array(cents, { minLength: 2, maxLength: 8 }), (outstanding) => {
        const amounts = offsetAmounts(outstanding.map((value) => part(value))) ?? [];
        assert.equal(amounts.length, outstanding.length);
        assert.equal(sum(amounts).toFixed(), '0');
        amounts.forEach((amount, index) => {
          const whole = decimal(outstanding[index] ?? '0');
          assert.ok(
            decimal(amount).abs().lte(whole.abs()) && decimal(amount).times(whole).gte(0),
            `${amount} of ${whole}`,
          );
        });
        const taken = sum(amounts.filter((amount) => decimal(amount).gt(0)));
        const sides = [1, -1].map((sign) => sum(outstanding.filter((value) => decimal(value).times(sign).gt(0))).abs());
        assert.ok(
          sides.some((side) => side.eq(taken)),
          'one side is used up',
        );
      }),
    );
  });
});
