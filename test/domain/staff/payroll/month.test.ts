import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ContractTerms, type MonthInput, monthPay } from '../../../../domain/staff/payroll/month.ts';

const NAMES = { salary: 'Salary', extraPay: 'Extra pay' };
/** 1,700 a month, twice as much in June and December. */
const CONTRACT: ContractTerms = {
  from: '2024-01-01',
  to: null,
  contractType: 'indefinite',
  position: 'Clerk',
  departmentId: null,
  workingHours: '40',
  grossAnnualSalary: '23800',
  payments: 14,
  contributionGroup: 5,
  accidentRate: '1.5',
  irpfRate: '12',
};
const MONTH: MonthInput = { year: 2026, month: 1, endDate: null, contracts: [CONTRACT], leave: [], items: [] };

/** Days and amounts by kind, or why there is nothing to pay. */
function paid(more: Partial<MonthInput>): unknown {
  const pay = monthPay({ ...MONTH, ...more }, NAMES);
  return typeof pay === 'string'
    ? pay
    : [pay.days, ...pay.lines.map(({ kind, amount }) => `${kind} ${Number(amount)}`)];
}

describe('pay of a month', () => {
  it('has 30 days in groups 1 to 7, and calendar days in the others', () => {
    assert.deepEqual(paid({}), [30, 'earning 1700']);
    assert.deepEqual(paid({ month: 2 }), [30, 'earning 1700']);
    assert.deepEqual(paid({ contracts: [{ ...CONTRACT, contributionGroup: 8 }] }), [31, 'earning 1700']);
  });

  it('is proportional to days when someone joins, leaves, or is on unpaid leave', () => {
    assert.deepEqual(paid({ contracts: [{ ...CONTRACT, from: '2026-01-17' }] }), [15, 'earning 850']);
    assert.deepEqual(paid({ leave: [{ from: '2025-12-20', to: '2026-01-15' }] }), [15, 'earning 850']);
    assert.deepEqual(paid({ leave: [{ from: '2026-01-31', to: '2026-01-31' }] }), [29, 'earning 1643.33']);
    assert.deepEqual(paid({ month: 2, leave: [{ from: '2026-02-02', to: '2026-02-02' }] }), [29, 'earning 1643.33']);
    const leaves = { endDate: '2026-01-15', contracts: [{ ...CONTRACT, to: '2026-01-15' }] };
    // The extra pay that was earned in 15 of the 181 days of the half year.
    assert.deepEqual(paid(leaves), [15, 'earning 850', 'extra_pay 140.88']);
  });

  it('includes the extra pay for leaving on the first or last day of the month, but not a day beyond', () => {
    const leaving = (endDate: string) => paid({ endDate, contracts: [{ ...CONTRACT, to: endDate }] });
    assert.deepEqual(leaving('2026-01-01'), [1, 'earning 56.67', 'extra_pay 9.39']);
    assert.deepEqual(leaving('2026-01-31'), [30, 'earning 1700', 'extra_pay 291.16']);
    assert.deepEqual(leaving('2026-02-01'), [30, 'earning 1700']);
  });

  it('distributes the days among consecutive contracts', () => {
    const contracts: ContractTerms[] = [
      { ...CONTRACT, to: '2026-01-15' },
      { ...CONTRACT, from: '2026-01-16', grossAnnualSalary: '28000' },
    ];
    assert.deepEqual(paid({ contracts }), [30, 'earning 1850']);
    const leave = [{ from: '2026-01-05', to: '2026-01-05' }];
    assert.deepEqual(paid({ contracts, leave }), [29, 'earning 1793.33']);
  });

  it('includes the extra pay in June and December, by days under contract in the half-year', () => {
    assert.deepEqual(paid({ month: 6 }), [30, 'earning 1700', 'extra_pay 1700']);
    assert.deepEqual(paid({ month: 12 }), [30, 'earning 1700', 'extra_pay 1700']);
    assert.deepEqual(paid({ month: 6, contracts: [{ ...CONTRACT, payments: 12 }] }), [30, 'earning 1983.33']);
    const joined = [{ ...CONTRACT, from: '2026-04-02' }];
    assert.deepEqual(paid({ month: 6, contracts: joined }), [30, 'earning 1700', 'extra_pay 845.3']);
    const leave = [{ from: '2026-02-01', to: '2026-02-28' }];
    assert.deepEqual(paid({ month: 6, leave }), [30, 'earning 1700', 'extra_pay 1437.02']);
  });

  it('gives a reason if there is none', () => {
    const with_ = (more: Partial<ContractTerms>) => paid({ contracts: [{ ...CONTRACT, ...more }] });
    assert.equal(with_({ from: '2026-02-01' }), 'not_employed');
    assert.equal(with_({ contractType: 'training' }), 'training');
    assert.equal(with_({ grossAnnualSalary: null }), 'no_salary');
    assert.equal(with_({ contributionGroup: null }), 'no_group');
    assert.equal(paid({ leave: [{ from: '2026-01-01', to: '2026-01-31' }] }), 'no_days');
  });
});
