import assert from 'node:assert/strict';
import { COMPANY } from '../../../helpers/app.ts';
import { useApp } from '../../../helpers/hooks.ts';

describe('api: company and tenants', () => {
  const app = useApp();

  it('replaces the company: what is left out goes back to its default', async () => {
    const defaults = {
      ...{ address: null, city: null, zipCode: null, country: 'ES', email: null, phone: null, website: null },
      ...{ logoUrl: null, taxSet: 'vat', currency: 'EUR', fiscalYearStart: '01-01' },
    };
    const first = await app.client.get('/api/company');
    assert.deepEqual(first.body, { ...defaults, ...COMPANY });
    const given = { name: 'Nueva SL', taxId: 'B87654323', city: 'Lorca', email: 'hola@example.com', currency: 'USD' };
    const put = await app.client.put('/api/company', given);
    assert.deepEqual([put.status, put.body], [200, { ...defaults, ...given }]);
    assert.deepEqual((await app.client.get('/api/company')).body, put.body);
    const mine = await app.client.get('/api/tenants/mine');
    assert.deepEqual(
      { name: mine.body.data.name, taxId: mine.body.data.taxId, role: mine.body.data.role },
      { name: 'Nueva SL', taxId: 'B87654323', role: 'owner' },
    );
    const back = await app.client.put('/api/company', COMPANY, { 'If-Match': put.headers.get('ETag') ?? '' });
    assert.deepEqual([back.status, back.body], [200, { ...defaults, ...COMPANY }]);
    const stale = await app.client.put('/api/company', given, { 'If-Match': put.headers.get('ETag') ?? '' });
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale_version']);
  });

  it('refuses bad data', async () => {
    const bad: [object, string][] = [
      [{ name: 'X' }, '/taxId'],
      [{ ...COMPANY, taxId: 'B12345678' }, '/taxId'],
      [{ ...COMPANY, country: 'DE' }, '/taxId'],
      [{ ...COMPANY, currency: 'euro' }, '/currency'],
      [{ ...COMPANY, logoUrl: 'javascript:alert(1)' }, '/logoUrl'],
      [{ ...COMPANY, fiscalYearStart: '02-29' }, '/fiscalYearStart'],
      [{ ...COMPANY, slug: 'mine' }, '/slug'],
    ];
    for (const [body, pointer] of bad) {
      const answer = await app.client.put('/api/company', body);
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.pointer], [422, pointer]);
    }
  });

  it('keeps tax ids in one form, and takes those of countries without a rule as they are', async () => {
    const { body } = await app.client.post('/api/tenants', { name: 'Hellas', taxId: 'GR 094259216', country: 'GR' });
    assert.equal(body.data.taxId, 'EL094259216');
    assert.equal((await app.as(app.token, body.data.id).get('/api/company')).body.taxId, 'EL094259216');
    const wrong = await app.client.post('/api/tenants', { name: 'Hellas', taxId: '094259217', country: 'GR' });
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/taxId']);
    const abroad = await app.client.post('/api/tenants', { name: 'Overseas', taxId: '12-3456789', country: 'US' });
    assert.equal(abroad.body.data.taxId, '123456789');
  });

  it('creates a further company that sees nothing of the first', async () => {
    const { status, body, headers } = await app.client.post('/api/tenants', { name: 'Second', taxId: 'B20000006' });
    assert.equal(status, 201);
    assert.equal(headers.get('Location'), `/api/tenants/${body.data.id}`);
    const second = app.as(app.token, body.data.id);
    assert.equal((await second.get('/api/company')).body.name, 'Second');
    assert.equal((await second.get(`/api/users/${app.userId}`)).body.data.role, 'owner');
    assert.equal((await app.client.get(`/api/tenants/${body.data.id}`)).body.data.name, 'Second');

    const outsider = { email: 'out@example.com', name: 'Out', password: 'correct horse battery' };
    const created = await second.post('/api/users', { ...outsider, role: 'admin' });
    assert.equal(created.status, 201);
    const { token } = (
      await app.anonymous.post('/api/auth/login', { email: outsider.email, password: outsider.password })
    ).body;
    for (const path of [`/api/tenants/${app.tenantId}`, '/api/memberships/01900000-0000-7000-8000-000000000000']) {
      assert.equal((await app.as(token).get(path)).status, 404, path);
    }
    assert.equal((await app.as(token, app.tenantId).get('/api/company')).status, 403);
    assert.equal((await app.client.get(`/api/users/${created.body.data.id}`)).status, 404);
  });

  it('leaves company creation repeatable by Idempotency-Key', async () => {
    const create = () =>
      app.client.post('/api/tenants', { name: 'Third', taxId: 'B30000004' }, { 'Idempotency-Key': 'third-company' });
    const [first, second] = [await create(), await create()];
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.equal(second.body.data.id, first.body.data.id);
    assert.equal(second.headers.get('Idempotent-Replayed'), 'true');
  });
});
