/** The example of docs/guide.md, as a process of its own: a hook triggers a rule, which has the plugin do its action. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { freePort } from '../../runtime/ports.ts';
import { openTill } from '../api/trade/payments/till.ts';
import { use, useIntegrations, useWorker } from '../helpers/hooks.ts';
import { eventually, testConfig } from '../helpers/worker.ts';

const MANIFEST = {
  name: 'Label printer',
  version: '1.0.0',
  hooks: [{ name: 'scanned', schema: { type: 'object', properties: { item_id: { type: 'string', format: 'uuid' } } } }],
  actions: [
    {
      name: 'print-label',
      schema: {
        type: 'object',
        properties: { item_id: { type: 'string', format: 'uuid' }, text: { type: 'string', maxLength: 40 } },
        required: ['item_id', 'text'],
      },
    },
  ],
  permissions: ['items:read', 'items:update'],
  custom_fields: [{ table_name: 'Item', field_name: 'label', label: 'Label', type: 'TEXT' }],
};

describe('the example plugin', function () {
  this.timeout(180_000);
  const { temporal, app, receiver } = useIntegrations();
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const till = use(() => openTill(app));
  const processes: ChildProcess[] = [];
  after(() => {
    for (const process of processes) process.kill();
  });

  async function posted(path: string, body: object) {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body.data;
  }
  const box = async (code: string) => {
    const { body } = await app.client.get('/api/uom');
    return await posted('/api/items', { code, name: 'Box', uomId: body.data[0].id });
  };
  const install = (more: object) => posted('/api/plugins', { ...MANIFEST, ...more });
  async function start(env: Record<string, string>): Promise<void> {
    const path = new URL('../../demo/plugin.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, ['--import', 'tsx', path], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    processes.push(child);
    await once(child.stdout, 'data');
  }
  const ended = (id: string) =>
    eventually(async () => {
      const { body } = await app.client.get(`/api/automations/${id}/logs`);
      const run = body.data.find(({ status }: { status: string }) => status !== 'running');
      assert.ok(run, JSON.stringify(body.data));
      return run;
    }, 60_000);
  const ruleFor = (pluginId: string, params: object) => ({
    name: `Labels ${pluginId}`,
    trigger: { type: 'plugin.hook', plugin_id: pluginId, hook: 'scanned' },
    actions: [{ type: 'plugin.execute', plugin_id: pluginId, action: 'print-label', params }],
  });

  it('fires a hook, whose rule has it write its field by its own token', async () => {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const { id, token, secret } = await install({ base_url: base });
    assert.match(secret, /^whsec_/);
    await start({ SERVICE: app.address, PLUGIN_ID: id, TOKEN: token, SECRET: secret, PORT: String(port) });
    const item = await box('LBL-1');
    const rule = await posted(
      '/api/automations',
      ruleFor(id, { item_id: '{{event.payload.item_id}}', text: 'Scanned' }),
    );
    const scan = {
      method: 'POST',
      headers: { 'idempotency-key': 'scan-1' },
      body: JSON.stringify({ item_id: item.id }),
    };
    assert.equal((await fetch(`${base}/scan`, scan)).status, 202);
    assert.equal((await fetch(`${base}/scan`, scan)).status, 202);
    const run = await ended(rule.id);
    assert.equal(run.status, 'success', JSON.stringify(run));
    assert.equal((await app.client.get(`/api/items/${item.id}`)).body.data.custom_label, 'Scanned');
    assert.equal((await app.client.get(`/api/automations/${rule.id}`)).body.data.execution_count, 1);
    const forged = { method: 'POST', body: JSON.stringify({ id: 'x', params: { item_id: item.id, text: 'Forged' } }) };
    assert.equal((await fetch(`${base}/actions/print-label`, forged)).status, 401);
  });

  it('reports a failure once: by an event, a notification and the log of the rule', async () => {
    const { id, secret, token } = await install({
      name: 'Failing',
      base_url: `${receiver.url}/failing/`,
      custom_fields: [],
    });
    receiver.answer(
      '/failing/actions/print-label',
      (response) => void response.writeHead(302, { location: '/' }).end(),
    );
    const item = await box('LBL-2');
    const rule = await posted('/api/automations', ruleFor(id, { item_id: item.id, text: '{{event.payload.item_id}}' }));
    for (const _ of [1, 2]) {
      const fired = await app.as(token).post(`/api/plugins/${id}/hooks/scanned`, { item_id: item.id });
      assert.equal(fired.status, 204, JSON.stringify(fired.body));
    }
    const run = await ended(rule.id);
    assert.deepEqual([run.status, run.results[0].error], ['failed', 'HTTP 302'], JSON.stringify(run));
    await eventually(async () => assert.equal(receiver.at('/failing/actions/print-label').length, 2), 60_000);
    const [got] = receiver.at('/failing/actions/print-label');
    const stamp = got?.headers['x-service-timestamp'];
    const expected = createHmac('sha256', secret).update(`${stamp}.${got?.body}`).digest('hex');
    assert.equal(got?.headers['x-service-signature'], `sha256=${expected}`);
    assert.deepEqual(JSON.parse(got?.body ?? '').params, { item_id: item.id, text: item.id });
    const { body: inbox } = await app.client.get('/api/notifications?type=plugin_error');
    assert.equal(inbox.data.length, 1);
    const events = await app.database.withSystem((trx) =>
      trx('outbox').where({ event: 'plugin.error', entity_id: id }),
    );
    assert.deepEqual(
      events.map(({ payload }) => payload.error),
      ['print-label: HTTP 302'],
    );
  });

  it('cannot delay or overload the service by its answers, and gets nothing unsigned', async () => {
    const { id, token } = await install({ name: 'Huge', base_url: `${receiver.url}/huge`, custom_fields: [] });
    receiver.answer('/huge/actions/print-label', (response) => void response.end('x'.repeat(5_000_000)));
    const item = await box('LBL-4');
    const rule = await posted('/api/automations', ruleFor(id, { item_id: item.id, text: 'x' }));
    const fire = () => app.as(token).post(`/api/plugins/${id}/hooks/scanned`, { item_id: item.id });
    assert.equal((await fire()).status, 204);
    const run = await ended(rule.id);
    assert.equal(run.results[0].status, 'success');
    assert.ok(JSON.stringify(run).length < 5000);
    await app.database.withSystem((trx) =>
      trx('plugins')
        .where({ id })
        .update({ secret_encrypted: Buffer.from('of another key') }),
    );
    assert.equal((await fire()).status, 204);
    await eventually(async () => {
      const { body } = await app.client.get(`/api/automations/${rule.id}/logs`);
      assert.match(JSON.stringify(body.data), /secret cannot be opened/);
    }, 60_000);
    assert.equal(receiver.at('/huge/actions/print-label').length, 1);
  });

  it('fails its rules with a reason when it is disabled or its input is invalid', async () => {
    const { id, token } = await install({ name: 'Disabled', base_url: `${receiver.url}/off`, custom_fields: [] });
    const item = await box('LBL-3');
    const rule = await posted('/api/automations', ruleFor(id, { item_id: '{{event.name}}', text: 'x' }));
    const fired = await app.as(token).post(`/api/plugins/${id}/hooks/scanned`, { item_id: item.id });
    assert.equal(fired.status, 204);
    assert.match((await ended(rule.id)).results[0].error, /\/item_id/);
    const byDocument = await posted('/api/automations', {
      ...ruleFor(id, { item_id: item.id, text: 'x' }),
      name: 'By document',
      trigger: { type: 'document.created' },
    });
    await posted(`/api/plugins/${id}/disable`, {});
    await posted('/api/sales', { partnerId: till.customerId, lines: [{ description: 'Work', quantity: 1, price: 5 }] });
    assert.match((await ended(byDocument.id)).results[0].error, /disabled/);
    assert.equal(receiver.received.filter(({ path }) => path.startsWith('/off')).length, 0);
  });
});
