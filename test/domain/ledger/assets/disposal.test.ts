import assert from 'node:assert/strict';
import fc from 'fast-check';
import { disposedPart } from '../../../../domain/ledger/assets/disposal.ts';
import { decimal, round } from '../../../../domain/money.ts';

describe('the part of an asset that is disposed of', () => {
  it('has its share of all values', () => {
    const whole = {
      cost: '1200',
      accumulated: '350',
      impairment: '100',
      residualValue: '120',
      initialCost: '1000',
    } as const;
    const part = {
      cost: '300',
      accumulated: '87.5',
      impairment: '25',
      residualValue: '30',
      initialCost: '250',
    };
    assert.deepEqual(disposedPart(whole, '300', 2), part);
  });

  it('never takes more than there is, so that the rest is worth something or nothing', () => {
    const cents = fc.integer({ min: 2, max: 1e9 });
    fc.assert(
      fc.property(cents, fc.nat(1000), fc.integer({ min: 1, max: 999 }), (cost, depreciated, part) => {
        const amount = (value: number) => decimal(value).div(100).toFixed() as `${number}`;
        const accumulated = round(decimal(amount(cost)).times(depreciated).div(1000), 2);
        const taken = round(decimal(amount(cost)).times(part).div(1000), 2);
        if (decimal(taken).lte(0) || decimal(taken).gte(amount(cost))) return;
        const values = { accumulated, impairment: '0', residualValue: '0', initialCost: amount(cost) } as const;
        const gone = disposedPart({ cost: amount(cost), ...values }, taken, 2);
        assert.ok(decimal(gone.accumulated).lte(accumulated));
        const left = decimal(amount(cost)).minus(taken).minus(decimal(accumulated).minus(gone.accumulated));
        assert.ok(left.gte('-0.01'), left.toFixed());
      }),
    );
  });
});
