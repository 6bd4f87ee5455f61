import assert from 'node:assert/strict';
import type { Answer, TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const ROUTE = { table_name: 'Item', field_name: 'route', label: 'Delivery route', type: 'TEXT' };
const COLOR = { ...ROUTE, field_name: 'color', label: 'Color', type: 'SELECT', options: ['red', 'green'] };

describe('plugins', () => {
  const app = useApp();
  let number = 0;

  const makeManifest = (more: object = {}) => ({
    name: `Label printer ${++number}`,
    version: '1.4.0',
    permissions: ['items:read', 'custom_fields:read', 'custom_fields:create', 'custom_fields:update'],
    ...more,
  });
  async function install(more: object = {}): Promise<{ id: string; token: string; client: TestClient; made: Answer }> {
    const made = await app.client.post('/api/plugins', makeManifest(more));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id, token } = made.body.data;
    return { id, token, client: app.as(token), made };
  }
  const pluginFields = async (pluginId: string) => {
    const { body } = await app.client.get(`/api/custom-fields?plugin_id=${pluginId}&sort=field_name`);
    return body.data as { id: string; field_name: string; label: string; position: number }[];
  };

  it('are installed, and call with a token that is shown once', async () => {
    const { id, client, token, made } = await install({ description: 'Prints labels' });
    assert.match(token, /^bmsp_/);
    assert.equal(made.headers.get('cache-control'), 'no-store');
    const { token: _, ...shown } = made.body.data;
    const read = await app.client.get(`/api/plugins/${id}`);
    assert.deepEqual(read.body.data, shown);
    assert.deepEqual([shown.version, shown.status, shown.created_by], ['1.4.0', 'enabled', app.userId]);
    assert.deepEqual((await app.client.get(`/api/plugins?name=${encodeURIComponent(shown.name)}`)).body.data[0], shown);
    const { body: me } = await client.get('/api/auth/me');
    assert.deepEqual([me.user, me.apiKeyId, me.pluginId], [null, null, id]);
    const audited = await app.client.get(`/api/audit-logs?entityType=Plugin&entityId=${id}`);
    assert.doesNotMatch(JSON.stringify(audited.body), /token_hash|tokenHash|bmsp_/);
    const told = await app.database.withSystem((trx) =>
      trx('outbox').where({ event: 'plugin.installed', entity_id: id }).first('payload'),
    );
    assert.deepEqual(told?.payload, { plugin_id: id, name: shown.name, version: '1.4.0', error: null });
  });

  it('may do what they were granted, and nothing else', async () => {
    const { client } = await install();
    assert.equal((await client.get('/api/items')).status, 200);
    const refused = await client.get('/api/partners');
    assertProblem(refused, 403, 'forbidden');
    assert.match(refused.body.detail, /^This plugin lacks the permission partners:read$/);
    for (const path of ['/api/sales/invoices', '/api/plugins', '/api/users', '/api/accounting/config']) {
      assert.ok([403, 404].includes((await client.get(path)).status), path);
    }
    const { body } = await client.get('/api/dashboard/summary');
    assert.equal(body.data?.sales ?? null, null);
    const other = app.as((await install()).token, '00000000-0000-4000-8000-000000000001');
    assertProblem(await other.get('/api/items'), 403, 'not_a_member');
  });

  it('cannot be granted what would let them grant themselves more, or what does not exist', async () => {
    const wanted = ['items:read', 'api_keys:create', 'webhooks:update', 'rockets:launch'];
    const refused = await app.client.post('/api/plugins', makeManifest({ permissions: wanted }));
    assertProblem(refused, 422, 'validation_failed');
    assert.deepEqual(
      refused.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/permissions/1', 'not_applicable'],
        ['/permissions/2', 'not_applicable'],
        ['/permissions/3', 'unknown_permission'],
      ],
    );
  });

  it('are refused where their manifest is wrong, and leave nothing behind', async () => {
    const before = (await app.client.get('/api/custom-fields')).body.pagination.total;
    const cases: [object, string][] = [
      [{ version: '1.4' }, '/version'],
      [{ name: '' }, '/name'],
      [{ secret: 'x' }, '/secret'],
      [{ custom_fields: [ROUTE, { ...COLOR, options: null }] }, '/custom_fields/1/options'],
      [{ custom_fields: [ROUTE, { ...ROUTE, field_name: 'Route' }] }, '/custom_fields/1/field_name'],
      [{ custom_fields: [{ ...ROUTE, plugin_id: app.userId }] }, '/custom_fields/0/plugin_id'],
      [{ custom_fields: [{ ...ROUTE, table_name: 'Plugin' }] }, '/custom_fields/0/table_name'],
    ];
    for (const [wrong, pointer] of cases) {
      const refused = await app.client.post('/api/plugins', makeManifest(wrong));
      assertProblem(refused, 422, 'validation_failed');
      assert.equal(refused.body.errors[0].pointer, pointer, JSON.stringify(refused.body));
    }
    assert.equal((await app.client.get('/api/custom-fields')).body.pagination.total, before);
    const { made } = await install();
    assertProblem(
      await app.client.post('/api/plugins', { name: made.body.data.name, version: '2.0.0' }),
      409,
      'duplicate',
    );
  });

  it('own their custom fields: nobody else changes them, and they change no others', async () => {
    const { id, client } = await install({ custom_fields: [{ ...ROUTE, field_name: 'owned' }] });
    const [field] = await pluginFields(id);
    const path = `/api/custom-fields/${field?.id}`;
    assertProblem(await app.client.patch(path, { label: 'Mine' }), 403, 'plugin_owned');
    assertProblem(await app.client.del(path), 403, 'plugin_owned');
    const stolen = { ...ROUTE, field_name: 'stolen', plugin_id: id };
    assertProblem(await app.client.post('/api/custom-fields', stolen), 403, 'plugin_owned');
    assert.equal((await client.patch(path, { label: 'Route of today' })).body.data.label, 'Route of today');
    const added = await client.post('/api/custom-fields', { ...ROUTE, field_name: 'added' });
    assert.deepEqual([added.status, added.body.data.plugin_id], [201, id]);
    const ours = await app.client.post('/api/custom-fields', { ...ROUTE, field_name: 'ours' });
    assertProblem(
      await client.patch(`/api/custom-fields/${ours.body.data.id}`, { label: 'Theirs' }),
      403,
      'plugin_owned',
    );
    const other = await install();
    assertProblem(await other.client.patch(path, { label: 'Theirs' }), 403, 'plugin_owned');
  });

  it('are upgraded: fields as the manifest says, permissions at once', async () => {
    const first = [
      { ...ROUTE, field_name: 'kept', help_text: 'Old' },
      { ...ROUTE, field_name: 'dropped' },
    ];
    const { id, client } = await install({ custom_fields: first });
    await client.post('/api/custom-fields', { ...ROUTE, field_name: 'by_token' });
    const { headers, body } = await app.client.get(`/api/plugins/${id}`);
    const next = {
      ...body.data,
      version: '2.0.0-beta.1',
      permissions: ['partners:read'],
      custom_fields: [
        { ...ROUTE, field_name: 'kept', label: 'Kept' },
        { ...COLOR, field_name: 'new' },
      ],
    };
    const seen = { 'If-Match': String(headers.get('etag')) };
    const changed = await app.client.patch(`/api/plugins/${id}`, next, seen);
    assert.deepEqual([changed.status, changed.body.data.version], [200, '2.0.0-beta.1'], JSON.stringify(changed.body));
    assertProblem(await app.client.patch(`/api/plugins/${id}`, { version: '2.0.0' }, seen), 412, 'stale_version');
    const fields = await pluginFields(id);
    assert.deepEqual(
      fields.map(({ field_name: name, label }) => [name, label]),
      [
        ['by_token', ROUTE.label],
        ['kept', 'Kept'],
        ['new', COLOR.label],
      ],
    );
    assert.equal((await client.get('/api/partners')).status, 200);
    assertProblem(await client.get('/api/items'), 403, 'forbidden');
    assertProblem(await app.client.patch(`/api/plugins/${id}`, { name: 'Another' }), 422, 'validation_failed');
  });

  it('stop at once when disabled, get other tokens, and go with their fields', async () => {
    const { id, client } = await install({ custom_fields: [{ ...ROUTE, field_name: 'gone' }] });
    assert.equal((await client.get('/api/items')).status, 200);
    assert.equal((await app.client.post(`/api/plugins/${id}/disable`)).body.data.status, 'disabled');
    assertProblem(await client.get('/api/items'), 401, 'invalid_token');
    assertProblem(await app.client.post(`/api/plugins/${id}/disable`), 409, 'invalid_transition');
    assert.equal((await app.client.post(`/api/plugins/${id}/enable`)).body.data.status, 'enabled');
    assert.equal((await client.get('/api/items')).status, 200);
    const rotated = await app.client.post(`/api/plugins/${id}/rotate-token`);
    assert.equal(rotated.status, 200);
    assertProblem(await client.get('/api/items'), 401, 'invalid_token');
    const anew = app.as(rotated.body.data.token);
    assert.equal((await anew.get('/api/items')).status, 200);
    assert.equal((await app.client.del(`/api/plugins/${id}`)).status, 204);
    assertProblem(await anew.get('/api/items'), 401, 'invalid_token');
    assert.deepEqual(await pluginFields(id), []);
    assertProblem(await app.client.get(`/api/plugins/${id}`), 404, 'not_found');
  });

  it('schedule reports with their own rights', async () => {
    const { client, id } = await install({ permissions: ['reports:stock', 'plugins:read'] });
    const schedule = { name: 'Stock', report_name: 'stock_valuation', cron: '0 8 * * *' };
    const made = await client.post('/api/report-schedules', schedule);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assertProblem(
      await client.post('/api/report-schedules', { ...schedule, report_name: 'balance_sheet' }),
      403,
      'forbidden',
    );
    await app.client.patch(`/api/plugins/${id}`, { permissions: [] });
    const path = `/api/report-schedules/${made.body.data.id}`;
    await app.client.post(`${path}/pause`);
    assertProblem(await app.client.post(`${path}/resume`), 409, 'invalid_transition');
  });
});
