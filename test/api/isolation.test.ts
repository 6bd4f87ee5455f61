import assert from 'node:assert/strict';
import { ROUTES } from '../../api/routes.ts';
import type { TestClient } from '../helpers/client.ts';
import { useApp } from '../helpers/hooks.ts';

const RESOURCES = ['partnerGroups', 'partners', 'items', 'uom', 'warehouses', 'taxes', 'series', 'periods'];

describe('isolation of companies', () => {
  let other: TestClient;

  const app = useApp();
  before(async () => {
    const company = { name: 'Otra SL', taxId: 'B98765431', country: 'ES', currency: 'EUR' };
    const { status, body } = await app.client.post('/api/tenants', company);
    assert.equal(status, 201, JSON.stringify(body));
    other = app.as(app.token, body.data.id);
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const uomId = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    await app.client.post('/api/partners', { name: 'Mía', groupId, nif: '12345678Z' });
    await app.client.post('/api/items', { name: 'Mío', uomId });
  });

  /** The tables of the database that hold rows of companies. */
  const tenantTables = async (): Promise<string[]> => {
    const { rows } = await app.database.readTenant({ tenantId: app.tenantId }, (db) =>
      db.raw<{ rows: { name: string }[] }>(
        `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relkind = 'r' and a.attname = 'tenant_id' and c.relrowsecurity and has_table_privilege(c.oid, 'select')
           and exists (select 1 from pg_attribute i where i.attrelid = c.oid and i.attname = 'id') order by c.relname`,
      ),
    );
    return rows.map(({ name }) => name);
  };
  const tableRows = (table: string): Promise<{ id: string }[]> =>
    app.database.readTenant({ tenantId: app.tenantId }, (db) => db(table).orderBy('id'));

  for (const resource of RESOURCES) {
    it(`hides the ${resource} of another company`, async () => {
      const mine = (await app.client.get(`/api/${resource}?limit=1`)).body.data[0];
      const path = `/api/${resource}/${mine.id}`;
      const nowhere = await other.get(`/api/${resource}/0190f5fe-7c00-7a00-8abc-012345678901`);
      for (const answer of [await other.get(path), await other.patch(path, { name: 'X' }), await other.del(path)]) {
        assert.equal(answer.status, 404);
        assert.equal(answer.body.detail, nowhere.body.detail);
      }
      const theirs = (await other.get(`/api/${resource}?limit=500`)).body.data as { id: string }[];
      assert.ok(!theirs.some(({ id }) => id === mine.id));
      assert.equal((await other.get(`/api/${resource}?id=${mine.id}`)).body.pagination.total, 0);
      assert.deepEqual((await app.client.get(path)).body.data, mine);
    });
  }

  it('refuses references into another company', async () => {
    const group = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const unit = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    for (const [path, body, pointer] of [
      ['/api/partners', { name: 'X', groupId: group }, '/groupId'],
      ['/api/items', { name: 'X', uomId: unit }, '/uomId'],
    ] as const) {
      const answer = await other.post(path, body);
      assert.equal(answer.status, 422);
      assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, 'invalid_reference']);
    }
  });

  it('says of a foreign item in a document just that', async () => {
    const item = (await app.client.get('/api/items?limit=1')).body.data[0].id;
    const groupId = (await other.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const partnerId = (await other.post('/api/partners', { name: 'Cliente', groupId })).body.data.id;
    const answer = await other.post('/api/sales', { partnerId, lines: [{ itemId: item, quantity: 1 }] });
    assert.equal(answer.status, 422);
    assert.deepEqual(
      answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['/lines/0/itemId', 'invalid_reference']],
    );
  });

  it('hides every row of every table behind every address with an id', async () => {
    const tables = await tenantTables();
    const state = () => Promise.all(tables.map((table) => tableRows(table)));
    const before = await state();
    // Ids of counters are numbers, which are in no address.
    const ids = before.flatMap((rows) => rows.slice(0, 1).map(({ id }) => id)).filter((id) => id.includes('-'));
    assert.ok(ids.length >= 8, 'the first company has rows in too few tables');
    const routes = ROUTES.filter(
      ({ method, path }) => /^(GET|PATCH|DELETE)$/.test(method) && /:id\b/.test(path) && !/:(?!id\b)/.test(path),
    );
    assert.ok(routes.length > 40);
    // Files are also given to signed links, and payslips to nothing else.
    const forged = `?company=${app.tenantId}&expires=9999999999&signature=forged`;
    const signed = new Map([
      ['/api/files/:id', ['', forged]],
      ['/api/payrolls/:id/payslip', [forged]],
    ]);
    for (const { method, path } of routes) {
      const ways = (method === 'GET' && signed.get(path)) || [''];
      for (const address of ids.flatMap((id) => ways.map((way) => path.replace(':id', id) + way))) {
        const answer = await other.request(method, address, method === 'PATCH' ? {} : undefined);
        // Some bodies are refused for what they lack before the id is looked at.
        const allowed = method === 'PATCH' ? [404, 422] : [404];
        assert.ok(allowed.includes(answer.status), `${method} ${address}: ${answer.status}`);
      }
    }
    assert.deepEqual(await state(), before);
  }).timeout(60_000);

  it('keeps codes, tax ids, counters, keys and logs apart', async () => {
    const groupId = (await other.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const key = { 'Idempotency-Key': 'shared' };
    const theirs = await other.post('/api/partners', { name: 'Suya', groupId, nif: '12345678Z' }, key);
    assert.equal(theirs.status, 201);
    assert.equal(theirs.body.data.code, 'CLI00002');
    const mine = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const own = await app.client.post('/api/partners', { name: 'Mía 2', groupId: mine }, key);
    assert.equal(own.status, 201);
    assert.equal(own.headers.get('idempotent-replayed'), null);
    const logs = (await app.client.get(`/api/audit-logs?entityId=${theirs.body.data.id}`)).body;
    assert.equal(logs.pagination.total, 0);
  });
});
