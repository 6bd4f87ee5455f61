/** Pages of the audit log for a reader who may not see all of it, against one who may, among 300,000 records. */
import { createClient, type TestClient } from '../test/helpers/client.ts';
import { type Check, median } from './report.ts';
import type { Stage } from './stage.ts';

const RECORDS = 300_000;
const ROUNDS = 15;
const LIMIT = { ms: 250, times: 4 };

/** Pages to read: the newest, those of one kind of record that many are, and those of one that the restricted reader sees none of. */
const PAGES = {
  'the newest': '/api/audit-logs?limit=50',
  comments: '/api/audit-logs?entityType=Comment&limit=50',
  'what is hidden': '/api/audit-logs?entityType=Employee&limit=50',
} as const;

export async function auditLog(stage: Stage): Promise<Check> {
  await fillLog(stage);
  const { key } = (await stage.client.post('/api/api-keys', { name: 'Accountant', role: 'accountant' })).body.data;
  const accountant = createClient(stage.address, key);
  const measured: string[] = [];
  let passed = true;
  const figures: Record<string, number> = {};
  for (const [name, path] of Object.entries(PAGES)) {
    const [all, some] = [await typical(stage.client, path), await typical(accountant, path)];
    measured.push(`${name} ${some.toFixed(0)} ms (${all.toFixed(0)} for an owner)`);
    passed &&= some <= Math.max(LIMIT.ms, all * LIMIT.times);
    figures[name] = some;
  }
  return {
    name: `pages of an audit log of ${RECORDS} records for an accountant`,
    measured: measured.join(', '),
    limit: `${LIMIT.ms} ms, or ${LIMIT.times} times what an owner waits`,
    passed,
    figures,
  };
}

/** Fills the log: half of the records are of employees, a fifth comments, half of these on employees. */
async function fillLog({ fill, tenantId }: Stage): Promise<void> {
  await fill(
    `insert into audit_logs (id, tenant_id, entity_type, entity_id, action, actor, new_value, created_at)
     select gen_random_uuid(), $1, type, gen_random_uuid(), 'CREATE', 'api_key:someone',
       jsonb_build_object('id', n, 'notes', repeat('x', 300), 'entityType', case when n % 2 = 0 then 'Employee' else 'SalesInvoice' end),
       now() - n * interval '1 minute'
     from (select n, case n % 10 when 0 then 'Item' when 1 then 'SalesInvoice' when 2 then 'BusinessPartner' when 3 then 'Comment'
       when 4 then 'Comment' else 'Employee' end as type from generate_series(1, ${RECORDS}) n) n`,
    [tenantId],
  );
  await fill('vacuum analyze audit_logs');
}

/** The median of sequential requests, in milliseconds. */
async function typical(client: TestClient, path: string): Promise<number> {
  const taken: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const started = performance.now();
    const { status, body } = await client.get(path);
    if (round >= 0) taken.push(performance.now() - started);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  }
  return median(taken);
}
