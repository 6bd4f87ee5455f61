import assert from 'node:assert/strict';
import { decimal } from '../../../../domain/money.ts';
import {
  type ContributoryPay,
  computeBases,
  computeContributions,
  type Employment,
  isDaily,
} from '../../../../domain/staff/payroll/contributions.ts';
import { ratesOn } from '../../../../domain/staff/payroll/rates.ts';

const ENGINEER: Employment = { contract: 'indefinite', group: 1, accidentRate: '1.50', workingShare: '1' };
const NOTHING: ContributoryPay = { days: 30, ordinary: '0', overtime: '0', forceMajeure: '0', yearlyExtras: '0' };

function rates(day = '2026-01-31') {
  const found = ratesOn(day);
  assert.ok(found);
  return found;
}

describe('contributions', () => {
  it('keep bases between the minimum and the maximum', () => {
    assert.deepEqual(computeBases(NOTHING, ENGINEER, rates()), { common: '1989.3', professional: '1424.4' });
    const rich = { ...NOTHING, ordinary: '9000' } as const;
    assert.deepEqual(computeBases(rich, ENGINEER, rates()), { common: '5101.2', professional: '5101.2' });
  });

  it('scale the limits with days and working hours', () => {
    const half = { ...ENGINEER, workingShare: '0.5' } as const;
    assert.equal(computeBases({ ...NOTHING, days: 15 }, half, rates()).common, '497.33');
    assert.equal(computeBases({ ...NOTHING, days: 15, ordinary: '9000' }, ENGINEER, rates()).common, '2550.6');
    assert.deepEqual(computeBases({ ...NOTHING, days: 0 }, ENGINEER, rates()), { common: '0', professional: '0' });
  });

  it('count groups 8 to 11 by days', () => {
    assert.deepEqual([7, 8].map(isDaily), [false, true]);
    const laborer = { ...ENGINEER, group: 10 };
    assert.equal(computeBases({ ...NOTHING, days: 31 }, laborer, rates()).common, '1471.88');
    const month = { ...NOTHING, days: 31, ordinary: '1500', yearlyExtras: '3650' } as const;
    assert.equal(computeBases(month, laborer, rates()).common, '1810');
  });

  it('charge pay above the maximum base step by step', () => {
    const pay = { ...NOTHING, ordinary: '8000' } as const;
    // 510.12 at 0.96 and 0.19 %, 2,040.48 at 1.04 and 0.21 %, 348.20 at 1.22 and 0.24 %.
    assert.equal(computeContributions('employer', pay, ENGINEER, rates()).solidarity, '30.37');
    assert.equal(computeContributions('employee', pay, ENGINEER, rates()).solidarity, '6.09');
    assert.ok(decimal(computeContributions('employer', NOTHING, ENGINEER, rates()).solidarity).eq(0));
    // Half of it for half of the month: 255.06, 1,020.24 and 174.10.
    const half = { ...pay, days: 15, ordinary: '4000' } as const;
    assert.equal(computeContributions('employer', half, ENGINEER, rates()).solidarity, '15.18');
    assert.equal(computeContributions('employee', half, ENGINEER, rates()).solidarity, '3.04');
    // Pay at the maximum base owes nothing, a euro more one per cent of it.
    const at = (ordinary: '5101.2' | '5102.2') =>
      computeContributions('employer', { ...NOTHING, ordinary }, ENGINEER, rates()).solidarity;
    assert.deepEqual([Number(at('5101.2')), at('5102.2')], [0, '0.01']);
  });

  it('reject an unknown group', () => {
    assert.throws(() => computeBases(NOTHING, { ...ENGINEER, group: 0 }, rates()), RangeError);
  });
});
