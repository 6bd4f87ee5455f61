/** Payrolls over HTTP, with their task run as a worker would. */
import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPayrollActivities } from '../../activities/payroll.ts';
import type { TestApp } from './app.ts';

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
  await runGeneration(app, task.task_id);
  const { body: result } = await app.client.get(`/api/tasks/${task.task_id}/result`);
  return result.data;
}

/** Does the work of a task. */
export async function runGeneration(app: TestApp, taskId: string): Promise<void> {
  const { generatePayrolls } = createPayrollActivities({
    database: app.database,
    links: { keys: [], keepDays: 7 },
    now: () => app.clock.now,
  });
  await new MockActivityEnvironment().run(generatePayrolls, { tenantId: app.tenantId, taskId });
}

/** The payrolls of a month as the list has them, by code of the employee. */
// biome-ignore lint/suspicious/noExplicitAny: answers of the API
export async function payrollsOf(app: TestApp, query: string): Promise<any[]> {
  const { status, body } = await app.client.get(`/api/payrolls?${query}&sort=employeeCode`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}
