import assert from 'node:assert/strict';
import { pushDeliveryId } from '../../../../workflows/messages/push/contract.ts';
import { OWNER, REAL_CLOCK } from '../../../helpers/app.ts';
import { useApp, useReceiver, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { pushBrowser } from '../../../helpers/push-browser.ts';
import { status } from '../../../helpers/receiver.ts';
import { ALLOWED_TARGETS } from '../../../helpers/targets.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';

describe('the push workflow', function () {
  this.timeout(120_000);
  let partnerId: string;
  const temporal = useTemporal();
  const service = useReceiver();
  const app = useApp({ clock: REAL_CLOCK, env: { ENCRYPTION_KEY, WEBHOOK_ALLOWED_TARGETS: ALLOWED_TARGETS } });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  before(async () => {
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    partnerId = (await app.client.post('/api/partners', { name: 'Café Sol', groupId })).body.data.id;
  });

  async function browser(name: string) {
    const made = pushBrowser(`${service.url}/${name}`);
    const answer = await app.client.post('/api/notifications/push-subscriptions', made.subscription);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return made;
  }
  const choose = (enabled: boolean) => app.client.patch('/api/notifications/settings', { push_enabled: enabled });
  /** Mentions the caller. @returns the notification */
  async function tell(text: string): Promise<string> {
    const body = `@${OWNER.email} ${text}`;
    const written = await app.client.post('/api/comments', {
      entityType: 'BusinessPartner',
      entityId: partnerId,
      body,
    });
    assert.equal(written.status, 201, JSON.stringify(written.body));
    const { data } = (await app.client.get('/api/notifications?limit=1')).body;
    assert.ok(data[0].body.endsWith(text));
    return data[0].id;
  }
  const deliveryResult = (notificationId: string) =>
    eventually(
      () => temporal.client.workflow.getHandle(pushDeliveryId({ tenantId: app.tenantId, notificationId })).result(),
      60_000,
    );

  it('pushes a notification to each browser of its user, encrypted for that browser', async () => {
    await choose(true);
    const [phone, laptop] = [await browser('phone'), await browser('laptop')];
    const id = await tell('call them back');
    assert.deepEqual(await deliveryResult(id), { sent: 2, gone: 0, failed: 0 });
    for (const [name, one] of [['/phone', phone] as const, ['/laptop', laptop] as const]) {
      const [push] = service.at(name);
      assert.ok(push !== undefined);
      const message = one.read(push.bytes) as Record<string, unknown>;
      assert.deepEqual([message.notification_id, message.tenant_id, message.type], [id, app.tenantId, 'mention']);
      assert.match(String(message.body), /call them back$/);
      assert.equal(message.action_url, `/api/partners/${partnerId}`);
      assert.match(String(push.headers.authorization), /^vapid t=\S+, k=\S+$/);
      assert.doesNotMatch(push.body, /mention|call them back/);
    }
    assert.throws(() => laptop.read(service.at('/phone')[0]?.bytes ?? Buffer.alloc(0)));
  });

  it('retries only the browsers whose push service did not accept the message', async () => {
    service.answer('/laptop', (response, nth) => status(nth === 2 ? 503 : 201)(response));
    const id = await tell('Once more');
    assert.deepEqual(await deliveryResult(id), { sent: 2, gone: 0, failed: 0 });
    assert.deepEqual([service.at('/phone').length, service.at('/laptop').length], [2, 3]);
  });

  it('unsubscribes a browser that its push service no longer knows', async () => {
    service.answer('/phone', status(410));
    assert.deepEqual(await deliveryResult(await tell('Gone')), { sent: 1, gone: 1, failed: 0 });
    assert.deepEqual(await deliveryResult(await tell('One left')), { sent: 1, gone: 0, failed: 0 });
    assert.equal(service.at('/phone').length, 3);
  });

  it('starts nothing for users who do not want pushes', async () => {
    await choose(false);
    const id = await tell('Silent');
    const { rows } = await app.database.readTenant({ tenantId: app.tenantId }, (db) =>
      db.raw<{ rows: unknown[] }>(`select 1 from outbox where event = 'internal.push_due' and entity_id = ?`, [id]),
    );
    assert.deepEqual(rows, []);
  });
});
