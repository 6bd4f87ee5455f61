import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { newId } from '../../../../db/ids.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  type WebhookInput,
} from '../../../../services/integrations/webhooks/manage.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { redeliver, webhookDeliveryId } from '../../../../workflows/integrations/webhooks/contract.ts';
import { useCompany, useReceiver, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { startReceiver, status } from '../../../helpers/receiver.ts';
import { LOCAL_TARGETS } from '../../../helpers/targets.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';

const POLICY = { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] };
const SECRET = `whsec_${Buffer.from('a secret of the webhook tests').toString('base64')}`;

describe('webhook deliveries', function () {
  this.timeout(60_000);

  const company = useCompany();
  const temporal = useTemporal();
  const receiver = useReceiver();
  useWorker(() => testConfig({ url: company.url, ...temporal }));

  async function register(path: string, input: Partial<WebhookInput> = {}) {
    return company.run((trx) =>
      createWebhook(trx, company.ctx, POLICY, {
        name: path,
        url: receiver.url + path,
        events: ['document.created'],
        retry_policy: { max_attempts: 3, retry_delay_seconds: [0] },
        ...input,
      }),
    );
  }
  async function order() {
    const lines = [{ itemId: company.itemId, quantity: 2 }];
    const created = await company.run((trx) =>
      createDocument(trx, company.ctx, 'SO', { partnerId: company.customerId, lines }),
    );
    const [event] = await company.rows(`select id from outbox where entity_id = ? and event = 'document.created'`, [
      created.id,
    ]);
    return { documentId: String(created.id), eventId: String(event?.id), document: created };
  }
  const log = (webhookId: string) =>
    company.rows(
      'select attempt, status, http_status, error, response_body, document_id from webhook_attempts where webhook_id = ? order by attempt',
      [webhookId],
    );
  const handle = (webhookId: string, eventId: string) =>
    temporal.client.workflow.getHandle(webhookDeliveryId(company.ctx.tenantId, webhookId, eventId));
  /** The delivery's end, however it comes. */
  const ended = (webhookId: string, eventId: string) =>
    eventually(async () => {
      const { status: state } = await handle(webhookId, eventId).describe();
      assert.notEqual(state.name, 'RUNNING');
      return state.name;
    });

  it('send the signed envelope, and retry by the policy until it is accepted', async () => {
    receiver.answer('/twice', (response, nth) => status(nth < 3 ? 500 : 204)(response));
    const webhook = await register('/twice', { secret: SECRET, headers: { Authorization: 'Bearer of the receiver' } });
    const { eventId, documentId, document } = await order();
    assert.equal(await ended(webhook.id, eventId), 'COMPLETED');

    const requests = receiver.at('/twice');
    assert.equal(requests.length, 3);
    assert.equal(new Set(requests.map((request) => request.body)).size, 1, 'the same bytes each time');
    for (const request of requests) {
      const { headers, body } = request;
      const timestamp = headers['x-service-timestamp'];
      const hmac = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');
      assert.equal(headers['x-service-signature'], `sha256=${hmac}`);
      assert.equal(headers['x-service-event'], 'document.created');
      assert.equal(headers.authorization, 'Bearer of the receiver');
      assert.equal(headers['content-type'], 'application/json');
      const verified = new StandardWebhook(SECRET).verify(body, headers as Record<string, string>) as typeof envelope;
      assert.equal(verified.id, eventId);
    }
    const envelope = JSON.parse(requests[0]?.body ?? '') as Record<string, unknown> & { data: Record<string, unknown> };
    assert.deepEqual(Object.keys(envelope), ['id', 'event', 'timestamp', 'tenant_id', 'data']);
    assert.equal(envelope.tenant_id, company.ctx.tenantId);
    assert.equal(envelope.data.document_id, documentId);
    assert.equal(envelope.data.document_type, 'sales_order');
    assert.equal(envelope.data.total, document.total);
    assert.deepEqual(
      (await log(webhook.id)).map((entry) => ({
        attempt: entry.attempt,
        status: entry.status,
        http_status: entry.http_status,
        document_id: entry.document_id,
      })),
      [
        { attempt: 1, status: 'failed', http_status: 500, document_id: documentId },
        { attempt: 2, status: 'failed', http_status: 500, document_id: documentId },
        { attempt: 3, status: 'success', http_status: 204, document_id: documentId },
      ],
    );
  });

  it('show operators which document goes to which webhook', async () => {
    const webhook = await register('/shown', { name: 'Shop of *Ann*' });
    const { eventId, document } = await order();
    assert.equal(await ended(webhook.id, eventId), 'COMPLETED');
    const described = await handle(webhook.id, eventId).describe();
    assert.equal(await described.staticSummary(), `document.created of ${document.code} to Shop of Ann`);
    assert.deepEqual(described.searchAttributes.DocumentCode, [document.code]);
  });

  it('give up after the last attempt and report it', async () => {
    receiver.answer('/never', status(302, { Location: `${receiver.url}/elsewhere` }));
    const webhook = await register('/never');
    const { eventId } = await order();
    assert.equal(await ended(webhook.id, eventId), 'FAILED');
    await assert.rejects(handle(webhook.id, eventId).result(), (error: unknown) => {
      assert.ok(error instanceof WorkflowFailedError);
      assert.match(error.cause?.message ?? '', /^Given up after attempt 3 of 3: HTTP 302 from 127\.0\.0\.1\. See GET/);
      return true;
    });
    assert.deepEqual(
      (await log(webhook.id)).map((entry) => entry.http_status),
      [302, 302, 302],
    );
    assert.equal(receiver.at('/elsewhere').length, 0);
  });

  it('switch the webhook off at 410, and log what it misses as skipped', async () => {
    receiver.answer('/gone', status(410));
    const webhook = await register('/gone');
    const first = await order();
    assert.equal(await ended(webhook.id, first.eventId), 'FAILED');
    const [row] = await company.rows('select status from webhooks where id = ?', [webhook.id]);
    assert.equal(row?.status, 'inactive');

    await order();
    await eventually(async () =>
      assert.deepEqual(
        (await log(webhook.id)).map((entry) => [entry.attempt, entry.status]),
        [
          [0, 'skipped'],
          [1, 'failed'],
        ],
      ),
    );
    assert.equal(receiver.at('/gone').length, 1);
  });

  it('wait as long as a receiver asks for', async () => {
    receiver.answer('/busy', (response, nth) => status(nth === 1 ? 429 : 200, { 'Retry-After': '2' })(response));
    const webhook = await register('/busy');
    const { eventId } = await order();
    assert.equal(await ended(webhook.id, eventId), 'COMPLETED');
    const { events } = await handle(webhook.id, eventId).fetchHistory();
    const started = events?.filter((event) => event.activityTaskStartedEventAttributes).at(-1);
    const failure = started?.activityTaskStartedEventAttributes?.lastFailure;
    assert.equal(Number(failure?.applicationFailureInfo?.nextRetryDelay?.seconds), 2);
    assert.match(
      failure?.message ?? '',
      /^Attempt 1 of 3 failed: HTTP 429 from 127\.0\.0\.1; next at .*\d\d:\d\d:\d\d UTC$/,
    );
  });

  it('carry their signed data in the query when they use GET', async () => {
    const webhook = await register("/get?channel=1&flag&signed=%20~'+/&payload=mine", {
      method: 'GET',
      secret: 'not of the standard kind',
    });
    const { eventId } = await order();
    assert.equal(await ended(webhook.id, eventId), 'COMPLETED');
    const [request] = receiver.at('/get');
    assert.match(request?.path ?? '', /^\/get\?channel=1&flag&signed=%20~%27\+\/&payload=%7B%22id%22/);
    const query = new URL(request?.path ?? '', receiver.url).searchParams;
    assert.equal(query.getAll('payload').length, 1);
    const payload = query.get('payload') ?? '';
    assert.equal(request?.body, '');
    assert.equal((JSON.parse(payload) as { id: string }).id, eventId);
    const hmac = createHmac('sha256', 'not of the standard kind')
      .update(`${request?.headers['x-service-timestamp']}.${payload}`)
      .digest('hex');
    assert.equal(request?.headers['x-service-signature'], `sha256=${hmac}`);
    const standard = new StandardWebhook(Buffer.from('not of the standard kind').toString('base64'));
    standard.verify(payload, request?.headers as Record<string, string>);
  });

  it('read at most 64 KiB of an answer, whatever is in it', async () => {
    receiver.answer('/long', (response) => response.end('x\u0000y'.repeat(50_000)));
    const webhook = await register('/long');
    const { eventId } = await order();
    assert.equal(await ended(webhook.id, eventId), 'COMPLETED');
    const [entry] = await log(webhook.id);
    assert.equal(String(entry?.response_body).length, 64 * 1024);
  });

  it('report why no answer came', async () => {
    const closed = await startReceiver();
    await closed.close();
    const webhook = await register('/', { url: closed.url });
    const { eventId } = await order();
    assert.equal(await ended(webhook.id, eventId), 'FAILED');
    assert.deepEqual(
      (await log(webhook.id)).map((entry) => [entry.http_status, entry.error]),
      [
        [null, 'The connection was refused'],
        [null, 'The connection was refused'],
        [null, 'The connection was refused'],
      ],
    );
  });

  it('follow subscriptions to a group or to all, and do not start when nobody wants the event', async () => {
    const group = await register('/group', { events: ['document.*'] });
    const all = await register('/all', { events: ['*'] });
    const other = await register('/other', { events: ['stock.low'] });
    const { eventId } = await order();
    assert.equal(await ended(group.id, eventId), 'COMPLETED');
    assert.equal(await ended(all.id, eventId), 'COMPLETED');
    await assert.rejects(handle(other.id, eventId).describe());
    assert.equal(receiver.at('/other').length, 0);
  });

  it('end quietly when the webhook is deleted or switched off between attempts', async () => {
    receiver.answer('/slow', status(500));
    const deleted = await register('/slow', { retry_policy: { max_attempts: 3, retry_delay_seconds: [2] } });
    const paused = await register('/slow', { retry_policy: { max_attempts: 3, retry_delay_seconds: [2] } });
    const { eventId } = await order();
    await eventually(async () => {
      assert.equal((await log(deleted.id)).length, 1);
      assert.equal((await log(paused.id)).length, 1);
    });
    await company.run(async (trx) => {
      await removeWebhook(trx, company.ctx, deleted.id, null);
      await changeWebhook(trx, company.ctx, POLICY, paused.id, { status: 'inactive' }, null);
    });
    assert.deepEqual(await handle(deleted.id, eventId).result(), { outcome: 'gone', attempt: 0 });
    assert.deepEqual(await handle(paused.id, eventId).result(), { outcome: 'skipped', attempt: 0 });
  });

  it('that are asked for again while the event is being sent are made after it', async () => {
    const asked = { webhookId: '', eventId: '' };
    const ask = () =>
      eventually(async () => {
        const { webhookId, eventId } = asked;
        await handle(webhookId, eventId).signal(redeliver, { id: newId(), again: true });
      });
    receiver.answer('/meanwhile', (response, nth) => {
      void (nth === 1 ? ask() : Promise.resolve()).then(() => response.end());
    });
    asked.webhookId = (await register('/meanwhile')).id;
    asked.eventId = (await order()).eventId;
    assert.equal(await ended(asked.webhookId, asked.eventId), 'COMPLETED');
    assert.equal(receiver.at('/meanwhile').length, 2);
    const attempts = (await log(asked.webhookId)).map(({ attempt, status: outcome }) => [attempt, outcome]);
    assert.deepEqual(attempts, [
      [1, 'success'],
      [2, 'success'],
    ]);
  });

  it('keep secrets, data and addresses out of the histories', async () => {
    const webhook = await register('/private', { secret: SECRET, headers: { Authorization: 'Bearer hidden' } });
    const { eventId } = await order();
    assert.equal(await ended(webhook.id, eventId), 'COMPLETED');
    const history = await handle(webhook.id, eventId).fetchHistory();
    // Bytes become Base64 there.
    const payloads = JSON.stringify(history).replaceAll(/"data":"([^"]*)"/g, (_, data: string) =>
      Buffer.from(data, 'base64').toString('utf8'),
    );
    assert.match(payloads, new RegExp(eventId));
    for (const secret of [SECRET, 'hidden', receiver.url, 'Café Central'])
      assert.ok(!payloads.includes(secret), secret);
  });
});
