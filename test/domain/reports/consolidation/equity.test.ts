import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Decimal } from '../../../../domain/money.ts';
import { decimal, sum } from '../../../../domain/money.ts';
import { setOff } from '../../../../domain/reports/consolidation/equity.ts';

const whole = { ownershipPercent: '100', result: '50', acquiredEquity: null } as const;

describe('the set-off of an investment against equity', () => {
  it('leaves what a founded company has earned', () => {
    assert.deepEqual(setOff({ ...whole, equity: '1300', investment: '1000' }, 2), {
      ...{ goodwill: '0', reserves: '300', minorities: '0', minorityResult: '0' },
    });
  });

  it('leaves goodwill of what was paid beyond the share, and gives minorities theirs', () => {
    const bought = { ownershipPercent: '60', equity: '1500', result: '100', investment: '700', acquiredEquity: '1000' };
    // 700 − 60 % of 1,000; 60 % of the 500 earned since; 40 % of 1,500 and of 100.
    assert.deepEqual(setOff(bought as Parameters<typeof setOff>[0], 2), {
      ...{ goodwill: '100', reserves: '300', minorities: '640', minorityResult: '40' },
    });
  });

  it('adds a purchase below the share to the reserves', () => {
    const bought = { ...whole, equity: '1000', investment: '900', acquiredEquity: '1000' } as const;
    assert.deepEqual(setOff(bought, 2), { goodwill: '0', reserves: '100', minorities: '0', minorityResult: '0' });
  });

  it('agrees to the cent, whatever the share', () => {
    const cents = fc.integer({ min: -1e9, max: 1e9 }).map((value) => decimal(value).div(100).toFixed());
    const percent = fc.integer({ min: 1, max: 1e6 }).map((value) => decimal(value).div(10_000).toFixed());
    fc.assert(
      fc.property(
        percent,
        cents,
        cents,
        cents,
        fc.option(cents),
        (ownershipPercent, equity, result, paid, acquired) => {
          const all = { ownershipPercent, equity, result, investment: paid, acquiredEquity: acquired };
          const { goodwill, reserves, minorities, minorityResult } = setOff(all, 2);
          const left = sum([paid, reserves, minorities]);
          assert.equal(left.toFixed(), sum([equity, goodwill, minorityResult] as Decimal[]).toFixed());
        },
      ),
    );
  });
});
