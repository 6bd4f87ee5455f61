import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { dueBy } from '../../../../domain/contracts/recurring/catch-up.ts';
import { INTERVAL_UNITS, type Interval } from '../../../../domain/contracts/recurring/interval.ts';
import {
  firstPeriod,
  type Period,
  type PeriodPlan,
  periodAfter,
  shareOfPeriod,
} from '../../../../domain/contracts/recurring/periods.ts';
import { daysAfter, daysBetween } from '../../../../domain/days.ts';
import { sum } from '../../../../domain/money.ts';
import { type Cron, parseCron } from '../../../../domain/platform/schedules/cron.ts';

function plan(interval: Interval, members: Partial<PeriodPlan> = {}): PeriodPlan {
  return { interval, startsOn: '2026-01-10', endsOn: null, billedAt: 'start', prorate: false, ...members };
}

function periods(of: PeriodPlan, count: number): string[] {
  const found: string[] = [];
  for (let one = firstPeriod(of); one !== null && found.length < count; one = periodAfter(of, one)) {
    found.push(`${one.from} ${one.to} ${one.dueOn}`);
  }
  return found;
}

const monthly = (day: number, count = 1) => ({ unit: 'month', count, day }) as const;

describe('the periods of a recurring document', () => {
  it('begin on the first fitting day and follow one another', () => {
    assert.deepEqual(periods(plan(monthly(1)), 2), [
      '2026-02-01 2026-02-28 2026-02-01',
      '2026-03-01 2026-03-31 2026-03-01',
    ]);
    assert.deepEqual(periods(plan({ unit: 'week', count: 2, day: 1 }), 2), [
      '2026-01-10 2026-01-23 2026-01-10',
      '2026-01-24 2026-02-06 2026-01-24',
    ]);
    assert.deepEqual(periods(plan({ unit: 'year', count: 1, day: 29 }, { startsOn: '2028-02-29' }), 2), [
      '2028-02-29 2029-02-27 2028-02-29',
      '2029-02-28 2030-02-27 2029-02-28',
    ]);
  });

  it('of the last day of a month come back to it after a short month', () => {
    assert.deepEqual(
      periods(plan(monthly(31)), 4).map((text) => text.slice(0, 10)),
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'],
    );
  });

  it('by a cron expression last from day to day', () => {
    const cron = parseCron('0 0 * * 1') as Cron;
    assert.deepEqual(periods(plan({ cron }), 2), [
      '2026-01-12 2026-01-18 2026-01-12',
      '2026-01-19 2026-01-25 2026-01-19',
    ]);
  });

  it('charged afterwards are due on their last day', () => {
    assert.deepEqual(periods(plan(monthly(1), { billedAt: 'end' }), 1), ['2026-02-01 2026-02-28 2026-02-28']);
  });

  it('are cut by the first and the last day, if they are charged by days', () => {
    const cut = plan(monthly(1), { prorate: true, endsOn: '2026-03-10' });
    assert.deepEqual(periods(cut, 9), [
      '2026-01-10 2026-01-31 2026-01-10',
      '2026-02-01 2026-02-28 2026-02-01',
      '2026-03-01 2026-03-10 2026-03-01',
    ]);
    const shares = ['2026-01-10 2026-01-31', '2026-02-01 2026-02-28', '2026-03-01 2026-03-10'].map((text) => {
      const [from = '', to = ''] = text.split(' ');
      return shareOfPeriod(cut, { from, to }).toFixed(6);
    });
    assert.deepEqual(shares, ['0.709677', '1.000000', '0.322581']);
  });

  it('cover each day once, whatever the interval', () => {
    const day = fc.integer({ min: 0, max: 3000 }).map((days) => daysAfter('2024-01-01', days));
    const interval = fc.record({
      unit: fc.constantFrom(...INTERVAL_UNITS),
      count: fc.integer({ min: 1, max: 14 }),
      day: fc.integer({ min: 1, max: 31 }),
    });
    fc.assert(
      fc.property(interval, day, fc.boolean(), (given, startsOn, prorate) => {
        const of = plan(given, { startsOn, prorate });
        let period = firstPeriod(of) as Period;
        assert.ok(prorate ? period.from === startsOn : period.from >= startsOn);
        for (let nth = 0; nth < 20; nth++) {
          assert.ok(period.from <= period.to);
          const next = periodAfter(of, period) as Period;
          assert.equal(next.from, daysAfter(period.to, 1));
          period = next;
        }
      }),
    );
  });

  it('are charged by days so that their parts add up to a whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }), fc.nat(400), (count, day, cut) => {
        const of = plan(monthly(day, count), { startsOn: '2026-01-01' });
        const period = periodAfter(of, firstPeriod(of) as Period) as Period;
        const until = daysAfter(period.from, cut % (daysBetween(period.from, period.to) + 1));
        const parts = [{ from: period.from, to: until }];
        if (until < period.to) parts.push({ from: daysAfter(until, 1), to: period.to });
        assert.equal(sum(parts.map((part) => shareOfPeriod(of, part))).toFixed(12), '1.000000000000');
      }),
    );
  });
});

describe('what was missed', () => {
  const daily = plan({ unit: 'day', count: 1, day: 1 }, { startsOn: '2026-06-01' });
  const told = (missed: 'all' | 'last' | 'none', today: string, of = daily) => {
    const { skipped, made, next } = dueBy(of, firstPeriod(of) as Period, today, missed, null);
    return [skipped.length, made?.dueOn ?? null, next?.dueOn ?? null];
  };

  it('is made one by one, or only the last, or not at all', () => {
    assert.deepEqual(told('all', '2026-06-04'), [0, '2026-06-01', '2026-06-02']);
    assert.deepEqual(told('last', '2026-06-04'), [3, '2026-06-04', '2026-06-05']);
    assert.deepEqual(told('none', '2026-06-04'), [3, '2026-06-04', '2026-06-05']);
    const rare = plan({ unit: 'day', count: 5, day: 1 }, { startsOn: '2026-06-01' });
    assert.deepEqual(told('last', '2026-06-08', rare), [1, '2026-06-06', '2026-06-11']);
    assert.deepEqual(told('none', '2026-06-08', rare), [2, null, '2026-06-11']);
  });

  it('is nothing before the first day, nor after the last', () => {
    assert.deepEqual(told('all', '2026-05-31'), [0, null, '2026-06-01']);
    const ended = plan({ unit: 'day', count: 1, day: 1 }, { startsOn: '2026-06-01', endsOn: '2026-06-02' });
    assert.deepEqual(told('none', '2026-06-08', ended), [2, null, null]);
    assert.deepEqual(told('last', '2026-06-08', ended), [1, '2026-06-02', null]);
    assert.equal(dueBy(daily, firstPeriod(daily) as Period, '2026-06-04', 'all', 1).next, null);
  });
});
