/** Payrolls over HTTP, with their task run as a worker would. */
import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPayrollActivities } from '../../activities/staff/payroll.ts';
import type { Database } from '../../db/database.ts';
import { Payroll } from '../../db/models/records/people.ts';
import { employees } from '../../services/records/master-data/employees.ts';
import { createOne } from '../../services/records/resources/rows.ts';
import { cancelPayroll } from '../../services/staff/payroll/change.ts';
import { startPayrolls } from '../../services/staff/payroll/generate.ts';
import type { TaskInput } from '../../workflows/platform/tasks/contract.ts';
import type { TestApp } from './app.ts';
import type { Company } from './company.ts';

/** The employee of the worked payslip: 1,700 a month, two extra pays of as much, in an office. */
export const ANA = {
  name: 'Ana Ruiz',
  hireDate: '2024-03-01',
  grossAnnualSalary: 23800,
  contributionGroup: 5,
  irpfRate: 12,
};

export interface Generated {
  readonly made: number;
  readonly kept: number;
  readonly posted: number;
  readonly left_out: number;
  readonly skipped: readonly { readonly code: string; readonly reason: string }[];
}

/** A payroll as the API shows it. */
export interface ShownPayroll {
  readonly id: string;
  readonly employeeId: string;
  readonly employee: { readonly name: string };
  readonly status: string;
  readonly days: number;
  readonly lines: readonly { readonly kind: string; readonly amount: number }[];
  readonly gross: number;
  readonly bases: { readonly common: number; readonly professional: number };
  readonly employeeContributions: { readonly total: number };
  readonly employerContributions: { readonly total: number };
  readonly irpf: number;
  readonly net: number;
}

/** Hires somebody. */
export async function hire(
  app: TestApp,
  members: object = {},
): Promise<{ readonly id: string; readonly code: string }> {
  const { status, body } = await app.client.post('/api/employees', { ...ANA, ...members });
  assert.equal(status, 201, JSON.stringify(body));
  return body.data;
}

/** Asks for the payrolls of a month, and makes them. @returns what the task says in the end */
export async function generate(app: TestApp, body: object): Promise<Generated> {
  const { status, body: task } = await app.client.post('/api/payrolls/generate', body);
  assert.equal(status, 202, JSON.stringify(task));
  await work(app.database, () => app.clock.now, { tenantId: app.tenantId, taskId: task.task_id });
  const { body: result } = await app.client.get(`/api/tasks/${task.task_id}/result`);
  return result.data;
}

/** Does the work of a task. */
async function work(database: Database, now: () => Date, input: TaskInput): Promise<void> {
  const { generatePayrolls } = createPayrollActivities({ database, links: { keys: [], keepDays: 7 }, now });
  await new MockActivityEnvironment().run(generatePayrolls, input);
}

/** The payrolls of a month as the list has them, by code of the employee. */
export async function listPayrolls(app: TestApp, query: string): Promise<ShownPayroll[]> {
  const { status, body } = await app.client.get(`/api/payrolls?${query}&sort=employeeCode`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

/** A company with payrolls in all states: of two employees one of each is posted, one is cancelled, and the next month is a draft. */
export async function payStaff({ database, ctx, run }: Company): Promise<void> {
  for (const name of ['Ana', 'Berta']) {
    await run((trx) => createOne(employees, { trx, ctx, role: 'owner' }, { ...ANA, name }));
  }
  for (const month of [1, 2]) {
    const { id } = await run((trx) => startPayrolls(trx, ctx, { year: 2026, month, post: month === 1 }));
    await work(database, () => ctx.now, { tenantId: ctx.tenantId, taskId: id });
  }
  await run(async (trx) => {
    const { id } = await Payroll.query(trx).findOne({ status: 'O' }).throwIfNotFound();
    await cancelPayroll(trx, ctx, id, undefined, null);
  });
}

/** Hires many at once, past the API. */
export async function employ({ run, ctx }: Company, count: number): Promise<void> {
  const { name, hireDate, grossAnnualSalary, contributionGroup, irpfRate } = ANA;
  await run((trx) =>
    trx.raw(
      `with hired as (
         insert into employees (id, tenant_id, code, name, hire_date, active, terms_changes, version, created_at, updated_at)
         select gen_random_uuid(), :tenant, 'N' || n, :name || n, :from, true, 0, 1, now(), now() from generate_series(1, :count) n
         returning id)
       insert into employee_contracts (id, tenant_id, employee_id, "from", contract_type, working_hours, gross_annual_salary, payments,
         contribution_group, accident_rate, irpf_rate, vacation_days, version, created_at, updated_at)
       select gen_random_uuid(), :tenant, id, :from, 'indefinite', 40, :salary, 14, :group, 1.5, :rate, 30, 1, now(), now() from hired`,
      {
        tenant: ctx.tenantId,
        name,
        count,
        from: hireDate,
        salary: grossAnnualSalary,
        group: contributionGroup,
        rate: irpfRate,
      },
    ),
  );
}
