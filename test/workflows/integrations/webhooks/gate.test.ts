import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createWebhook } from '../../../../services/integrations/webhooks/manage.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { webhookDeliveryId } from '../../../../workflows/integrations/webhooks/contract.ts';
import { useCompany, useReceiver, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { LOCAL_TARGETS } from '../../../helpers/targets.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';

/** The benign category in Temporal's protocol. */
const BENIGN = 1;

describe('deliveries that wait for their endpoint', function () {
  this.timeout(60_000);
  const company = useCompany();
  const namespace = useTemporal();
  const receiver = useReceiver();
  useWorker(() => testConfig({ url: company.url, ...namespace }));

  const register = (path: string, maxInFlight: number) =>
    company.run((trx) =>
      createWebhook(
        trx,
        company.ctx,
        { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] },
        { name: path, url: receiver.url + path, events: ['document.created'], max_in_flight: maxInFlight },
      ),
    );
  const order = () =>
    company.run((trx) =>
      createDocument(trx, company.ctx, 'SO', {
        partnerId: company.customerId,
        lines: [{ itemId: company.itemId, quantity: 1 }],
      }),
    );

  const open: ServerResponse[] = [];
  let hung: string;
  let other: string;
  before(async () => {
    receiver.answer('/hung', (response) => void open.push(response));
    hung = (await register('/hung', 1)).id;
    other = (await register('/other', 10)).id;
    for (let count = 0; count < 4; count++) await order();
  });
  const webhookAttempts = (webhookId: string) =>
    company.rows('select attempt, status from webhook_attempts where webhook_id = ?', [webhookId]);
  /** The last failure of each delivery to the endpoint that hangs, of those that have one. */
  async function failures() {
    const events = await company.rows(`select id from outbox where event = 'document.created'`);
    const found = await Promise.all(
      events.map(async ({ id }) => {
        const workflowId = webhookDeliveryId(company.ctx.tenantId, hung, String(id));
        const { raw } = await namespace.client.workflow.getHandle(workflowId).describe();
        return raw.pendingActivities?.[0]?.lastFailure ?? undefined;
      }),
    );
    return found.filter((failure) => failure !== undefined);
  }

  it('delay nobody', async () => {
    await eventually(() => {
      assert.equal(receiver.at('/other').length, 4, 'the others arrive');
      assert.equal(receiver.at('/hung').length, 1, 'one at a time');
    }, 40_000);
  });

  it('say why', async () => {
    const waiting = await eventually(async () => {
      const found = await failures();
      assert.equal(found.length, 3, 'three wait');
      return found;
    });
    for (const { message, applicationFailureInfo } of waiting) {
      assert.equal(applicationFailureInfo?.category, BENIGN, 'no warning in the log');
      assert.match(
        message ?? '',
        /^Attempt 1 of 8 waits for 127\.0\.0\.1: 1 request is under way already\. Nothing was sent and no attempt is spent; next look at \d\d:\d\d:\d\d UTC$/,
      );
    }
  });

  it('use up no attempt', async () => {
    assert.deepEqual(await webhookAttempts(hung), []);
    receiver.answer('/hung', (response) => void response.end('thanks'));
    open[0]?.end('thanks');
    const log = await eventually(async () => {
      const rows = await webhookAttempts(hung);
      assert.equal(rows.length, 4, 'all four arrive');
      return rows;
    }, 40_000);
    for (const row of log) assert.deepEqual(row, { attempt: 1, status: 'success' });
    assert.equal(receiver.at('/hung').length, 4);
    assert.equal((await webhookAttempts(other)).length, 4);
  });
});
