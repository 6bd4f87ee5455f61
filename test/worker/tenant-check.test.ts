import assert from 'node:assert/strict';
import { ActivityFailure, ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { createWebhook } from '../../services/integrations/webhooks/manage.ts';
import { readTaskFile } from '../../services/platform/files/task-files.ts';
import { startImportTask } from '../../services/records/imports/task.ts';
import { WEBHOOK_DELIVERY, WEBHOOKS_QUEUE } from '../../workflows/integrations/webhooks/contract.ts';
import { LIFECYCLE_COMPARISON } from '../../workflows/operation/contract.ts';
import { TASKS_QUEUE, taskWorkflowId } from '../../workflows/platform/tasks/contract.ts';
import { PAYMENT_RECONCILIATION } from '../../workflows/trade/payments/contract.ts';
import { use, useCompany, useOtherCompany, useReceiver, useTemporal, useWorker } from '../helpers/hooks.ts';
import { LOCAL_TARGETS } from '../helpers/targets.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../helpers/worker.ts';

describe('a workflow of one company that names another', function () {
  this.timeout(120_000);

  const hostile = useCompany();
  const other = useOtherCompany(hostile);
  const temporal = useTemporal();
  const receiver = useReceiver();
  useWorker(() => testConfig({ url: hostile.url, ...temporal }), { relay: false });

  const refused = (execution: Promise<unknown>) =>
    assert.rejects(execution, (error: unknown) => {
      assert.ok(error instanceof WorkflowFailedError);
      const cause = error.cause instanceof ActivityFailure ? error.cause.cause : error.cause;
      assert.ok(cause instanceof ApplicationFailure && cause.type === 'foreign_company', String(cause));
      return true;
    });
  const newWorkflowId = (what: string) => `${hostile.ctx.tenantId}/${what}/${Math.random()}`;

  const task = use(() =>
    other.run((trx) =>
      startImportTask(trx, other.ctx, {
        resource: 'uom',
        role: 'owner',
        permission: 'partners:read' as const,
        name: undefined,
        file: { type: 'text/csv', content: Buffer.from('code;name\nSTOLEN;Stolen\n') },
        options: { mode: 'create', dryRun: false, partial: false },
      }),
    ),
  );
  const webhook = use(() =>
    other.run((trx) =>
      createWebhook(
        trx,
        other.ctx,
        { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] },
        { name: 'w', url: `${receiver.url}/hook`, events: ['*'] },
      ),
    ),
  );

  it('does nothing for the other one: no import, no delivery, no matching', async () => {
    const { tenantId } = other.ctx;
    const [event] = await other.rows('select id from outbox limit 1');
    const named = {
      [WEBHOOK_DELIVERY]: {
        workflowId: newWorkflowId('webhook'),
        taskQueue: WEBHOOKS_QUEUE,
        args: [{ tenantId, webhookId: webhook.id, eventId: event?.id }],
      },
      [PAYMENT_RECONCILIATION]: {
        workflowId: newWorkflowId('reconcile'),
        taskQueue: 'documents',
        args: [{ tenantId, paymentId: task.id }],
      },
      importFile: { workflowId: newWorkflowId('task'), taskQueue: TASKS_QUEUE, args: [{ tenantId, taskId: task.id }] },
    };
    for (const [type, options] of Object.entries(named)) await refused(temporal.client.workflow.execute(type, options));
    // The task of the other company is not even told that it failed: that, too, would be an act.
    assert.deepEqual(await other.rows(`select status from tasks where id = ?`, [task.id]), [{ status: 'running' }]);
    assert.deepEqual(await other.rows(`select code from uoms where code = 'STOLEN'`), []);
    assert.deepEqual(receiver.received, []);
  });

  it('leaves the work to the workflow whose id names the company, which does it', async () => {
    const input = { tenantId: other.ctx.tenantId, taskId: task.id };
    const own = { workflowId: taskWorkflowId(input), taskQueue: TASKS_QUEUE, args: [input] };
    await eventually(() => temporal.client.workflow.execute('importFile', own));
    assert.equal((await other.run((trx) => readTaskFile(trx, task.id, 'task_result'))).name, 'import-uom.json');
  });

  it('cannot run without a company', async () => {
    await refused(
      temporal.client.workflow.execute(LIFECYCLE_COMPARISON, {
        workflowId: newWorkflowId('all'),
        taskQueue: TASKS_QUEUE,
      }),
    );
    await temporal.client.workflow.execute(LIFECYCLE_COMPARISON, {
      workflowId: `maintenance/test-${Math.random()}`,
      taskQueue: TASKS_QUEUE,
    });
  });
});
