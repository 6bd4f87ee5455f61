import assert from 'node:assert/strict';
import { startOnce } from '../../../../services/platform/temporal/start.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { endLifecycle, missingLifecycle } from '../../../../worker/lifecycles.ts';
import { compareAll } from '../../../../worker/reconcile/compare.ts';
import { knownTo } from '../../../../worker/reconcile/temporal.ts';
import {
  type ComparisonResult,
  LIFECYCLE_COMPARISON,
  LIFECYCLE_COMPARISON_ID,
} from '../../../../workflows/operation/contract.ts';
import { TASKS_QUEUE } from '../../../../workflows/platform/tasks/contract.ts';
import { documentLifecycleId, type LifecycleView } from '../../../../workflows/trade/documents/contract.ts';
import { addCompany } from '../../../helpers/company.ts';
import { useCompany, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

const missing = {
  tasks: 0,
  matchings: 0,
  emails: 0,
  automations: 0,
  deliveries: 0,
  redeliveries: 0,
  revaluations: 0,
  verifactu: 0,
  face: 0,
};

describe('the comparison of open documents with running lifecycles', function () {
  this.timeout(120_000);

  const company = useCompany();
  const temporal = useTemporal();
  useWorker(() => testConfig({ url: company.url, ...temporal }));

  const handle = (documentId: unknown) =>
    temporal.client.workflow.getHandle(documentLifecycleId(company.ctx.tenantId, String(documentId)));
  const workflowStatus = async (documentId: unknown) => (await handle(documentId).describe()).status.name;
  const create = () =>
    company.run((trx) =>
      createDocument(trx, company.ctx, 'SO', {
        partnerId: company.customerId,
        lines: [{ itemId: company.itemId, quantity: 1 }],
      }),
    );
  const compare = (id: string) =>
    temporal.client.workflow.execute<() => Promise<ComparisonResult>>(LIFECYCLE_COMPARISON, {
      workflowId: id,
      taskQueue: TASKS_QUEUE,
    });

  it('restarts lifecycles cancelled or terminated while their document is open, and nothing else', async () => {
    const [cancelled, terminated, running, over] = [await create(), await create(), await create(), await create()];
    await eventually(async () => {
      for (const { id } of [cancelled, terminated, running, over]) assert.equal(await workflowStatus(id), 'RUNNING');
    }, 60_000);
    await company.run((trx) => cancelDocument(trx, company.ctx, String(over.id), { ifMatch: null }));
    await eventually(async () => assert.equal(await workflowStatus(over.id), 'COMPLETED'));
    await handle(cancelled.id).cancel();
    await handle(terminated.id).terminate();
    await eventually(async () => assert.equal(await workflowStatus(cancelled.id), 'CANCELLED'));
    const { runId } = await handle(running.id).describe();
    const [first, second, third] = [cancelled, terminated, running].map(({ id }) =>
      documentLifecycleId(company.ctx.tenantId, String(id)),
    ) as [string, string, string];
    await eventually(async () => {
      const known = await knownTo(temporal.client, [first, second, third]);
      assert.deepEqual([known.get(first), known.get(second), known.get(third)], ['ended', 'ended', 'running']);
    });

    assert.deepEqual(await compare('maintenance/first'), { open: 3, started: 2, missing });
    for (const { id, code } of [cancelled, terminated]) {
      const described = await handle(id).describe();
      assert.equal(described.status.name, 'RUNNING');
      assert.equal(await described.staticSummary(), `Sales order ${code}`);
      const view = await handle(id).query<LifecycleView>('state');
      assert.deepEqual([view.status, view.updates], ['O', ['cancel']]);
    }
    assert.equal((await handle(running.id).describe()).runId, runId);
    assert.equal(await workflowStatus(over.id), 'COMPLETED');
    await eventually(async () =>
      assert.deepEqual(await compare(`maintenance/again ${Math.random()}`), { open: 3, started: 0, missing }),
    );

    // The restarted workflow follows its document as before.
    await company.run((trx) => cancelDocument(trx, company.ctx, String(cancelled.id), { ifMatch: null }));
    await eventually(async () => assert.equal(await workflowStatus(cancelled.id), 'COMPLETED'));
  });

  it('ends a lifecycle that it restarted for a document closed at that moment', async () => {
    const order = await create();
    await eventually(async () => assert.equal(await workflowStatus(order.id), 'RUNNING'));
    await handle(order.id).terminate();
    const { tenantId } = company.ctx;
    const document = { tenantId, documentId: String(order.id), docType: 'SO', status: 'O' } as const;
    const missing = missingLifecycle({
      ...document,
      code: String(order.code),
      partnerId: company.customerId,
      lockDueAt: null,
      expiresAt: null,
    });
    await startOnce(temporal.client, missing);
    assert.equal(await workflowStatus(order.id), 'RUNNING');
    await endLifecycle(temporal.client, document);
    await eventually(async () => assert.equal(await workflowStatus(order.id), 'COMPLETED'));
  });

  it('does not delay other companies, however much work of one is missing', async () => {
    const other = await addCompany(company.database, company.url);
    const theirs = await other.run((trx) =>
      createDocument(trx, other.ctx, 'SO', {
        partnerId: other.customerId,
        lines: [{ itemId: other.itemId, quantity: 1 }],
      }),
    );
    const many = [];
    for (let number = 0; number < 5; number++) many.push(await create());
    const { workflow } = temporal.client;
    const missing = [
      ...many.map(({ id }) => documentLifecycleId(company.ctx.tenantId, String(id))),
      documentLifecycleId(other.ctx.tenantId, String(theirs.id)),
    ];
    for (const id of missing) await eventually(() => workflow.getHandle(id).terminate(), 60_000);
    await eventually(async () => {
      const known = await knownTo(temporal.client, missing);
      for (const id of missing) assert.equal(known.get(id), 'ended');
    });
    const time = { since: company.ctx.now, until: company.ctx.now };
    const deps = { database: company.database, client: temporal.client };
    const { lifecycles } = await compareAll(deps, { time, starts: () => true, share: 2 });
    assert.ok(lifecycles.started >= 6, `${lifecycles.started} were started`);
    const begun = await Promise.all(
      missing.map(async (id) => {
        const { status, startTime } = await workflow.getHandle(id).describe();
        assert.equal(status.name, 'RUNNING');
        return startTime.getTime();
      }),
    );
    const theirTurn = begun.pop() as number;
    const before = begun.filter((time) => time < theirTurn).length;
    assert.ok(before <= 2, `${before} of the other company were started before`);
  });

  it('runs every hour', async () => {
    const { spec, policies } = await temporal.client.schedule.getHandle(LIFECYCLE_COMPARISON_ID).describe();
    assert.equal(spec.intervals?.[0]?.every, 3_600_000);
    assert.equal(policies.overlap, 'SKIP');
  });
});
