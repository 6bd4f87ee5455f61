import assert from 'node:assert/strict';
import { footed, percentage } from '../../../../domain/reports/engine/figures.ts';
import { profits } from '../../../../domain/reports/sales/profit.ts';

describe('figures of reports', () => {
  it('are percentages of 0 to 100, of nothing 0', () => {
    assert.equal(percentage('1', '3'), '33.33');
    assert.equal(percentage('-5', '40'), '-12.5');
    assert.equal(percentage('7', '0'), '0');
  });

  it('are rounded so that they add up', () => {
    // 1.004 + 1.004 + 1.004 = 3.012 → 3.01: cumulated 1.004, 2.008, 3.012 → 1.00, 2.01, 3.01.
    assert.deepEqual(footed(['1.004', '1.004', '1.004'], 2), ['1', '1.01', '1']);
    assert.deepEqual(footed(['-0.005', '0.005'], 2), ['-0.01', '0.01']);
    assert.deepEqual(footed([], 2), []);
  });
});

describe('profit', () => {
  it('is revenue less cost, with shares of the revenue', () => {
    // 300 and 100 of 400: 75 % and 25 %; 300 − 180 = 120 is 40 % of 300.
    const { rows, total } = profits([
      { id: 'a', revenue: '300', cost: '180' },
      { id: 'b', revenue: '100', cost: '120.5' },
    ]);
    assert.deepEqual(rows, [
      { id: 'a', revenue: '300', cost: '180', expenses: '0', margin: '120', marginPercent: '40', share: '75' },
      { id: 'b', revenue: '100', cost: '120.5', expenses: '0', margin: '-20.5', marginPercent: '-20.5', share: '25' },
    ]);
    assert.deepEqual(total, { revenue: '400', cost: '300.5', expenses: '0', margin: '99.5', marginPercent: '24.88' });
  });

  it('of a project is less its expenses, too', () => {
    const { rows } = profits([{ id: 'a', revenue: '1000', cost: '0', expenses: '500' }]);
    assert.deepEqual([rows[0]?.margin, rows[0]?.marginPercent], ['500', '50']);
  });

  it('is zero where nothing was sold', () => {
    assert.deepEqual(profits([]), {
      rows: [],
      total: { revenue: '0', cost: '0', expenses: '0', margin: '0', marginPercent: '0' },
    });
  });
});
