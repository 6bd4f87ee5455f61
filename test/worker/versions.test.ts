import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeOrder } from '../../services/trade/lifecycle/close.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { DEPLOYMENT, supersedes } from '../../worker/versions.ts';
import { DOCUMENTS_QUEUE } from '../../workflows/trade/documents/contract.ts';
import { useCompany, useTemporal } from '../helpers/hooks.ts';
import { allHandedOver, eventually, startWorker, testConfig } from '../helpers/worker.ts';

const [OLD, NEW] = ['1.4.0-aaaaaaaa', '1.5.0-bbbbbbbb'];

describe('workers of two releases', function () {
  this.timeout(240_000);
  const company = useCompany();
  const temporal = useTemporal();
  const running: { stop(): Promise<void> }[] = [];
  after(() => Promise.all(running.map((worker) => worker.stop())));

  const start = (version: string | null, options: Parameters<typeof startWorker>[1] = {}) => {
    const told = { WORKER_VERSIONING: String(version !== null) };
    const config = testConfig({ url: company.url, ...temporal }, told);
    const worker = startWorker(config, { ...options, ...(version === null ? {} : { version }) });
    running.push(worker);
    return worker;
  };
  const stop = async (worker: { stop(): Promise<void> }) => {
    running.splice(running.indexOf(worker), 1);
    await worker.stop();
  };
  const current = async () => {
    const { workflowService } = temporal.client.connection;
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({
      namespace: temporal.namespace,
      deploymentName: DEPLOYMENT,
    });
    return workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId;
  };
  const becomes = (version: string) => eventually(async () => assert.equal(await current(), version), 100_000);
  const order = () =>
    company.run((trx) =>
      createDocument(trx, { ...company.ctx, now: new Date() }, 'SO', {
        partnerId: company.customerId,
        lines: [{ itemId: company.itemId, quantity: 1 }],
      }),
    );
  const close = async (id: string) => {
    await company.run((trx) => closeOrder(trx, { ...company.ctx, now: new Date() }, id, { ifMatch: null }));
    await allHandedOver(company);
  };
  const begin = async (version: string | undefined, count = 1) => {
    const ids: string[] = [];
    while (ids.length < count) ids.push(String((await order()).id));
    for (const id of ids) await settled(id, [version]);
    return ids;
  };
  /** Closes orders one by one until a newer version goes on: for a moment after it becomes current, an older one may still end them. */
  const handsOver = async (ids: readonly string[], older: string | undefined, newer: string) => {
    for (const id of ids) {
      await close(id);
      await ended(id);
      if ((await versions(id)).includes(newer)) return settled(id, [older, newer]);
      await sleep(2000);
    }
    assert.fail(`${newer} has gone on with none of ${ids.length} orders`);
  };
  /** The versions that have run a lifecycle, one after the other; each may have had several tasks. */
  const versions = async (id: string) => {
    const handle = temporal.client.workflow.getHandle(`${company.ctx.tenantId}/document/${id}`);
    const { events } = await handle.fetchHistory();
    const tasks = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
      done == null ? [] : [done.deploymentVersion?.buildId],
    );
    return tasks.filter((version, nth) => nth === 0 || version !== tasks[nth - 1]);
  };
  const ended = (id: string) => temporal.client.workflow.getHandle(`${company.ctx.tenantId}/document/${id}`).result();
  const settled = (id: string, expected: readonly (string | undefined)[]) =>
    eventually(async () => assert.deepEqual(await versions(id), expected), 60_000);

  it('hand over to the newer one once it works on all queues, with what the older one began', async () => {
    const oldest = start(null);
    const oldestOrders = await begin(undefined, 10);
    const old = start(OLD);
    await becomes(OLD);
    await handsOver(oldestOrders, undefined, OLD);
    await stop(oldest);
    const orders = await begin(OLD, 10);

    start(NEW, { queues: [DOCUMENTS_QUEUE], relay: false });
    await sleep(4000);
    assert.equal(await current(), OLD, 'the other queues have no new worker');
    const [last] = (await begin(OLD)) as [string];

    start(NEW);
    await becomes(NEW);
    await handsOver(orders, OLD, NEW);
    // Until it notices, an older one may begin workflows that the newer one continues.
    await stop(old);
    await begin(NEW);
    await close(last);
    await settled(last, [OLD, NEW]);

    start(OLD);
    await sleep(4000);
    assert.equal(await current(), NEW, 'an older one that comes back stays behind');
  });

  it('are ordered by release, and builds of one release by time', () => {
    const cases: [string, string, boolean, boolean][] = [
      ['1.5.0-a', '1.4.9-b', true, true],
      ['1.10.0-a', '1.9.0-b', false, true],
      ['1.4.9-a', '1.5.0-b', false, false],
      ['1.5.0-a', '1.5.0-b', false, true],
      ['1.5.0-a', '1.5.0-b', true, false],
    ];
    for (const [version, other, wasCurrent, expected] of cases)
      assert.equal(supersedes(version, other, wasCurrent), expected, `${version} after ${other}`);
  });
});
