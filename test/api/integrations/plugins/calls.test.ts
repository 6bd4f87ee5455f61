/** Addresses, hooks, actions and secrets in manifests, and their use by rules (decision 0200). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { signingSecrets } from '../../../../services/integrations/webhooks/secrets.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY } from '../../../helpers/worker.ts';

const NUMBER = { type: 'object', properties: { count: { type: 'integer', minimum: 1 } }, required: ['count'] };
const OFFERS = {
  base_url: 'https://plugins.example.com/labels/',
  hooks: [{ name: 'scanned', description: 'Something was scanned', schema: NUMBER }],
  actions: [{ name: 'print', schema: NUMBER }],
};

describe('calls of plugins', () => {
  const app = useApp(() => ({ env: { ENCRYPTION_KEY } }));
  let number = 0;

  const makeManifest = (more: object = {}) => ({ name: `Printer ${++number}`, version: '1.0.0', ...OFFERS, ...more });
  async function install(more: object = {}) {
    const made = await app.client.post('/api/plugins', makeManifest(more));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.data;
  }
  const ruleFor = (id: string, params: object = { count: 1 }) => ({
    name: `Rule ${++number}`,
    trigger: { type: 'plugin.hook', plugin_id: id, hook: 'scanned' },
    actions: [{ type: 'plugin.execute', plugin_id: id, action: 'print', params }],
  });
  const told = (id: string) =>
    app.database.withSystem((trx) => trx('outbox').where({ event: 'plugin.hook', entity_id: id }));

  it('go only to public addresses, with schemas that are safe', async () => {
    const offer = { name: 'go', schema: { type: 'object', properties: { a: { pattern: '(a+)+$' } } } };
    const cases: [object, string, string][] = [
      [{ base_url: 'http://169.254.169.254/' }, '/base_url', 'private_address'],
      [{ base_url: 'http://127.0.0.1:8080' }, '/base_url', 'private_address'],
      [{ base_url: 'ftp://example.com' }, '/base_url', 'invalid_url'],
      [{ base_url: null }, '/base_url', 'required'],
      [{ hooks: [{ name: 'Not this' }] }, '/hooks/0/name', 'invalid_format'],
      [{ hooks: [{ name: 'a' }, { name: 'a' }] }, '/hooks/1/name', 'duplicate'],
      [{ actions: [offer] }, '/actions/0/schema/properties/a/pattern', 'unknown_keyword'],
      [
        { actions: [{ name: 'go', schema: { $ref: 'https://example.com' } }] },
        '/actions/0/schema/type',
        'invalid_schema',
      ],
      [{ actions: [{ name: 'go', url: 'https://example.com' }] }, '/actions/0/url', 'unknown_field'],
    ];
    for (const [wrong, pointer, code] of cases) {
      const refused = await app.client.post('/api/plugins', makeManifest(wrong));
      assertProblem(refused, 422, 'validation_failed');
      const [fault] = refused.body.errors;
      assert.deepEqual([fault.pointer, fault.code], [pointer, code], JSON.stringify(refused.body));
    }
  });

  it('are signed with a secret that is shown once, sealed, and rotated', async () => {
    const { id, secret } = await install();
    assert.match(secret, /^whsec_/);
    const { body: read } = await app.client.get(`/api/plugins/${id}`);
    assert.deepEqual([read.data.secret_set, read.data.base_url], [true, OFFERS.base_url]);
    assert.deepEqual([read.data.hooks, read.data.actions], [OFFERS.hooks, OFFERS.actions]);
    const rotated = await app.client.post(`/api/plugins/${id}/rotate-secret`);
    assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
    assert.notEqual(rotated.body.data.secret, secret);
    assert.notEqual(rotated.body.data.previous_valid_until, null);
    const row = await app.database.withSystem((trx) => trx('plugins').where({ id }).first());
    assert.ok(!row.secret_encrypted.includes(Buffer.from(rotated.body.data.secret)));
    const audited = await app.client.get(`/api/audit-logs?entityType=Plugin&entityId=${id}`);
    assert.doesNotMatch(JSON.stringify(audited.body), /whsec_|secret_encrypted|secretEncrypted/);
    const silent = await install({ base_url: null, actions: [] });
    assert.deepEqual([silent.secret, silent.secret_set], [undefined, false]);
    assertProblem(await app.client.post(`/api/plugins/${silent.id}/rotate-secret`), 409, 'invalid_transition');
  });

  it('are signed from the first address on, even when an upgrade adds it', async () => {
    const { id } = await install({ base_url: null, actions: [] });
    const path = `/api/plugins/${id}`;
    const quiet = await app.client.patch(path, { version: '1.1.0' });
    assert.deepEqual([quiet.body.data.secret, quiet.body.data.secret_set], [undefined, false]);
    const first = await app.client.patch(path, { base_url: OFFERS.base_url, actions: OFFERS.actions });
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.match(first.body.data.secret, /^whsec_/);
    assert.deepEqual([first.body.data.secret_set, first.headers.get('cache-control')], [true, 'no-store']);
    const { body: read } = await app.client.get(path);
    const { secret, ...shown } = first.body.data;
    assert.deepEqual(read.data, shown);
    const audited = await app.client.get(`/api/audit-logs?entityType=Plugin&entityId=${id}`);
    assert.ok(!JSON.stringify(audited.body).includes(secret));
    // The secret stays from then on, even without an address.
    for (const change of [{ base_url: null, actions: [] }, { base_url: 'https://plugins.example.com/moved' }]) {
      const { body } = await app.client.patch(path, change);
      assert.deepEqual([body.data.secret, body.data.secret_set], [undefined, true]);
    }
    const kept = await app.database.withSystem((trx) => trx('plugins').where({ id }).first());
    const deps = { id, tenantId: app.tenantId, secretEncrypted: kept.secret_encrypted, retiredSecretsEncrypted: null };
    assert.deepEqual(signingSecrets([ENCRYPTION_KEY], deps, new Date()), [secret]);
  });

  it('begin with hooks, which only the plugin fires, with the data that their schemas require', async () => {
    const { id, token } = await install();
    const other = await install();
    const path = `/api/plugins/${id}/hooks/scanned`;
    assertProblem(await app.client.post(path, { count: 1 }), 403, 'plugin_owned');
    assertProblem(await app.as(other.token).post(path, { count: 1 }), 403, 'plugin_owned');
    assertProblem(await app.as(`${token}x`).post(path, { count: 1 }), 401, 'invalid_token');
    const plugin = app.as(token);
    assertProblem(await plugin.post(`/api/plugins/${id}/hooks/nothing`, { count: 1 }), 404, 'not_found');
    const wrong = await plugin.post(path, { count: 0 });
    assertProblem(wrong, 422, 'validation_failed');
    assert.equal(wrong.body.errors[0].pointer, '/count');
    assertProblem(await plugin.post(path, { count: 1, more: 'x'.repeat(50_000) }), 422, 'validation_failed');
    assert.deepEqual(await told(id), []);
    for (const _ of [1, 2]) {
      const fired = await plugin.request('POST', path, { count: 3 }, { 'Idempotency-Key': 'scan-3' });
      assert.equal(fired.status, 204, JSON.stringify(fired.body));
    }
    const [event, ...more] = await told(id);
    assert.deepEqual([event.payload, more], [{ plugin_id: id, hook: 'scanned', payload: { count: 3 } }, []]);
    await app.client.post(`/api/plugins/${id}/disable`);
    assertProblem(await plugin.post(path, { count: 1 }), 401, 'invalid_token');
  });

  it('are requested by rules, which name existing plugins and actions', async () => {
    const { id } = await install();
    const rule = ruleFor(id);
    const [action] = rule.actions;
    const cases: [object, string][] = [
      [{ trigger: { ...rule.trigger, plugin_id: randomUUID() } }, '/trigger/plugin_id'],
      [{ trigger: { ...rule.trigger, hook: 'print' } }, '/trigger/hook'],
      [{ actions: [{ ...action, plugin_id: randomUUID() }] }, '/actions/0/plugin_id'],
      [{ actions: [{ ...action, action: 'scanned' }] }, '/actions/0/action'],
      [{ actions: [{ ...action, params: { count: 0 } }] }, '/actions/0/params/count'],
      [{ actions: [{ ...action, params: {} }] }, '/actions/0/params/count'],
    ];
    for (const [wrong, pointer] of cases) {
      const refused = await app.client.post('/api/automations', { ...rule, ...wrong });
      assertProblem(refused, 422, 'validation_failed');
      assert.equal(refused.body.errors[0].pointer, pointer, JSON.stringify(refused.body));
    }
    const made = await app.client.post('/api/automations', ruleFor(id, { count: '{{document.total}}' }));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const tried = await app.client.post(`/api/automations/${made.body.data.id}/test`);
    assert.equal(tried.body.data.actions[0].rendered.action, 'print', JSON.stringify(tried.body));
  });

  it('belong to one company: another finds no plugin, and cannot name it', async () => {
    const company = { name: 'Otra SL', taxId: 'B98765431', country: 'ES', currency: 'EUR' };
    const { body } = await app.client.post('/api/tenants', company);
    const other = app.as(app.token, body.data.id);
    const mine = await install();
    const path = `/api/plugins/${mine.id}`;
    for (const answer of [
      await other.get(path),
      await other.patch(path, { base_url: 'https://elsewhere.example.com' }),
      await other.del(path),
      ...(await Promise.all(['disable', 'rotate-token', 'rotate-secret'].map((verb) => other.post(`${path}/${verb}`)))),
    ]) {
      assertProblem(answer, 404, 'not_found');
    }
    assert.equal((await other.get('/api/plugins')).body.pagination.total, 0);
    const refused = await other.post('/api/automations', ruleFor(mine.id));
    assert.deepEqual(
      refused.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/trigger/plugin_id', '/actions/0/plugin_id'],
    );
    const theirs = (await other.post('/api/plugins', makeManifest())).body.data;
    const fired = await app.as(theirs.token, body.data.id).post(`${path}/hooks/scanned`, { count: 1 });
    assertProblem(fired, 403, 'plugin_owned');
    const { token: _, secret: __, ...shown } = mine;
    assert.deepEqual((await app.client.get(path)).body.data, shown);
    assert.deepEqual(await told(mine.id), []);
  });

  it('keep rules working: what they name cannot be removed', async () => {
    const { id } = await install();
    const made = await app.client.post('/api/automations', ruleFor(id));
    const path = `/api/plugins/${id}`;
    for (const change of [{ hooks: [] }, { actions: [] }]) {
      const refused = await app.client.patch(path, change);
      assertProblem(refused, 409, 'in_use');
      assert.deepEqual(refused.body.uses, [{ entityType: 'Automation', count: 1 }]);
    }
    assertProblem(await app.client.del(path), 409, 'in_use');
    const more = { hooks: [...OFFERS.hooks, { name: 'moved' }], version: '1.1.0' };
    assert.equal((await app.client.patch(path, more)).status, 200);
    assert.equal((await app.client.del(`/api/automations/${made.body.data.id}`)).status, 204);
    assert.equal((await app.client.patch(path, { hooks: [], actions: [] })).status, 200);
    assert.equal((await app.client.del(path)).status, 204);
  });
});
