import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('price lists', () => {
  let uomId: string;
  let groupId: string;
  let codes = 0;
  const app = useApp();
  before(async () => {
    uomId = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
  });

  const make = async (path: string, body: unknown) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const list = (values: object = {}) => make('/api/pricelists', { code: `T${++codes}`, name: 'Tarifa', ...values });
  const item = () => make('/api/items', { name: 'Naranja', uomId });
  /** A list with an item, and the address of its prices. */
  const open = async (values: object = {}) => {
    const [{ id }, { id: itemId }] = await Promise.all([list(values), item()]);
    return { id, itemId, path: `/api/pricelists/${id}/prices` };
  };
  const refused = async (path: string, body: unknown, pointer: string, method = 'POST') => {
    const answer = await app.client.request(method, path, body);
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual(
      answer.body.errors.map((error: { pointer: string }) => error.pointer),
      [pointer],
    );
  };

  it('take the company’s currency and do not end before they begin', async () => {
    const made = await list();
    assert.deepEqual(
      {
        currency: made.currency,
        includesTax: made.includesTax,
        active: made.active,
        validFrom: made.validFrom,
        validTo: made.validTo,
      },
      { currency: 'EUR', includesTax: false, active: true, validFrom: null, validTo: null },
    );
    assert.equal((await list({ currency: 'USD' })).currency, 'USD');
    assertProblem(await app.client.post('/api/pricelists', { code: made.code, name: 'X' }), 409, 'duplicate');
    await refused('/api/pricelists', { code: 'X', name: 'X', currency: 'euro' }, '/currency');
    const dates = { validFrom: '2026-02-01', validTo: '2026-01-31' };
    await refused('/api/pricelists', { code: 'X', name: 'X', ...dates }, '/validTo');
    const path = `/api/pricelists/${made.id}`;
    assert.equal((await app.client.patch(path, { validTo: '2026-01-31' })).status, 200);
    await refused(path, { validFrom: '2026-02-01' }, '/validTo', 'PATCH');
    assert.equal((await app.client.patch(path, { validFrom: '2026-01-31' })).body.data.validFrom, '2026-01-31');
  });

  it('have prices below them', async () => {
    const { id, itemId, path } = await open();
    const answer = await app.client.post(path, { itemId, price: 0.123456 });
    const made = answer.body.data;
    assert.equal(answer.headers.get('location'), `${path}/${made.id}`);
    assert.deepEqual(
      {
        priceListId: made.priceListId,
        itemId: made.itemId,
        price: made.price,
        discountPercent: made.discountPercent,
        minQuantity: made.minQuantity,
      },
      { priceListId: id, itemId, price: 0.123456, discountPercent: null, minQuantity: 1 },
    );
    assert.deepEqual((await app.client.get(`${path}/${made.id}`)).body.data, made);
    await make(path, { itemId, discountPercent: 12.5, minQuantity: 10 });
    const quantities = (await app.client.get(path)).body.data.map((row: { minQuantity: number }) => row.minQuantity);
    assert.deepEqual(quantities, [1, 10]);
    assert.equal((await app.client.get(`${path}?itemId=${itemId}&minQuantity[gte]=10`)).body.pagination.total, 1);
    const elsewhere = `/api/pricelists/${(await list()).id}/prices`;
    assert.equal((await app.client.get(elsewhere)).body.pagination.total, 0);
    assertProblem(await app.client.get(`${elsewhere}/${made.id}`), 404, 'not_found');
    assertProblem(await app.client.get(`/api/pricelists/${uomId}/prices`), 404, 'not_found');
    assertProblem(await app.client.post(`/api/pricelists/${uomId}/prices`, { itemId, price: 1 }), 404, 'not_found');
    assertProblem(
      await app.client.patch(`${path}/${made.id}`, { price: 2 }, { 'If-Match': '"7"' }),
      412,
      'stale_version',
    );
    assert.equal((await app.client.del(`${path}/${made.id}`)).status, 204);
    assertProblem(await app.client.del(`/api/items/${itemId}`), 409, 'in_use');
  });

  it('have either a price or a discount', async () => {
    const { itemId, path } = await open();
    await refused(path, { itemId }, '/price');
    await refused(path, { itemId, price: 1, discountPercent: 10 }, '/discountPercent');
    await refused(path, { itemId, price: -1 }, '/price');
    await refused(path, { itemId, price: 0.1234567 }, '/price');
    await refused(path, { itemId, discountPercent: 100.01 }, '/discountPercent');
    await refused(path, { itemId, price: 1, minQuantity: 0 }, '/minQuantity');
    await refused(path, { itemId: uomId, price: 1 }, '/itemId');
    await refused(path, { itemId, price: 1, validFrom: '2026-02-01', validTo: '2026-01-31' }, '/validTo');
    const one = `${path}/${(await make(path, { itemId, price: 3 })).id}`;
    await refused(one, { discountPercent: 10 }, '/discountPercent', 'PATCH');
    await refused(one, { price: null }, '/price', 'PATCH');
    const switched = (await app.client.patch(one, { price: null, discountPercent: 10 })).body.data;
    assert.deepEqual([switched.price, switched.discountPercent], [null, 10]);
    await refused(one, { price: 3 }, '/discountPercent', 'PATCH');
    const back = (await app.client.patch(one, { price: 0, discountPercent: null })).body.data;
    assert.deepEqual([back.price, back.discountPercent], [0, null]);
  });

  it('have no two prices for the same item, quantity and day', async () => {
    const { itemId, path } = await open();
    const january = { itemId, price: 1, validFrom: '2026-01-01', validTo: '2026-01-31' };
    await make(path, january);
    for (const validity of [
      {},
      { validFrom: '2026-01-31' },
      { validTo: '2026-01-01' },
      { validFrom: '2026-01-10', validTo: '2026-01-10' },
    ]) {
      assertProblem(await app.client.post(path, { itemId, discountPercent: 5, ...validity }), 409, 'overlap');
    }
    const later = await make(path, { ...january, validFrom: '2026-02-01', validTo: null });
    await make(path, { ...january, minQuantity: 1.000001 });
    await make(path, { ...january, itemId: (await item()).id });
    assertProblem(await app.client.patch(`${path}/${later.id}`, { validFrom: '2026-01-31' }), 409, 'overlap');
    assertProblem(await app.client.patch(`${path}/${later.id}`, { validFrom: null }), 409, 'overlap');
    assert.equal((await app.client.get(path)).body.pagination.total, 4);
  });

  it('let one of many overlapping prices in', async () => {
    const { itemId, path } = await open();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        app.client.post(path, { itemId, price: index, validFrom: `2026-01-${String(index + 1).padStart(2, '0')}` }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array<number>(23).fill(409)]);
    assert.equal((await app.client.get(path)).body.pagination.total, 1);
  });

  it('let one of two changes in that would overlap', async () => {
    const { itemId, path } = await open();
    const [one, two] = [
      await make(path, { itemId, price: 1, minQuantity: 2 }),
      await make(path, { itemId, price: 1, minQuantity: 3 }),
    ];
    const answers = await Promise.all(
      [one, two].map(({ id }) => app.client.patch(`${path}/${id}`, { minQuantity: 5 })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  it('go with what is being added to them, or without it', async () => {
    const { id, itemId, path } = await open();
    const [gone, ...added] = await Promise.all([
      app.client.del(`/api/pricelists/${id}`),
      ...Array.from({ length: 8 }, (_, index) => app.client.post(path, { itemId, price: 1, minQuantity: index + 1 })),
    ]);
    assert.equal(gone?.status, 204);
    for (const { status } of added) assert.ok([201, 404].includes(status), `answered ${status}`);
    assertProblem(await app.client.get(path), 404, 'not_found');
    assert.equal((await app.client.del(`/api/items/${itemId}`)).status, 204);
  });

  it('stay while partners use them, and take their prices with them', async () => {
    const { id, itemId, path } = await open();
    const price = await make(path, { itemId, price: 1.5, validFrom: '2026-01-01' });
    await make(path, { itemId, discountPercent: 5, minQuantity: 2 });
    const partner = await make('/api/partners', { name: 'Ana', groupId, priceListId: id });
    assert.equal(partner.priceListId, id);
    assert.equal((await app.client.get(`/api/partners?priceListId=${id}`)).body.pagination.total, 1);
    const used = await app.client.del(`/api/pricelists/${id}`);
    assertProblem(used, 409, 'in_use');
    assert.deepEqual(used.body.uses, [{ entityType: 'BusinessPartner', count: 1 }]);
    assert.equal((await app.client.get(path)).body.pagination.total, 2);
    assert.equal((await app.client.patch(`/api/partners/${partner.id}`, { priceListId: null })).status, 200);
    assert.equal((await app.client.del(`/api/pricelists/${id}`)).status, 204);
    const { action, oldValue } = (await app.client.get(`/api/audit-logs?entityId=${price.id}`)).body.data[0];
    assert.deepEqual([action, oldValue], ['DELETE', price]);
    assert.equal((await app.client.del(`/api/items/${itemId}`)).status, 204);
  });

  it('are given to partners only while they are active', async () => {
    const { id } = await list({ active: false });
    await refused('/api/partners', { name: 'Ana', groupId, priceListId: id }, '/priceListId');
    await refused('/api/partners', { name: 'Ana', groupId, priceListId: uomId }, '/priceListId');
    assert.equal((await app.client.patch(`/api/pricelists/${id}`, { active: true })).status, 200);
    const partner = await make('/api/partners', { name: 'Ana', groupId, priceListId: id });
    await app.client.patch(`/api/pricelists/${id}`, { active: false });
    // A partner keeps an inactive list when other members change.
    const path = `/api/partners/${partner.id}`;
    assert.equal((await app.client.patch(path, { name: 'Ana B', priceListId: id })).status, 200);
  });

  it('of thousands of prices are deleted in one go', async () => {
    const { id, itemId, path } = await open();
    await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw(
        `insert into prices (id, tenant_id, price_list_id, item_id, price, min_quantity, created_at, updated_at)
           select gen_random_uuid(), ?, ?, ?, n, n, now(), now() from generate_series(1, 3000) n`,
        [app.tenantId, id, itemId],
      ),
    );
    assert.equal((await app.client.get(`${path}?limit=1`)).body.pagination.total, 3_000);
    assert.equal((await app.client.del(`/api/pricelists/${id}`)).status, 204);
    assert.equal(
      (await app.client.get('/api/audit-logs?entityType=Price&action=DELETE&limit=1')).body.pagination.total >= 3_000,
      true,
    );
  });
});
