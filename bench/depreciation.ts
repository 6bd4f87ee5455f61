/** Depreciation of a month for 10,000 assets, entered by one task: within 30 seconds. Their register, as a report: within 300 ms. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Check, median } from './report.ts';
import type { Service } from './service.ts';

const ASSETS = 10_000;
const RUN_S = 30;
const REPORT_MS = 300;

/** Copies the one asset of the company with its movements. */
const COPIES = `with source as (select * from assets where tenant_id = $1), copies as (
    insert into assets (id, tenant_id, code, name, group_id, status, acquired_on, in_use_on, initial_cost, residual_value, method,
      useful_life_months, partial_months, initial_accumulated, cost, accumulated, impairment, ends_on, next_from, version,
      created_at, updated_at)
    select gen_random_uuid(), tenant_id, 'BENCH-' || n, 'Bench ' || n, group_id, status, acquired_on, in_use_on, initial_cost,
      residual_value, method, useful_life_months, partial_months, 0, cost, 0, 0, ends_on, next_from, 1, now(), now()
    from source, generate_series(2, ${ASSETS}) n returning id, tenant_id, acquired_on, cost)
  insert into asset_movements (id, tenant_id, asset_id, kind, date, cost, accumulated, impairment, standing, created_at)
  select gen_random_uuid(), tenant_id, id, 'acquisition', acquired_on, cost, 0, 0, true, now() from copies`;

export async function depreciation(service: Service): Promise<Check> {
  const { client, fill, tenantId } = service;
  await answered(client.post('/api/asset-groups/generate'), 200);
  const { data: groups } = await answered(client.get('/api/asset-groups?code=MAQUINARIA'), 200);
  const asset = { name: 'Bench 1', groupId: groups[0].id, acquiredOn: '2026-01-01', cost: 1200, usefulLifeMonths: 120 };
  await answered(client.post('/api/assets', asset), 201);
  await fill(COPIES, [tenantId]);
  await fill('analyze');
  const months = [];
  for (const to of ['2026-01-31', '2026-02-28', '2026-03-31']) {
    months.push(await entered(service, to));
    await service.quiet();
  }
  const slowest = Math.max(...months);
  const report = await reported(service);
  return {
    name: `enter the depreciation of ${ASSETS} assets, three months; their register at the end of the second`,
    measured: `${months.map((seconds) => `${seconds.toFixed(1)} s`).join(', ')}; ${report.toFixed(0)} ms`,
    limit: `${RUN_S} s, ${REPORT_MS} ms`,
    passed: slowest <= RUN_S && report <= REPORT_MS,
    figures: { seconds: slowest, reportMs: report },
  };
}

/** @returns seconds from the request to the end of the task */
async function entered({ client }: Service, to: string): Promise<number> {
  const started = performance.now();
  const { task_id: id } = await answered(client.post('/api/asset-runs', { to }), 202);
  for (;;) {
    const { data } = await answered(client.get(`/api/tasks/${id}`), 200);
    if (data.status === 'failed') throw new Error(`The task failed: ${data.error}`);
    if (data.status === 'completed') return (performance.now() - started) / 1000;
    await sleep(100);
  }
}

/** @returns the median milliseconds of the report */
async function reported({ client }: Service): Promise<number> {
  const times = [];
  for (let round = 0; round < 8; round++) {
    const started = performance.now();
    const { data } = await answered(client.get('/api/reports/assets?to=2026-02-28'), 200);
    times.push(performance.now() - started);
    if (data.rows.length !== ASSETS) throw new Error(`The report has ${data.rows.length} assets`);
  }
  return median(times);
}

async function answered(asked: ReturnType<Service['client']['get']>, status: number) {
  const answer = await asked;
  if (answer.status !== status) throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
