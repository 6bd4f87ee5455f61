import assert from 'node:assert/strict';
import fc from 'fast-check';
import { constantPercent, type Terms } from '../../../../domain/ledger/assets/depreciation.ts';
import { elapsedMonths, lastDay } from '../../../../domain/ledger/assets/life.ts';
import { type Pace, planDepreciation, type Standing } from '../../../../domain/ledger/assets/plan.ts';
import { DEPRECIATION_METHODS, PARTIAL_MONTHS } from '../../../../domain/ledger/assets/types.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';

const MONTHLY: Pace = { frequency: 'month', fiscalYearStart: '01-01', places: 2 };
const YEARLY: Pace = { ...MONTHLY, frequency: 'year' };
const terms = (more: Partial<Terms> = {}): Terms => ({
  ...{ method: 'linear', inUseOn: '2026-01-01', months: 60, partial: 'days', percent: null, residualShare: '0' },
  ...more,
});
const asset = (value: Decimal, more: Partial<Standing> = {}): Standing => ({
  ...{ ...terms(more), value, residual: '0', depreciatedTo: null },
  ...more,
});
const amounts = (one: Standing, pace = YEARLY) => planDepreciation(one, null, pace).map(({ amount }) => Number(amount));

describe('depreciation of an asset', () => {
  it('is the same each year when linear, by days in the first and last', () => {
    assert.deepEqual(amounts(asset('1000')), [200, 200, 200, 200, 200]);
    const cut = asset('1200', { months: 24, inUseOn: '2026-06-16' });
    assert.deepEqual(amounts(cut), [325, 600, 275]);
    const [first] = planDepreciation(cut, null, MONTHLY);
    assert.deepEqual(first, { from: '2026-06-16', to: '2026-06-30', date: '2026-06-30', amount: '25' });
    assert.deepEqual(amounts({ ...cut, partial: 'months' }), [350, 600, 250]);
  });

  it('declines by a constant percentage, weighted by the life; the last year takes the rest', () => {
    assert.deepEqual([48, 60, 95, 96, 240, 12].map(constantPercent), ['37.5', '40', '25.2632', '31.25', '12.5', '100']);
    assert.equal(constantPercent(360), '11');
    assert.deepEqual(amounts(asset('1000', { method: 'declining' })), [400, 240, 144, 86.4, 129.6]);
    const residual = asset('1000', { method: 'declining', residual: '100', residualShare: '0.1' });
    assert.deepEqual(amounts(residual), [400, 240, 144, 86.4, 29.6]);
  });

  it('falls by the digits of years', () => {
    assert.deepEqual(amounts(asset('1500', { method: 'digits' })), [500, 400, 300, 200, 100]);
    const half = asset('1500', { method: 'digits', inUseOn: '2026-07-01' });
    assert.deepEqual(amounts(half), [250, 450, 350, 250, 150, 50]);
    assert.deepEqual(amounts(asset('900', { method: 'digits', months: 18 })), [720, 180]);
  });

  it('spreads improvements and impairments over what is left', () => {
    const later = {
      depreciatedTo: '2027-12-31',
      value: '600',
      changes: [{ date: '2028-05-01', amount: '300' }],
    } as const;
    assert.deepEqual(amounts(asset('600', later)), [300, 300, 300]);
    assert.deepEqual(
      amounts(asset('600', { ...later, changes: [{ date: '2028-05-01', amount: '-300' }] })),
      [100, 100, 100],
    );
  });

  it('ends with the life, whatever the month lacks', () => {
    assert.equal(lastDay(terms({ inUseOn: '2026-01-31', months: 1 })), '2026-02-28');
    assert.equal(lastDay(terms({ inUseOn: '2024-02-29', months: 12 })), '2025-02-28');
    assert.equal(lastDay(terms({ inUseOn: '2026-03-15', months: 12 })), '2027-03-14');
    assert.equal(lastDay(terms({ inUseOn: '2026-03-15', months: 12, partial: 'months' })), '2027-02-28');
    assert.equal(elapsedMonths(terms({ inUseOn: '2026-03-15', partial: 'months' }), '2026-04-10').toFixed(), '1');
  });

  const day = fc
    .integer({ min: 0, max: 3000 })
    .map((days) => new Date(Date.UTC(2024, 0, 1 + days)).toISOString().slice(0, 10));
  const any = fc.record({
    cents: fc.integer({ min: 1, max: 100_000_000 }),
    kept: fc.integer({ min: 0, max: 99 }),
    months: fc.integer({ min: 1, max: 400 }),
    inUseOn: day,
    method: fc.constantFrom(...DEPRECIATION_METHODS.filter((method) => method !== 'none')),
    partial: fc.constantFrom(...PARTIAL_MONTHS),
    frequency: fc.constantFrom('month', 'year'),
  });

  it('adds up to the cost less the residual value, is never negative, and leaves no day out (property)', () => {
    const property = fc.property(any, ({ cents, kept, frequency, ...more }) => {
      const cost = decimal(cents).div(100);
      const residual = cost.times(kept).div(100).round(2);
      const one = asset(cost.toFixed(), {
        ...more,
        residual: residual.toFixed(),
        residualShare: residual.div(cost).toFixed(),
      });
      const parts = planDepreciation(one, null, { ...MONTHLY, frequency: frequency as 'month' | 'year' });
      assert.equal(sum(parts.map(({ amount }) => amount)).toFixed(), cost.minus(residual).toFixed());
      assert.ok(parts.every(({ amount }) => Number(amount) >= 0));
      assert.equal(parts.at(-1)?.to, lastDay(one));
    });
    fc.assert(property, { numRuns: 100, endOnFailure: true });
  });

  it('is the same by months and by years, but for cents (property)', () => {
    const property = fc.property(any, ({ cents, kept: _, frequency: __, ...more }) => {
      const one = asset(decimal(cents).div(100).plus(1000).toFixed(), more);
      const years = new Map<string, number>();
      for (const { date, amount } of planDepreciation(one, null, MONTHLY)) {
        years.set(date.slice(0, 4), (years.get(date.slice(0, 4)) ?? 0) + Number(amount));
      }
      // The last part takes the rest of all roundings.
      for (const { date, amount } of planDepreciation(one, null, YEARLY)) {
        assert.ok(Math.abs((years.get(date.slice(0, 4)) ?? 0) - Number(amount)) < 0.5);
      }
    });
    fc.assert(property, { numRuns: 40, endOnFailure: true });
  });
});
