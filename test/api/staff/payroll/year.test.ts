/** A year of payrolls for 50 employees: payslips, lists and the ledger agree. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { generate, hire, listPayrolls, type ShownPayroll } from '../../../helpers/payrolls.ts';

const EMPLOYEES = 50;
const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);

/** In whole cents, in which sums are exact. */
function cents(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + Math.round(amount * 100), 0);
}

describe('a year of payrolls', function () {
  this.timeout(120_000);
  const app = useApp();
  /** Employees of all kinds: salaries below the minimum base and above the maximum, part-time, temporary, extra pays of both kinds. */
  const year = use(async () => {
    for (let index = 0; index < EMPLOYEES; index++) {
      const joins = index % 10 === 3 ? { hireDate: '2026-03-17' } : {};
      const leaves = index % 10 === 7 ? { endDate: '2026-09-09' } : {};
      const { id } = await hire(app, {
        name: `Employee ${index}`,
        grossAnnualSalary: 15_876.5 + index * 1_733.33,
        payments: index % 2 === 0 ? 14 : 12,
        contributionGroup: 1 + (index % 11),
        contractType: index % 5 === 0 ? 'temporary' : 'indefinite',
        workingHours: index % 4 === 0 ? 20 : 40,
        irpfRate: (index % 24) + 0.25,
        ...joins,
        ...leaves,
      });
      if (index % 6 === 1) {
        const item = { description: 'Coche', kind: 'in_kind', amount: 120.55, from: '2026-04-01' };
        assert.equal(
          (await app.client.post(`/api/employees/${id}/pay-items`, { ...item, ...ended(leaves) })).status,
          201,
        );
      }
      if (index % 6 === 2) {
        const leave = { employeeId: id, type: 'unpaid', from: '2026-05-11', to: '2026-06-03' };
        assert.equal((await app.client.post('/api/absences', leave)).status, 201);
      }
    }
    for (const month of MONTHS) await generate(app, { year: 2026, month, post: true });
    const pages = await Promise.all([1, 2].map((page) => listPayrolls(app, `year=2026&limit=500&page=${page}`)));
    return { payrolls: pages.flat() };
  });
  const ended = ({ endDate }: { readonly endDate?: string }) => (endDate === undefined ? {} : { to: endDate });
  const yearSum = (of: (payroll: ShownPayroll) => number) => cents(year.payrolls.map(of));

  it('has a payroll for each month with an employment', () => {
    // Five join in March, and five leave in September.
    assert.equal(year.payrolls.length, EMPLOYEES * 12 - 5 * 2 - 5 * 3);
    assert.ok(year.payrolls.every(({ status, net }) => status === 'O' && net > 0));
  });

  it("adds up to the ledger's amounts", async () => {
    const { body } = await app.client.get('/api/reports/trial-balance?from=2026-01-01&to=2026-12-31');
    const rows = body.data.rows as { code: string; debit: number; credit: number }[];
    const of = (code: string) => rows.find((row) => row.code === code);
    const inKind = yearSum(({ lines }) => kindTotal(lines, 'in_kind'));
    const employee = yearSum(({ employeeContributions }) => employeeContributions.total);
    const employer = yearSum(({ employerContributions }) => employerContributions.total);
    assert.ok(inKind > 0);
    assert.deepEqual(
      {
        wages: cents([of('640')?.debit ?? 0]),
        contributions: cents([of('642')?.debit ?? 0]),
        security: cents([of('476')?.credit ?? 0]),
        tax: cents([of('4751')?.credit ?? 0]),
        inKind: cents([of('649')?.credit ?? 0]),
        owed: cents([of('465')?.credit ?? 0]),
      },
      {
        wages: yearSum(({ gross }) => gross),
        contributions: employer,
        security: employee + employer,
        tax: yearSum(({ irpf }) => irpf),
        inKind,
        owed: yearSum(({ net }) => net),
      },
    );
  });

  it("pays the contract's salary in a whole year", () => {
    const whole = year.payrolls.filter(({ employee }) => employee.name === 'Employee 4');
    const gross = cents(whole.map(({ gross }) => gross));
    assert.equal(whole.length, 12);
    // Each of the 14 pays is rounded for itself.
    assert.ok(Math.abs(gross - Math.round((15_876.5 + 4 * 1_733.33) * 100)) <= 14, String(gross));
  });

  it('keeps bases between the minimum and the maximum', () => {
    for (const { bases, days } of year.payrolls) {
      // The greatest base a day of groups 8 to 11, for 31 days.
      assert.ok(bases.common <= 5271.24 && bases.professional <= 5271.24, JSON.stringify(bases));
      assert.ok(bases.common > 0 && days > 0);
    }
  });
});

function kindTotal(lines: readonly { readonly kind: string; readonly amount: number }[], kind: string): number {
  return lines.filter((line) => line.kind === kind).reduce((total, { amount }) => total + amount, 0);
}
