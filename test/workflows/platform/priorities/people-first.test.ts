import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import { startOnce, type WorkflowStart } from '../../../../services/platform/temporal/start.ts';
import { registerSearchAttributes } from '../../../../worker/connect.ts';
import { deliveryStart } from '../../../../workflows/integrations/webhooks/contract.ts';
import { reconciliationStart } from '../../../../workflows/trade/payments/contract.ts';
import { useCompany, useTemporal } from '../../../helpers/hooks.ts';
import { eventually, startWorker, testConfig } from '../../../helpers/worker.ts';

const WAITING = 60;
/** Maximum starts that may begin before the worker is notified of what a person waits for. */
const BEFORE = 20;

/** When the first task of a workflow started, in milliseconds; after all others while it has not. */
async function begunAt(client: Client, { workflowId }: WorkflowStart): Promise<number> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const begun = events?.find(({ workflowTaskStartedEventAttributes: attributes }) => attributes != null);
  if (begun?.eventTime?.seconds == null) return Number.POSITIVE_INFINITY;
  return Number(begun.eventTime.seconds) * 1000 + (begun.eventTime.nanos ?? 0) / 1e6;
}

describe('what a person waits for', function () {
  this.timeout(120_000);
  const company = useCompany();
  const temporal = useTemporal();
  before(() => registerSearchAttributes(temporal.client.connection, temporal.namespace));

  const payment = () => ({ tenantId: company.ctx.tenantId, paymentId: crypto.randomUUID() });
  const delivery = () => {
    const { tenantId } = company.ctx;
    return { tenantId, webhookId: crypto.randomUUID(), eventId: crypto.randomUUID() };
  };

  /** Returns how many of the company's starts begin before the wanted one, which came last. */
  async function begunBefore(queue: 'documents' | 'webhooks', many: () => WorkflowStart, wanted: WorkflowStart) {
    const starts = Array.from({ length: WAITING }, many);
    for (const start of starts) await startOnce(temporal.client, start);
    await startOnce(temporal.client, wanted);
    const worker = startWorker(testConfig({ url: company.url, ...temporal }), { queues: [queue], relay: false });
    try {
      const begun = await eventually(async () => {
        const time = await begunAt(temporal.client, wanted);
        assert.ok(time < Number.POSITIVE_INFINITY, 'it has not begun');
        return time;
      }, 60_000);
      const others = await Promise.all(starts.map((start) => begunAt(temporal.client, start)));
      return others.filter((time) => time < begun).length;
    } finally {
      await worker.stop();
    }
  }

  it('is matched before payments that nobody waits for', async () => {
    const wanted = reconciliationStart(payment(), 'requestedMatching');
    const before = await begunBefore('documents', () => reconciliationStart(payment(), 'paymentMatching'), wanted);
    assert.ok(before <= BEFORE, `${before} of ${WAITING} began before`);
  });

  it('is delivered before what a recovery redelivers', async () => {
    const wanted = deliveryStart(delivery(), { title: 'Test' }, 'webhookTest');
    const before = await begunBefore(
      'webhooks',
      () => deliveryStart(delivery(), { title: null }, 'recoveredDelivery'),
      wanted,
    );
    assert.ok(before <= BEFORE, `${before} of ${WAITING} began before`);
  });
});
