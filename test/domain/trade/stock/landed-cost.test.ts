import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import {
  type ReceivedGoods,
  SPREAD_METHODS,
  spreadCharges,
  spreadWeight,
} from '../../../../domain/trade/stock/landed-cost.ts';

const goods = (quantity: Decimal, value: Decimal, more: Partial<ReceivedGoods> = {}): ReceivedGoods => ({
  quantity,
  value,
  weight: null,
  volume: null,
  ...more,
});

describe('landed costs', () => {
  it('are spread by value, quantity, weight, volume, or equally', () => {
    const received = [
      goods('10', '100', { weight: '2', volume: '0.5' }),
      goods('30', '100', { weight: '0.5', volume: '0.1' }),
    ];
    const shares = (method: (typeof SPREAD_METHODS)[number]) => spreadCharges(received, [{ method, amount: '35' }], 2);
    assert.deepEqual(shares('value'), ['17.5', '17.5']);
    assert.deepEqual(shares('quantity'), ['8.75', '26.25']);
    assert.deepEqual(shares('weight'), ['20', '15']);
    assert.deepEqual(shares('volume'), ['21.88', '13.12']);
    assert.deepEqual(shares('equal'), ['17.5', '17.5']);
    assert.equal(spreadWeight(goods('1', '1'), 'weight'), null);
    assert.equal(spreadCharges([goods('1', '0')], [{ method: 'value', amount: '1' }], 2), null);
  });

  it('add up to the cent, and are within a cent of the exact share for each charge (property)', () => {
    const amount = fc.integer({ min: 1, max: 1_000_000 }).map((cents): Decimal => decimal(cents).div(100).toFixed());
    const received = fc.record({ quantity: amount, value: amount, weight: amount, volume: amount });
    const charge = fc.record({ method: fc.constantFrom(...SPREAD_METHODS), amount });
    fc.assert(
      fc.property(
        fc.array(received, { minLength: 1, maxLength: 20 }),
        fc.array(charge, { minLength: 1, maxLength: 4 }),
        (lines, charges) => {
          const shares = spreadCharges(lines, charges, 2) ?? [];
          assert.ok(sum(shares).eq(sum(charges.map((each) => each.amount))));
          lines.forEach((line, index) => {
            // The plain model: each charge × own weight ÷ all weights, in full precision.
            const exact = charges.reduce((all, { method, amount: whole }) => {
              const weights = lines.map((each) => Number(spreadWeight(each, method)));
              const own = Number(spreadWeight(line, method));
              return all + (Number(whole) * own) / weights.reduce((one, other) => one + other, 0);
            }, 0);
            assert.ok(Math.abs(exact - Number(shares[index])) <= 0.01 * charges.length + 1e-6);
          });
        },
      ),
    );
  });
});
