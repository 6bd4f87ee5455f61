/** Periods of tax returns. */
import assert from 'node:assert/strict';
import {
  inSameReturn,
  normalPeriod,
  periodBefore,
  periodSpan,
  periodsUntil,
} from '../../../../domain/ledger/tax-returns/periods.ts';

describe('periods of tax returns', () => {
  it('include quarters, months and calendar years', () => {
    assert.deepEqual(periodSpan({ year: 2026, period: '1T' }), { from: '2026-01-01', to: '2026-03-31' });
    assert.deepEqual(periodSpan({ year: 2024, period: '02' }), { from: '2024-02-01', to: '2024-02-29' });
    assert.deepEqual(periodSpan({ year: 2026, period: '0A' }), { from: '2026-01-01', to: '2026-12-31' });
  });

  it('continue across years', () => {
    assert.deepEqual(periodBefore({ year: 2026, period: '1T' }), { year: 2025, period: '4T' });
    assert.deepEqual(periodBefore({ year: 2026, period: '01' }), { year: 2025, period: '12' });
    const names = periodsUntil({ year: 2026, period: '2T' }, '2025-08-15').map(
      ({ year, period }) => `${year} ${period}`,
    );
    assert.deepEqual(names, ['2025 3T', '2025 4T', '2026 1T', '2026 2T']);
    assert.deepEqual(periodsUntil({ year: 2026, period: '1T' }, '2026-04-01'), []);
  });

  it('assign days to the same return by quarter, or by month for monthly filers', () => {
    assert.deepEqual(
      ['2026-01-01', '2026-03-31', '2026-04-01', '2027-02-10'].map((day) =>
        inSameReturn('quarters', '2026-02-10', day),
      ),
      [true, true, false, false],
    );
    assert.deepEqual(
      ['2026-02-28', '2026-03-01', '2025-02-10'].map((day) => inSameReturn('months', '2026-02-10', day)),
      [true, false, false],
    );
  });

  it('can be written in common short forms', () => {
    assert.deepEqual(['1t', 'T3', '07', '0A'].map(normalPeriod), ['1T', '3T', '07', '0A']);
  });
});
