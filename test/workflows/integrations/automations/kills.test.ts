import assert from 'node:assert/strict';
import { openTill } from '../../../api/trade/payments/till.ts';
import { use, useIntegrations } from '../../../helpers/hooks.ts';
import { ALLOWED_TARGETS } from '../../../helpers/targets.ts';
import { eventually, killed, workerProcess } from '../../../helpers/worker.ts';

describe('a run of an automation whose worker is killed between two actions', function () {
  this.timeout(180_000);
  const { temporal, app, receiver } = useIntegrations();
  const till = use(() => openTill(app));

  it('continues elsewhere: completed actions are not repeated, and the interrupted one keeps its key', async () => {
    const servers = { url: app.databaseUrl, ...temporal };
    const start = () => workerProcess(servers, 'automations,webhooks', { WEBHOOK_ALLOWED_TARGETS: ALLOWED_TARGETS });
    const tell = (title: string) => ({ type: 'notification.create', role: 'owner', title, body: '{{document.code}}' });
    const made = await app.client.post('/api/automations', {
      name: 'Tell, call, tell',
      trigger: { type: 'document.created', document_type: 'sales_order' },
      actions: [tell('First'), { type: 'http.request', url: `${receiver.url}/slow` }, tell('Last')],
    });
    const victim = await start();
    const cutOff = new Promise<void>((resolve) => {
      receiver.answer('/slow', (response, nth) => {
        if (nth > 1) response.end('thanks');
        else void killed(victim).then(resolve);
      });
    });
    const lines = [{ description: 'Transporte', quantity: 1, price: 100 }];
    await app.client.post('/api/sales', { partnerId: till.customerId, lines });
    await cutOff;
    const other = await start();
    try {
      const logs = `/api/automations/${made.body.data.id}/logs`;
      const run = await eventually(async () => {
        const [entry] = (await app.client.get(logs)).body.data;
        assert.equal(entry?.status, 'success', JSON.stringify(entry));
        return entry;
      }, 120_000);
      assert.equal(run.results.length, 3);
      const { body } = await app.client.get('/api/notifications?type=automation_triggered&limit=100');
      const times = (title: string) => body.data.filter((one: { title: string }) => one.title === title).length;
      assert.deepEqual([times('First'), times('Last')], [1, 1]);
      assert.equal(new Set(receiver.at('/slow').map(({ headers }) => headers['idempotency-key'])).size, 1);
      assert.equal(receiver.at('/slow').length, 2);
    } finally {
      await killed(other);
    }
  });
});
