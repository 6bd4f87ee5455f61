import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createDocument } from '../../../services/trade/create.ts';
import { createWebhook } from '../../../services/webhooks/manage.ts';
import { webhookDeliveryId } from '../../../workflows/webhooks/contract.ts';
import { useCompany, useReceiver, useTemporal, useWorker } from '../../helpers/hooks.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../helpers/worker.ts';

/** As the protocol counts it. */
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
        { allowPrivateTargets: true, encryptionKeys: [ENCRYPTION_KEY] },
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

  it('spend no attempt, say why, and hold up nobody', async () => {
    const open: ServerResponse[] = [];
    receiver.answer('/hung', (response) => void open.push(response));
    const hung = await register('/hung', 1);
    const other = await register('/other', 10);
    for (let count = 0; count < 4; count++) await order();
    await eventually(() => assert.equal(receiver.at('/other').length, 4, 'the others arrive'));
    assert.equal(receiver.at('/hung').length, 1, 'one at a time');

    const events = await company.rows(`select id from outbox where event = 'document.created'`);
    const waiting = await eventually(async () => {
      const found = await Promise.all(
        events.map(async ({ id }) => {
          const workflowId = webhookDeliveryId(company.ctx.tenantId, hung.id, String(id));
          const { raw } = await namespace.client.workflow.getHandle(workflowId).describe();
          const failure = raw.pendingActivities?.[0]?.lastFailure;
          if (failure != null) assert.equal(failure.applicationFailureInfo?.category, BENIGN, 'no warning in the log');
          return failure?.message ?? '';
        }),
      );
      const messages = found.filter((message) => message !== '');
      assert.equal(messages.length, 3, 'three wait');
      return messages;
    });
    for (const message of waiting)
      assert.match(
        message,
        /^Attempt 1 of 8 waits for 127\.0\.0\.1: 1 request is under way already\. Nothing was sent and no attempt is spent; next look at \d\d:\d\d:\d\d UTC$/,
      );
    assert.equal((await company.rows('select 1 from webhook_attempts where webhook_id = ?', [hung.id])).length, 0);

    receiver.answer('/hung', (response) => void response.end('thanks'));
    open[0]?.end('thanks');
    const log = await eventually(async () => {
      const rows = await company.rows('select attempt, status from webhook_attempts where webhook_id = ?', [hung.id]);
      assert.equal(rows.length, 4, 'all four arrive');
      return rows;
    }, 40_000);
    for (const row of log) assert.deepEqual(row, { attempt: 1, status: 'success' });
    assert.equal(receiver.at('/hung').length, 4);
    assert.equal((await company.rows('select 1 from webhook_attempts where webhook_id = ?', [other.id])).length, 4);
  });
});
