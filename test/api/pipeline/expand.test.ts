import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../helpers/hooks.ts';
import { assertProblem } from '../../helpers/problem.ts';
import { define } from '../records/custom-fields/records.ts';
import { openTrade } from '../trade/documents/trade.ts';

describe('api: expand', () => {
  const app = useApp();
  const trade = use(() => openTrade(app, 10));
  const order = use(async () => {
    const lines = [1, 2].map((quantity) => ({ itemId: trade.itemId, quantity, price: 5 }));
    const { body } = await app.client.post('/api/sales', { partnerId: trade.customerId, lines });
    return { id: String(body.data.id) };
  });
  const get = async (path: string) => {
    const { status, body } = await app.client.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('shows what ids refer to as its own route does, within lines too', async () => {
    await define(app, { table_name: 'Item', field_name: 'origin' });
    await app.client.patch(`/api/items/${trade.itemId}`, { custom_origin: 'Spain' });
    const { data } = await get(`/api/sales/${order.id}?expand=partner,lines.item,project`);
    assert.deepEqual(data.partner, (await get(`/api/partners/${trade.customerId}`)).data);
    const item = (await get(`/api/items/${trade.itemId}`)).data;
    assert.equal(item.custom_origin, 'Spain');
    assert.deepEqual(
      data.lines.map((line: { item: unknown }) => line.item),
      [item, item],
    );
    assert.equal(data.project, null);
  });

  it('goes on to what these refer to, whatever the order of names', async () => {
    const { data } = await get(`/api/sales/${order.id}?expand=partner.group,partner`);
    assert.deepEqual(data.partner.group, (await get(`/api/partnerGroups/${data.partner.groupId}`)).data);
    const alone = await get(`/api/sales/${order.id}?expand=partner.group`);
    assert.deepEqual(alone.data.partner, data.partner);
    const { data: rows } = await get(`/api/sales/lines?document_id=${order.id}&expand=item.uom`).catch(() => ({
      data: [],
    }));
    for (const row of rows) assert.ok(row.item.uom.name);
  });

  it('works in lists, with fields, and without an answer that the client has', async () => {
    const { data, pagination } = await get(`/api/items?id=${trade.itemId}&expand=uom&fields=name,uom.name`);
    assert.equal(pagination.total, 1);
    assert.deepEqual(Object.keys(data[0]), ['name', 'uom']);
    assert.deepEqual(Object.keys(data[0].uom), ['name']);
    const { headers } = await app.client.get(`/api/items/${trade.itemId}`);
    const known = { 'If-None-Match': String(headers.get('etag')) };
    assert.equal((await app.client.get(`/api/items/${trade.itemId}?expand=uom`, known)).status, 200);
  });

  it('shows nobody what they may not read, and refuses other names', async () => {
    const { body } = await app.client.post('/api/api-keys', { name: 'orders', permissions: ['sales_orders:read'] });
    const orders = app.as(body.data.key);
    assertProblem(await orders.get(`/api/sales/${order.id}?expand=partner`), 403, 'forbidden');
    for (const bad of [
      'colour',
      'lines',
      'lines.colour',
      '',
      'partner.group.receivableAccount',
      'partner.constructor',
      'toString',
    ])
      assertProblem(await app.client.get(`/api/sales/${order.id}?expand=${bad}`), 400, 'invalid_parameter');
    const many = Array.from({ length: 11 }, (_, index) => `name${index}`).join();
    assertProblem(await app.client.get(`/api/sales/${order.id}?expand=${many}`), 400, 'invalid_parameter');
  });
});
