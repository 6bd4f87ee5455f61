import assert from 'node:assert/strict';
import { decimal } from '../../../../domain/money.ts';
import {
  extraPay,
  paidDays,
  type Salary,
  salaryFor,
  yearlyExtras,
} from '../../../../domain/staff/payroll/monthly-pay.ts';

const SALARY: Salary = { grossAnnualSalary: '23800', payments: 14, group: 5 };

describe('monthly pay', () => {
  it('counts a whole month as 30 days, and a part by its days', () => {
    const paid = (month: number, group: number, ...held: number[]) =>
      held.map((days) => Number(paidDays(2026, month, { held: days, unpaid: decimal(0) }, group)));
    assert.deepEqual(paid(1, 5, 31, 30, 15), [30, 30, 15]);
    assert.deepEqual(paid(2, 5, 28, 27), [30, 27]);
    assert.deepEqual(paid(1, 9, 31, 15), [31, 15]);
  });

  it('deducts a day for each day of unpaid leave, whatever the length of the month', () => {
    const paid = (month: number, held: number, group: number, ...unpaid: number[]) =>
      unpaid.map((days) => Number(paidDays(2026, month, { held, unpaid: decimal(days) }, group)));
    assert.deepEqual(paid(1, 31, 5, 1, 2, 29, 30, 31), [29, 28, 1, 1, 0]);
    assert.deepEqual(paid(2, 28, 5, 1, 14, 28), [29, 16, 0]);
    assert.deepEqual(paid(1, 30, 5, 1), [29]);
    assert.deepEqual(paid(1, 31, 9, 1, 31), [30, 0]);
    assert.deepEqual(paid(1, 31, 5, 0.5, 1.5, 30, 30.5), [29.5, 28.5, 1, 0.5]);
    assert.deepEqual(paid(1, 31, 9, 0.5), [30.5]);
  });

  it('pays the salary by days', () => {
    assert.equal(salaryFor(SALARY, 2026, 1, 30), '1700');
    assert.equal(salaryFor(SALARY, 2026, 1, 10), '566.67');
    assert.equal(salaryFor({ ...SALARY, payments: 12 }, 2026, 1, 30), '1983.33');
    assert.equal(salaryFor({ ...SALARY, group: 9 }, 2026, 1, 31), '1700');
  });

  it('pays extra pays in June and December by the days of the half-year', () => {
    const paid = (month: number, worked: number) => extraPay(SALARY, 2026, month, worked);
    assert.deepEqual([paid(6, 181), paid(12, 184), paid(12, 92), paid(5, 151)], ['1700', '1700', '850', '0']);
    assert.equal(extraPay({ ...SALARY, payments: 12 }, 2026, 6, 181), '0');
    assert.deepEqual([yearlyExtras(SALARY), yearlyExtras({ ...SALARY, payments: 12 })], ['3400', '0']);
  });
});
