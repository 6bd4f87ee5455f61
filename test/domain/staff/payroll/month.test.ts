import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decimal, round } from '../../../../domain/money.ts';
import {
  type ContractTerms,
  type MonthInput,
  type MonthPay,
  monthPay,
  payslipFigures,
} from '../../../../domain/staff/payroll/month.ts';
import { ratesOn } from '../../../../domain/staff/payroll/rates.ts';
import type { PayrollTerms } from '../../../../domain/staff/payroll/types.ts';
import { absence } from '../../../helpers/absences.ts';

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
    : [Number(pay.days), ...pay.lines.map(({ kind, amount }) => `${kind} ${Number(amount)}`)];
}

describe('pay of a month', () => {
  it('has 30 days in groups 1 to 7, and calendar days in the others', () => {
    assert.deepEqual(paid({}), [30, 'earning 1700']);
    assert.deepEqual(paid({ month: 2 }), [30, 'earning 1700']);
    assert.deepEqual(paid({ contracts: [{ ...CONTRACT, contributionGroup: 8 }] }), [31, 'earning 1700']);
  });

  it('is proportional to days when someone joins, leaves, or is on unpaid leave', () => {
    assert.deepEqual(paid({ contracts: [{ ...CONTRACT, from: '2026-01-17' }] }), [15, 'earning 850']);
    assert.deepEqual(paid({ leave: [absence('2025-12-20', '2026-01-15')] }), [15, 'earning 850']);
    assert.deepEqual(paid({ leave: [absence('2026-01-31', '2026-01-31')] }), [29, 'earning 1643.33']);
    assert.deepEqual(paid({ month: 2, leave: [absence('2026-02-02', '2026-02-02')] }), [29, 'earning 1643.33']);
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

  it('takes half a day of unpaid leave as half, and spreads days over their dates', () => {
    const contracts: ContractTerms[] = [{ ...CONTRACT, grossAnnualSalary: '36000', payments: 12 }];
    const of = (month: number, ...leave: MonthInput['leave']) => paid({ month, contracts, leave });
    // 3,000 a month are 100 a day.
    assert.deepEqual(of(3, absence('2026-03-10', '2026-03-10', '0.5')), [29.5, 'earning 2950']);
    assert.deepEqual(of(3, absence('2026-03-10', '2026-03-11', '1.5')), [28.5, 'earning 2850']);
    assert.deepEqual(of(3, absence('2026-03-10', '2026-03-11')), [28, 'earning 2800']);
    // Three of its four dates are in March: 1.5 of 2 days there, half a day in April.
    const turn = absence('2026-03-29', '2026-04-01', '2');
    assert.deepEqual(
      [of(3, turn), of(4, turn)],
      [
        [28.5, 'earning 2850'],
        [29.5, 'earning 2950'],
      ],
    );
    const year = absence('2025-12-31', '2026-01-01', '1');
    assert.deepEqual(of(1, year), [29.5, 'earning 2950']);
    const daily: ContractTerms[] = [{ ...CONTRACT, contributionGroup: 8, grossAnnualSalary: '37200', payments: 12 }];
    const half = absence('2026-03-10', '2026-03-10', '0.5');
    assert.deepEqual(paid({ month: 3, contracts: daily, leave: [half] }), [30.5, 'earning 3050']);
  });

  it('takes half a day from the contract in force, and from the extra pay', () => {
    const contracts: ContractTerms[] = [
      { ...CONTRACT, payments: 12, grossAnnualSalary: '36000', to: '2026-01-15' },
      { ...CONTRACT, payments: 12, grossAnnualSalary: '72000', from: '2026-01-16' },
    ];
    const before = absence('2026-01-15', '2026-01-15', '0.5');
    const after = absence('2026-01-16', '2026-01-16', '0.5');
    // 14.5 days of 100 and 15 of 200; 15 of 100 and 14.5 of 200.
    assert.deepEqual(paid({ contracts, leave: [before] }), [29.5, 'earning 4450']);
    assert.deepEqual(paid({ contracts, leave: [after] }), [29.5, 'earning 4400']);
    // Across both: half a day of each.
    assert.deepEqual(paid({ contracts, leave: [absence('2026-01-15', '2026-01-16', '1')] }), [29, 'earning 4350']);
    // 180.5 of 181 days.
    const leave = [absence('2026-02-10', '2026-02-10', '0.5')];
    assert.deepEqual(paid({ month: 6, leave }), [30, 'earning 1700', 'extra_pay 1695.3']);
  });

  it('limits the bases of contributions in proportion to the paid days', () => {
    const pay = monthPay(
      {
        ...MONTH,
        contracts: [{ ...CONTRACT, grossAnnualSalary: '140000' }],
        leave: [absence('2026-01-10', '2026-01-10', '0.5')],
      },
      NAMES,
    );
    const rates = ratesOn('2026-01-01');
    assert.ok(typeof pay !== 'string' && rates !== null);
    const { bases } = payslipFigures(pay as MonthPay & { terms: PayrollTerms }, rates);
    assert.equal(bases.common, round(decimal(rates.monthlyMaximum).times('29.5').div(30), 2));
  });

  it('distributes the days among consecutive contracts', () => {
    const contracts: ContractTerms[] = [
      { ...CONTRACT, to: '2026-01-15' },
      { ...CONTRACT, from: '2026-01-16', grossAnnualSalary: '28000' },
    ];
    assert.deepEqual(paid({ contracts }), [30, 'earning 1850']);
    const leave = [absence('2026-01-05', '2026-01-05')];
    assert.deepEqual(paid({ contracts, leave }), [29, 'earning 1793.33']);
  });

  it('includes the extra pay in June and December, by days under contract in the half-year', () => {
    assert.deepEqual(paid({ month: 6 }), [30, 'earning 1700', 'extra_pay 1700']);
    assert.deepEqual(paid({ month: 12 }), [30, 'earning 1700', 'extra_pay 1700']);
    assert.deepEqual(paid({ month: 6, contracts: [{ ...CONTRACT, payments: 12 }] }), [30, 'earning 1983.33']);
    const joined = [{ ...CONTRACT, from: '2026-04-02' }];
    assert.deepEqual(paid({ month: 6, contracts: joined }), [30, 'earning 1700', 'extra_pay 845.3']);
    const leave = [absence('2026-02-01', '2026-02-28')];
    assert.deepEqual(paid({ month: 6, leave }), [30, 'earning 1700', 'extra_pay 1437.02']);
  });

  it('gives a reason if there is none', () => {
    const with_ = (more: Partial<ContractTerms>) => paid({ contracts: [{ ...CONTRACT, ...more }] });
    assert.equal(with_({ from: '2026-02-01' }), 'not_employed');
    assert.equal(with_({ contractType: 'training' }), 'training');
    assert.equal(with_({ grossAnnualSalary: null }), 'no_salary');
    assert.equal(with_({ contributionGroup: null }), 'no_group');
    assert.equal(paid({ leave: [absence('2026-01-01', '2026-01-31')] }), 'no_days');
  });
});
