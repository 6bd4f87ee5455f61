import assert from 'node:assert/strict';
import { type Agreed, expectedPay } from '../../../../domain/staff/payroll/expected-pay.ts';
import type { ContractTerms } from '../../../../domain/staff/payroll/month.ts';

const CONTRACT: ContractTerms = {
  from: '2025-01-01',
  to: null,
  contractType: 'indefinite',
  position: null,
  departmentId: null,
  workingHours: '40',
  grossAnnualSalary: '23800',
  payments: 14,
  contributionGroup: 5,
  accidentRate: '1.5',
  irpfRate: '12',
};

describe('expected pay', () => {
  const of = (months: readonly number[], agreed: Partial<Agreed> = {}, year = 2026) => {
    const whole = { endDate: null, contracts: [CONTRACT], leave: [], items: [], ...agreed };
    const { gross, contributions } = expectedPay(whole, year, months);
    return [gross, contributions];
  };

  it("equals that of the months' payrolls", () => {
    // Contributions: 6.5 % of 1,983.33, as on the payslip of decision 0202.
    assert.deepEqual(of([2]), ['1700', '128.91']);
    assert.deepEqual(of([6]), ['3400', '128.91']);
    assert.deepEqual(of([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), ['23800', '1546.92']);
    assert.deepEqual(of([]), ['0', '0']);
  });

  it('follows contracts, unpaid leave and pay items of the month', () => {
    assert.equal(of([3], { contracts: [{ ...CONTRACT, from: '2026-03-17' }] })[0], '850'); // 15 of 30 days
    assert.equal(of([4], { leave: [{ from: '2026-04-01', to: '2026-04-15', days: '15' }] })[0], '850');
    assert.equal(of([4], { leave: [{ from: '2026-04-01', to: '2026-04-01', days: '0.5' }] })[0], '1671.67');
    const item = { description: 'Plus', kind: 'earning', amount: '100', from: '2026-02-15', to: '2026-03-31' } as const;
    const items = [item, { ...item, kind: 'deduction' as const }];
    assert.equal(of([1, 2, 3, 4], { items })[0], '7000');
  });

  it('is zero without contract, salary or contribution group, and rejects years without rates', () => {
    assert.deepEqual(of([1], { contracts: [] }), ['0', '0']);
    assert.deepEqual(of([1], { contracts: [{ ...CONTRACT, grossAnnualSalary: null }] }), ['0', '0']);
    assert.deepEqual(of([1], { contracts: [{ ...CONTRACT, contributionGroup: null }] }), ['0', '0']);
    assert.throws(() => of([1], {}, 2024), RangeError);
  });
});
