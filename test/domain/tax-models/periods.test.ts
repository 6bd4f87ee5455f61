/** Periods of tax returns. */
import assert from 'node:assert/strict';
import { inSameReturn, normalPeriod, periodBefore, periodsUntil, spanOf } from '../../../domain/tax-models/periods.ts';

describe('Periods of tax returns', () => {
  it('are quarters, months and years of the calendar', () => {
    assert.deepEqual(spanOf({ year: 2026, period: '1T' }), { from: '2026-01-01', to: '2026-03-31' });
    assert.deepEqual(spanOf({ year: 2024, period: '02' }), { from: '2024-02-01', to: '2024-02-29' });
    assert.deepEqual(spanOf({ year: 2026, period: '0A' }), { from: '2026-01-01', to: '2026-12-31' });
  });

  it('follow one another across years', () => {
    assert.deepEqual(periodBefore({ year: 2026, period: '1T' }), { year: 2025, period: '4T' });
    assert.deepEqual(periodBefore({ year: 2026, period: '01' }), { year: 2025, period: '12' });
    const names = periodsUntil({ year: 2026, period: '2T' }, '2025-08-15').map(
      ({ year, period }) => `${year} ${period}`,
    );
    assert.deepEqual(names, ['2025 3T', '2025 4T', '2026 1T', '2026 2T']);
    assert.deepEqual(periodsUntil({ year: 2026, period: '1T' }, '2026-04-01'), []);
  });

  it('are one return for days of the same quarter, or of the same month for who files months', () => {
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

  it('are read as people write them', () => {
    assert.deepEqual(['1t', 'T3', '07', '0A'].map(normalPeriod), ['1T', '3T', '07', '0A']);
  });
});
