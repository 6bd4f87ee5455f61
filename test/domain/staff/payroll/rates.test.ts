import assert from 'node:assert/strict';
import { ratesOn } from '../../../../domain/staff/payroll/rates.ts';

describe('payroll rates', () => {
  it('apply to their year', () => {
    const mei = (day: string) => ratesOn(day)?.mei.employer;
    assert.deepEqual(['2025-01-01', '2025-12-31', '2026-01-01', '2026-12-31'].map(mei), [
      '0.67',
      '0.67',
      '0.75',
      '0.75',
    ]);
  });

  it('are unknown without an order', () => {
    assert.deepEqual(['2024-12-31', '2027-01-01'].map(ratesOn), [null, null]);
  });
});
