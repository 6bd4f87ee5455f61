/** Calendar dates. */
import assert from 'node:assert/strict';
import { dayBefore, daysAfter, yearEarlier } from '../../domain/days.ts';

describe('Days', () => {
  it('have one a year earlier, at the end of the month where they are', () => {
    const days = ['2026-01-01', '2025-02-28', '2024-02-29', '2026-12-31', '0001-05-05'];
    assert.deepEqual(days.map(yearEarlier), ['2025-01-01', '2024-02-29', '2023-02-28', '2025-12-31', '0001-05-05']);
  });

  it('have others so many days after and before, within the years that there are', () => {
    assert.deepEqual([daysAfter('2026-02-27', 2), daysAfter('2026-01-01', -1)], ['2026-03-01', '2025-12-31']);
    assert.deepEqual([daysAfter('9999-12-20', 180), daysAfter('9999-12-31', 1)], ['9999-12-31', '9999-12-31']);
    assert.deepEqual([daysAfter('0001-01-10', -30), daysAfter('0001-01-01', -800)], ['0001-01-01', '0001-01-01']);
  });

  it('have one before, but the first', () => {
    assert.deepEqual(['2026-03-01', '0001-01-01'].map(dayBefore), ['2026-02-28', '0001-01-01']);
  });
});
