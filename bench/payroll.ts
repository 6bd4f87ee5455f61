/** Payrolls of a month for 1,000 employees, created and posted by one task: within a minute, and without more memory the third time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Check } from './report.ts';
import type { Service } from './service.ts';

const EMPLOYEES = 1000;
const LIMIT_S = 60;
/** Maximum growth of the worker's memory from the first to the third month. */
const GROWTH_MB = 40;

export async function payroll(service: Service): Promise<Check> {
  const { fill, tenantId } = service;
  await fill(
    `insert into employees (id, tenant_id, code, name, hire_date, active, terms_changes, version, created_at, updated_at)
     select gen_random_uuid(), $1, 'BENCH-' || n, 'Bench ' || n, '2020-01-01', true, 0, 1, now(), now()
     from generate_series(1, ${EMPLOYEES}) n`,
    [tenantId],
  );
  await fill(
    `insert into employee_contracts (id, tenant_id, employee_id, "from", contract_type, working_hours, gross_annual_salary, payments,
       contribution_group, accident_rate, irpf_rate, vacation_days, version, created_at, updated_at)
     select gen_random_uuid(), tenant_id, id, hire_date, 'indefinite', 40, 23800, 14, 5, 1.5, 12, 30, 1, now(), now() from employees
     where tenant_id = $1`,
    [tenantId],
  );
  await fill('analyze');
  const worker = () => (service.usage().get('worker')?.memory ?? Number.NaN) / 2 ** 20;
  const months = [];
  for (const month of [1, 2, 3]) {
    const seconds = await generated(service, month);
    await service.quiet();
    months.push({ seconds, megabytes: worker() });
  }
  const slowest = Math.max(...months.map(({ seconds }) => seconds));
  const growth = (months.at(-1)?.megabytes ?? Number.NaN) - (months[0]?.megabytes ?? Number.NaN);
  const words = months.map(({ seconds, megabytes }) => `${seconds.toFixed(1)} s (worker ${megabytes.toFixed(0)} MB)`);
  return {
    name: `make and post the payrolls of ${EMPLOYEES} employees, three months`,
    measured: words.join(', '),
    limit: `${LIMIT_S} s, ${GROWTH_MB} MB more in the end`,
    passed: slowest <= LIMIT_S && growth <= GROWTH_MB,
    figures: { seconds: slowest, growthMb: growth },
  };
}

/** Generates the payrolls of a month. @returns seconds from the request to the end of the task */
async function generated({ client }: Service, month: number): Promise<number> {
  const started = performance.now();
  const asked = await client.post('/api/payrolls/generate', { year: 2026, month, post: true });
  if (asked.status !== 202) throw new Error(`The month was answered ${asked.status}: ${JSON.stringify(asked.body)}`);
  for (;;) {
    const { body } = await client.get(`/api/tasks/${asked.body.task_id}`);
    if (body.data.status === 'failed') throw new Error(`The task failed: ${body.data.error}`);
    if (body.data.status === 'completed') break;
    await sleep(100);
  }
  const seconds = (performance.now() - started) / 1000;
  const { body } = await client.get(`/api/payrolls?year=2026&month=${month}&status=O&limit=1`);
  if (body.pagination.total !== EMPLOYEES) throw new Error(`${body.pagination.total} payrolls are posted`);
  return seconds;
}
