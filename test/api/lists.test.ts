import assert from 'node:assert/strict';
import { useApp } from '../helpers/hooks.ts';

describe('lists', () => {
  let unit: string;
  const codes = async (query: string) => {
    const { status, body } = await app.client.get(`/api/items?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map(({ code }: { code: string }) => code) as string[];
  };

  const app = useApp();
  before(async () => {
    unit = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    const items = [
      { code: 'A1', name: 'Tuerca 100%', salePrice: 1.5, sku: 'X_1' },
      { code: 'A2', name: 'Tornillo', salePrice: 10 },
      { code: 'A3', name: 'Arandela', salePrice: 9.99, type: 'service' },
      { code: 'B1', name: "O'Brien; drop table items; --", salePrice: 10, active: false },
    ];
    for (const item of items) {
      const { status } = await app.client.post('/api/items', { uomId: unit, ...item });
      assert.equal(status, 201);
    }
  });

  it('filters by every operator', async () => {
    const cases: [string, string[]][] = [
      ['code=A1', ['A1']],
      ['code[ne]=A1', ['A2', 'A3', 'B1']],
      ['code[in]=A1,B1', ['A1', 'B1']],
      ['salePrice[gte]=9.99&salePrice[lt]=10', ['A3']],
      ['salePrice[gt]=9.99', ['A2', 'B1']],
      ['salePrice[lte]=1.5', ['A1']],
      ['name[contains]=ORN', ['A2']],
      ['name[contains]=%25', ['A1']],
      ['name[contains]=%27', ['B1']],
      ['sku[contains]=_', ['A1']],
      ['sku[empty]=true', ['A2', 'A3', 'B1']],
      ['sku[empty]=false', ['A1']],
      ['sku[ne]=X_1', ['A2', 'A3', 'B1']],
      ['type=service', ['A3']],
      ['active=false', ['B1']],
      ['q=drop%20table', ['B1']],
      [`uomId=${unit}&active=true&type=product`, ['A1', 'A2']],
      ['createdAt[gte]=2020-01-01&createdAt[lt]=2021-01-01T00:00:00Z', []],
    ];
    for (const [query, expected] of cases) assert.deepEqual(await codes(query), expected, query);
  });

  it('sorts, with the id as the last key, and pages', async () => {
    assert.deepEqual(await codes('sort=-salePrice,code'), ['A2', 'B1', 'A3', 'A1']);
    const pages: string[] = [];
    for (const page of [1, 2]) {
      const { body } = await app.client.get(`/api/items?sort=-active&limit=3&page=${page}`);
      pages.push(...body.data.map(({ code }: { code: string }) => code));
      assert.deepEqual(body.pagination, { total: 4, page, per_page: 3, has_more: page === 1 });
    }
    assert.equal(new Set(pages).size, 4);
    const { body } = await app.client.get('/api/items?page=9');
    assert.deepEqual(body, { data: [], pagination: { total: 4, page: 9, per_page: 50, has_more: false } });
  });

  it("counts days in the company's time zone", async () => {
    const { body } = await app.client.get('/api/items?code=A1');
    const { id } = body.data[0];
    const log = (await app.client.get(`/api/audit-logs?entityId=${id}`)).body.data[0];
    // Half an hour after midnight in Madrid is still the day before in UTC.
    await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx('items').where({ id }).update({ created_at: '2020-06-30T22:30:00Z' }),
    );
    assert.deepEqual(await codes('createdAt=2020-07-01'), ['A1']);
    assert.deepEqual(await codes('createdAt=2020-06-30'), []);
    assert.deepEqual(await codes('createdAt[gte]=2020-07-01&createdAt[lte]=2020-07-01'), ['A1']);
    assert.deepEqual(await codes('createdAt[lte]=2020-06-30'), []);
    assert.deepEqual(await codes('createdAt[gt]=2020-06-30&createdAt[lt]=2020-07-02'), ['A1']);

    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(new Date(log.createdAt));
    const of = async (query: string) =>
      (await app.client.get(`/api/audit-logs?entityId=${id}&${query}`)).body.pagination?.total as number;
    assert.equal(await of(`dateFrom=${day}&dateTo=${day}`), 1);
    assert.equal(await of(`dateTo=${day}`), 1);
    assert.equal(await of('dateTo=2020-01-01'), 0);
    assert.equal((await app.client.get('/api/audit-logs?dateTo=2026-02-30')).status, 400);
  });

  it('filters the audit log', async () => {
    const { body } = await app.client.get('/api/audit-logs?entityType=Item&action=CREATE&limit=2');
    assert.equal(body.pagination.total, 4);
    assert.deepEqual(
      body.data.map((log: { newValue: { code: string } }) => log.newValue.code),
      ['B1', 'A3'],
    );
    assert.equal(body.data[0].userId, app.userId);
    assert.equal(body.data[0].tenantId, app.tenantId);
    const one = await app.client.get(`/api/audit-logs/${body.data[0].id}`);
    assert.deepEqual(one.body.data, body.data[0]);
    assert.equal((await app.client.get(`/api/audit-logs?userId=${app.tenantId}`)).body.pagination.total, 0);
    assert.equal((await app.client.get('/api/audit-logs?action=LOOK')).status, 400);
  });
});
