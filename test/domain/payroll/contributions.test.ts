import assert from 'node:assert/strict';
import { decimal } from '../../../domain/money.ts';
import {
  basesOf,
  type ContributoryPay,
  contributionsOf,
  type Employment,
  isDaily,
} from '../../../domain/payroll/contributions.ts';
import { ratesOn } from '../../../domain/payroll/rates.ts';

const ENGINEER: Employment = { contract: 'indefinite', group: 1, accidentRate: '1.50', workingShare: '1' };
const NOTHING: ContributoryPay = { days: 30, ordinary: '0', overtime: '0', forceMajeure: '0', yearlyExtras: '0' };

function rates(day = '2026-01-31') {
  const found = ratesOn(day);
  assert.ok(found);
  return found;
}

describe('contributions', () => {
  it('keep bases between the least and the greatest', () => {
    assert.deepEqual(basesOf(NOTHING, ENGINEER, rates()), { common: '1989.3', professional: '1424.4' });
    const rich = { ...NOTHING, ordinary: '9000' } as const;
    assert.deepEqual(basesOf(rich, ENGINEER, rates()), { common: '5101.2', professional: '5101.2' });
  });

  it('lower the limits with the days and the part of a week', () => {
    const half = { ...ENGINEER, workingShare: '0.5' } as const;
    assert.equal(basesOf({ ...NOTHING, days: 15 }, half, rates()).common, '497.33');
    assert.equal(basesOf({ ...NOTHING, days: 15, ordinary: '9000' }, ENGINEER, rates()).common, '2550.6');
    assert.deepEqual(basesOf({ ...NOTHING, days: 0 }, ENGINEER, rates()), { common: '0', professional: '0' });
  });

  it('count groups 8 to 11 by days', () => {
    assert.deepEqual([7, 8].map(isDaily), [false, true]);
    const laborer = { ...ENGINEER, group: 10 };
    assert.equal(basesOf({ ...NOTHING, days: 31 }, laborer, rates()).common, '1471.88');
    const month = { ...NOTHING, days: 31, ordinary: '1500', yearlyExtras: '3650' } as const;
    assert.equal(basesOf(month, laborer, rates()).common, '1810');
  });

  it('charge pay above the greatest base step by step', () => {
    const pay = { ...NOTHING, ordinary: '8000' } as const;
    // 510.12 at 0.96 and 0.19 %, 2,040.48 at 1.04 and 0.21 %, 348.20 at 1.22 and 0.24 %.
    assert.equal(contributionsOf('employer', pay, ENGINEER, rates()).solidarity, '30.37');
    assert.equal(contributionsOf('employee', pay, ENGINEER, rates()).solidarity, '6.09');
    assert.ok(decimal(contributionsOf('employer', NOTHING, ENGINEER, rates()).solidarity).eq(0));
  });

  it('refuse a group that does not exist', () => {
    assert.throws(() => basesOf(NOTHING, { ...ENGINEER, group: 0 }, rates()), RangeError);
  });
});
