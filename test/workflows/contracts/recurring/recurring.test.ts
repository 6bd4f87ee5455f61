/** Recurring documents by their schedule, with a real Temporal server and workers that are killed. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { daysAfter } from '../../../../domain/days.ts';
import { localDay } from '../../../../domain/records/tables/times.ts';
import { RECURRING_ID } from '../../../../workflows/operation/contract.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { use, useApp, useTemporal } from '../../../helpers/hooks.ts';
import { openSubscriptions, type Subscriptions } from '../../../helpers/subscriptions.ts';
import { ENCRYPTION_KEY, eventually, killed, startWorker, testConfig, workerProcess } from '../../../helpers/worker.ts';

const COUNT = 40;

describe('recurring documents by their schedule', function () {
  this.timeout(240_000);
  const temporal = useTemporal();
  const app = useApp({ clock: REAL_CLOCK, env: { ENCRYPTION_KEY } });
  const trade: Subscriptions = use(() => openSubscriptions(app));
  const servers = () => ({ url: app.databaseUrl, address: temporal.address, namespace: temporal.namespace });
  const schedule = () => temporal.client.schedule.getHandle(RECURRING_ID);
  const yesterday = () => daysAfter(localDay(new Date(), 'Europe/Madrid'), -1);
  const subscribe = (members: object) =>
    trade.subscribe({ mode: 'post', starts_on: yesterday(), interval: { unit: 'week' }, ...members });
  const made = async (): Promise<{ document_id: string; outcome: string }[]> => {
    const { rows } = await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw('select document_id, outcome, reason from recurring_runs order by id'),
    );
    return rows;
  };
  const trigger = async () => {
    const before = (await schedule().describe()).info.numActionsTaken;
    await schedule().trigger();
    await eventually(async () => assert.ok((await schedule().describe()).info.numActionsTaken > before));
  };

  it('are each made once, whoever dies in the middle, and one that fails concerns no other', async () => {
    for (let nth = 0; nth < COUNT; nth++) await subscribe({});
    const bad = await subscribe({
      template: { partnerId: trade.customerId, lines: [{ itemId: trade.goodsId, quantity: 1000 }] },
    });
    const victim = await workerProcess(servers(), 'tasks', {});
    await eventually(() => schedule().describe(), 60_000);
    await trigger();
    await eventually(async () => assert.ok((await made()).length > 3), 60_000);
    await killed(victim);
    const worker = startWorker(testConfig(servers()));
    try {
      const ended = await eventually(async () => {
        const { body } = await app.client.get('/api/tasks?kind=recurring');
        assert.equal(body.data[0]?.status, 'completed');
        return body.data as { message: string; result_url: string }[];
      }, 120_000);
      assert.deepEqual(
        ended.map(({ message }) => message),
        [`${COUNT} recurring documents made, 1 failed: see the result`],
      );
      const runs = await made();
      assert.equal(new Set(runs.map(({ document_id: id }) => id)).size, COUNT + 1);
      const { body: invoices } = await app.client.get('/api/sales/invoices?status=O');
      assert.equal(invoices.pagination.total, COUNT);
      const { body: failed } = await app.client.get(`/api/recurring/${bad.id}/runs`);
      assert.deepEqual([failed.data[0].outcome, failed.data.length], ['failed', 1]);
      const result = await app.client.get(String(ended[0]?.result_url).replace(app.address, ''));
      assert.equal(result.body.data.failures[0].id, bad.id);
      const { body: told } = await app.client.get('/api/notifications');
      // One notice of all; nobody is told of each invoice.
      const titles = told.data.map(({ title }: { title: string }) => title);
      assert.deepEqual(titles, ['No se pudo crear 1 documento periódico']);
      await trigger(); // Nothing is due any more.
      assert.equal((await made()).length, runs.length);
    } finally {
      await worker.stop();
    }
  });
});
