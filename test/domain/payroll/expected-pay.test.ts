import assert from 'node:assert/strict';
import { type AgreedItem, type AgreedPay, expectedPay } from '../../../domain/payroll/expected-pay.ts';

const CONTRACT: AgreedPay = {
  from: '2026-01-01',
  to: null,
  contractType: 'indefinite',
  workingHours: '40',
  grossAnnualSalary: '23800',
  payments: 14,
  contributionGroup: 5,
  accidentRate: '1.5',
};

describe('expected pay', () => {
  const of = (month: number, contracts: readonly AgreedPay[] = [CONTRACT], items: readonly AgreedItem[] = []) => {
    const { gross, contributions } = expectedPay(contracts, items, 2026, month);
    return [gross, contributions];
  };

  it('is the salary of the month, with the extra pays of June and December', () => {
    // Contributions: 6.5 % of 1,983.33, as on the payslip of decision 0202.
    assert.deepEqual(of(2), ['1700', '128.91']);
    assert.deepEqual(of(6), ['3400', '128.91']);
    assert.deepEqual(of(12), ['3400', '128.91']);
    assert.deepEqual(of(6, [{ ...CONTRACT, payments: 12, grossAnnualSalary: '24000' }]), ['2000', '130']);
  });

  it('follows the days under contract', () => {
    const from = { ...CONTRACT, from: '2026-03-17' };
    assert.deepEqual(of(2, [from]), ['0', '0']);
    assert.equal(of(3, [from])[0], '850'); // 15 of 30 days
    assert.equal(of(6, [from])[0], '2695.58'); // 1,700 and 106 of 181 days of the extra pay: 995.58
    const raised = { ...CONTRACT, from: '2026-03-17', grossAnnualSalary: '28000' } as const;
    assert.equal(of(3, [{ ...CONTRACT, to: '2026-03-16' }, raised])[0], '1906.67'); // 16 days of 1,700, 15 of 2,000
  });

  it('adds pay items of the month, but nothing that is taken from the pay', () => {
    const item = (members: Partial<AgreedItem>): AgreedItem => {
      return { kind: 'earning', amount: '100', from: '2026-02-15', to: null, ...members };
    };
    const items = [
      item({}),
      item({ kind: 'in_kind', amount: '50' }),
      item({ kind: 'deduction' }),
      item({ from: '2026-03-01' }),
    ];
    assert.equal(of(2, [CONTRACT], items)[0], '1850');
    assert.equal(of(1, [CONTRACT], items)[0], '1700');
  });

  it('is nothing without salary or contribution group, and has no rates of other years', () => {
    assert.deepEqual(of(1, [{ ...CONTRACT, grossAnnualSalary: null }]), ['0', '0']);
    assert.deepEqual(of(1, [{ ...CONTRACT, contributionGroup: null }]), ['0', '0']);
    assert.deepEqual(of(1, []), ['0', '0']);
    assert.throws(() => expectedPay([CONTRACT], [], 2024, 1), RangeError);
  });
});
