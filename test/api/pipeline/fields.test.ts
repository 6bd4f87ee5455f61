import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../helpers/hooks.ts';
import { assertProblem } from '../../helpers/problem.ts';
import { define } from '../records/custom-fields/records.ts';
import { openTrade } from '../trade/documents/trade.ts';

describe('api: fields', () => {
  const app = useApp();
  const trade = use(() => openTrade(app, 10));
  const invoice = async () => {
    const lines = [{ itemId: trade.itemId, quantity: 2, price: 5 }];
    const { body } = await app.client.post('/api/sales/invoices', { partnerId: trade.customerId, lines });
    return body.data as { id: string; version: number };
  };
  const get = async (path: string) => {
    const answer = await app.client.get(path);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer;
  };

  it('are the only ones in a record, and within others', async () => {
    const { id, version } = await invoice();
    const { body, headers } = await get(
      `/api/sales/invoices/${id}?fields=code,partner.name,lines.quantity, lines.price,total`,
    );
    assert.deepEqual(Object.keys(body), ['data']);
    assert.deepEqual(Object.keys(body.data), ['code', 'partner', 'lines', 'total']);
    assert.deepEqual(Object.keys(body.data.partner), ['name']);
    assert.deepEqual(body.data.lines, [{ quantity: 2, price: 5 }]);
    assert.equal(headers.get('etag'), `"${id}-${version}"`);
    const whole = await get(`/api/sales/invoices/${id}?fields=partner.name,partner`);
    assert.deepEqual(Object.keys(whole.body.data.partner), ['id', 'code', 'name', 'nif']);
  });

  it('are the only ones in the rows of a list, with custom ones', async () => {
    await define(app, { table_name: 'Item', field_name: 'origin' });
    await app.client.patch(`/api/items/${trade.itemId}`, { custom_origin: 'Spain' });
    const { body } = await get(`/api/items?id=${trade.itemId}&fields=name,custom_origin`);
    const [row] = body.data;
    assert.deepEqual([Object.keys(row), row.custom_origin], [['name', 'custom_origin'], 'Spain']);
    assert.equal(body.pagination.total, 1);
  });

  it('reach nothing outside the record, whatever their names', async () => {
    const { id } = await invoice();
    const { body } = await get(`/api/sales/invoices/${id}?fields=partner.__proto__.reached&expand=partner`);
    assert.deepEqual(body.data, { partner: {} });
    await get(`/api/sales/invoices/${id}?fields=partner.__proto__&expand=partner`);
    await get(`/api/items/${trade.itemId}?fields=custom_x.__proto__.reached`);
    assert.equal(Object.hasOwn(Object.prototype, 'reached'), false);
  });

  it('are never answered from what the client has of the whole record', async () => {
    const { headers } = await get(`/api/items/${trade.itemId}`);
    const known = { 'If-None-Match': String(headers.get('etag')) };
    const { status, body } = await app.client.get(`/api/items/${trade.itemId}?fields=name`, known);
    assert.deepEqual([status, Object.keys(body.data)], [200, ['name']]);
  });

  it('are refused where there are none, with those that there are', async () => {
    const { id } = await invoice();
    for (const bad of ['colour', 'lines.colour', 'code,', 'total.amount.more', 'toString']) {
      const answer = await app.client.get(`/api/sales/invoices/${id}?fields=${bad}`);
      assertProblem(answer, 400, 'invalid_parameter');
    }
    const { body } = await app.client.get('/api/sales/invoices?fields=lines.colour');
    assert.match(body.detail, /lines.colour does not exist; known fields are id, docType/);
    assertProblem(await app.client.get('/api/auth/me?fields=user'), 400, 'invalid_parameter');
  });
});
