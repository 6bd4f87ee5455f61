import assert from 'node:assert/strict';
import { pageSpan } from '../../../../domain/reports/engine/month-pages.ts';

/** Two lines in January, none in February, three in March, one in April. */
const MONTHS = [
  { month: '2026-01-01', debit: '10', credit: '0.25', lines: 2 },
  { month: '2026-03-01', debit: '5', credit: '7', lines: 3 },
  { month: '2026-04-01', debit: '1', credit: '0', lines: 1 },
] as const;
const MARCH = { from: '2026-03-01', to: '2026-03-31' };

describe('pages of lines that are counted by month', () => {
  const span = (offset: number, limit: number) => pageSpan(MONTHS, { offset, limit });

  it('lie in the months of their lines', () => {
    assert.deepEqual(span(0, 2), { from: '2026-01-01', to: '2026-01-31', skip: 0, before: '0' });
    assert.deepEqual(span(1, 2), { from: '2026-01-01', to: '2026-03-31', skip: 1, before: '0' });
    // 10 − 0.25 = 9.75 before March.
    assert.deepEqual(span(2, 3), { ...MARCH, skip: 0, before: '9.75' });
    assert.deepEqual(span(4, 1), { ...MARCH, skip: 2, before: '9.75' });
  });

  it('end with the last month, which may not fill them', () => {
    // 9.75 + 5 − 7 = 7.75 before April.
    assert.deepEqual(span(5, 10), { from: '2026-04-01', to: '2026-04-30', skip: 0, before: '7.75' });
    assert.equal(span(4, 10)?.to, '2026-04-30');
  });

  it('are nowhere behind the last line', () => {
    assert.equal(span(6, 2), null);
    assert.equal(pageSpan([], { offset: 0, limit: 500 }), null);
  });
});
