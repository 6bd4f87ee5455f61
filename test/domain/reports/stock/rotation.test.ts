import assert from 'node:assert/strict';
import { abcClasses, computeRotation, type StockUse } from '../../../../domain/reports/stock/rotation.ts';

const use = (values: Partial<StockUse>): StockUse => ({
  before: '0',
  after: '0',
  sold: '0',
  cost: '0',
  quantityDays: '0',
  ...values,
});

describe('the rotation of stock', () => {
  it('is what was sold over the average stock of all days', () => {
    // 10 on hand for 20 days, then 4 for 10: 240 quantity days in 30 days, 8 on average. 6 sold: 0.75 turns; 8 last 30 × 8 / 6 = 40 days.
    const [figures] = computeRotation(
      [use({ before: '10', after: '4', sold: '6', cost: '12', quantityDays: '240' })],
      30,
      2,
    );
    assert.deepEqual(figures, { averageStock: '8', turnover: '0.75', daysOfStock: '40', class: 'A', dead: false });
  });

  it('tells what lay there all the time', () => {
    const dead = { before: '5', after: '5', quantityDays: '150' } as const;
    const [lying, fresh, gone, sold] = computeRotation(
      [use(dead), use({ ...dead, before: '0' }), use({ ...dead, after: '0' }), use({ ...dead, sold: '1', cost: '1' })],
      30,
      2,
    );
    assert.deepEqual([lying?.dead, fresh?.dead, gone?.dead, sold?.dead], [true, false, false, false]);
    assert.deepEqual([lying?.daysOfStock, lying?.turnover, lying?.class], [null, '0', 'C']);
  });

  it('divides nothing by nothing: without stock, or sold from below zero', () => {
    const [empty, owed] = computeRotation(
      [use({}), use({ after: '-3', sold: '3', cost: '3', quantityDays: '-9' })],
      3,
      2,
    );
    assert.deepEqual([empty?.turnover, empty?.daysOfStock], ['0', null]);
    assert.deepEqual([owed?.averageStock, owed?.turnover, owed?.dead], ['-3', '0', false]);
  });

  it('has classes by cumulated consumption', () => {
    // Shares of 100: 50 begins at 0 (A), 30 at 50 (A), 12 at 80 (B), 5 at 92 (B), 3 at 97 (C).
    assert.deepEqual(abcClasses(['5', '50', '3', '12', '30', '0', '-4']), ['B', 'A', 'C', 'B', 'A', 'C', 'C']);
    assert.deepEqual(abcClasses(['0', '0']), ['C', 'C']);
  });
});
