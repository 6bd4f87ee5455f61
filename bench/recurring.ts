/** Contracts due in the same night: their invoices are made and posted, and what follows from them is done, within ten minutes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { RECURRING_ID } from '../workflows/operation/contract.ts';
import type { Check } from './report.ts';
import type { Service } from './service.ts';
import { openTrade } from './trade.ts';

const CONTRACTS = 10_000;
const LIMIT_S = 600;

export async function recurring(service: Service): Promise<Check> {
  const { client, fill, tenantId } = service;
  const trade = await openTrade(service, { items: 5, goods: false, series: 0 });
  const lines = trade.items.map((itemId) => ({ itemId, quantity: 2 }));
  const { status, body } = await client.post('/api/recurring', {
    ...{ name: 'Contract', document_type: 'sales_invoice', mode: 'post', interval: { unit: 'month' } },
    ...{ starts_on: trade.date, template: { partnerId: trade.customerId, lines } },
  });
  if (status !== 201) throw new Error(`The contract was answered ${status}: ${JSON.stringify(body)}`);
  await fill(
    `insert into recurring_documents (id, tenant_id, name, document_type, template, partner_id, unit, every, on_day, starts_on, billed_at,
       prorate, mode, price, missed, active, next_from, next_on, next_at, created_at, updated_at)
     select gen_random_uuid(), tenant_id, name || n, document_type, template, partner_id, unit, every, on_day, starts_on, billed_at,
       prorate, mode, price, missed, active, next_from, next_on, next_at, now(), now()
     from recurring_documents, generate_series(2, ${CONTRACTS}) n where tenant_id = $1 and id = $2`,
    [tenantId, body.data.id],
  );
  await fill('analyze');
  await service.quiet();
  const times = { made: 0, done: 0 };
  const cost = await service.cost(async () => {
    const started = performance.now();
    await trigger(service.temporalAddress);
    await ended(service);
    times.made = (performance.now() - started) / 1000;
    times.done = times.made + (await service.quiet());
  });
  const { body: posted } = await client.get('/api/sales/invoices?status=O&limit=1');
  if (posted.pagination.total !== CONTRACTS) throw new Error(`${posted.pagination.total} invoices are posted`);
  const each = [...cost.values()].reduce((sum, ms) => sum + ms, 0) / CONTRACTS;
  return {
    name: `${CONTRACTS} contracts due in the same night, invoiced and posted`,
    measured: `${times.made.toFixed(0)} s, ${times.done.toFixed(0)} s until all is done, ${each.toFixed(0)} ms of CPU each`,
    limit: `${LIMIT_S} s`,
    passed: times.done <= LIMIT_S,
    figures: { madeS: times.made, doneS: times.done, cpuMs: each },
  };
}

async function trigger(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await new Client({ connection }).schedule.getHandle(RECURRING_ID).trigger();
  } finally {
    await connection.close();
  }
}

async function ended({ client }: Service): Promise<void> {
  for (;;) {
    const { body } = await client.get('/api/tasks?kind=recurring&limit=1');
    const [task] = body.data;
    if (task?.status === 'failed') throw new Error(`The task failed: ${task.error}`);
    if (task?.status === 'completed') {
      if (!task.message.startsWith(`${CONTRACTS} `)) throw new Error(task.message);
      return;
    }
    await sleep(500);
  }
}
