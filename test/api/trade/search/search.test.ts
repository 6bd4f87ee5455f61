import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FOUND_TYPES } from '../../../../services/trade/search/search.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../documents/trade.ts';

interface Result {
  readonly type: string;
  readonly id: string;
  readonly code: string | null;
  readonly amount: number | null;
  readonly matched: string;
  readonly path: string;
}

describe('api: search', () => {
  const app = useApp();
  const trade = use(() => openTrade(app, 10));
  const find = async (q: string, client: TestClient = app.client, more = ''): Promise<Result[]> => {
    const { status, body } = await client.get(`/api/search?q=${encodeURIComponent(q)}${more}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const types = (results: readonly Result[]) => results.map(({ type }) => type);
  const posted = async (price: number, reference: string) => {
    const lines = [{ itemId: trade.itemId, quantity: 1, price }];
    const { body } = await app.client.post('/api/sales/invoices', { partnerId: trade.customerId, lines, reference });
    return (await app.client.post(`/api/sales/invoices/${body.data.id}/post`)).body.data;
  };

  it('finds each kind by what it is known by, and says where to read it', async () => {
    const invoice = await posted(417, 'SHOP-88812');
    const payment = {
      partner_id: trade.customerId,
      amount: 33.33,
      payment_date: invoice.date,
      payment_method: 'transfer',
    };
    await app.client.post('/api/payments/in', { ...payment, reference: 'TRANSFER-7731' });
    const [byCode] = await find(invoice.code);
    assert.deepEqual([byCode?.type, byCode?.id, byCode?.matched], ['sales_invoice', invoice.id, 'code']);
    assert.equal((await find('shop-888'))[0]?.id, invoice.id);
    const byAmount = (await find(String(invoice.total))).filter(({ matched }) => matched === 'amount');
    assert.ok(byAmount.some(({ id }) => id === invoice.id) && types(byAmount).includes('journal_entry'));
    assert.equal(types(await find('transfer-7731'))[0], 'payment_in');
    assert.deepEqual(types(await find('33,33')).includes('payment_in'), true);
    const { body } = await app.client.get(`/api/partners/${trade.customerId}`);
    assert.equal((await find(body.data.name))[0]?.type, 'partner');
    for (const { path } of [...(await find(invoice.code)), ...(await find(body.data.name)), ...(await find('33.33'))])
      assert.equal((await app.client.get(path)).status, 200, path);
  });

  it('puts equal codes before beginnings, and these before what has the text inside', async () => {
    const { body: groups } = await app.client.get('/api/partnerGroups?isCustomer=true');
    const made = (code: string, name: string) =>
      app.client.post('/api/partners', { code, name, groupId: groups.data[0].id });
    await made('XX-RANK-2', 'Inside');
    await made('RANK-22', 'Begun');
    await made('RANK-2', 'Equal');
    await made('OTHER', 'A rank-2 in its name');
    assert.deepEqual(
      (await find('rank-2')).map(({ code }) => code),
      ['RANK-2', 'RANK-22', 'XX-RANK-2', 'OTHER'],
    );
    assert.equal((await find('rank-2', app.client, '&limit=1')).length, 1);
  });

  it('shows nobody what they may not read', async () => {
    const invoice = await posted(733, 'SECRET-1');
    const key = async (permissions: string[]) => {
      const { body } = await app.client.post('/api/api-keys', { name: permissions.join(), permissions });
      return app.as(body.data.key);
    };
    const items = await key(['items:read']);
    assert.deepEqual(await find(invoice.code, items), []);
    assert.deepEqual(await find('886.93', items), []);
    assertProblem(await items.get('/api/search?q=any&types=partner'), 403, 'forbidden');
    const invoices = await key(['sales_invoices:read']);
    assert.deepEqual(types(await find(invoice.code, invoices)), ['sales_invoice']);
    const other = await app.client.post('/api/tenants', { name: 'Other SL', taxId: 'B12345674', country: 'ES' });
    assert.deepEqual(await find(invoice.code, app.as(app.token, other.body.data.id)), []);
  });

  it('takes texts as they are, and refuses what it cannot search', async () => {
    for (const text of ['%%', '__', "';--", '\\\\', 'ñañ', '100%_']) assert.ok(Array.isArray(await find(text)));
    for (const bad of [
      'q=a',
      'q=%20a%20',
      'q=',
      'types=partner',
      'q=abc&types=people',
      'q=abc&limit=51',
      'q=abc&types=toString',
    ])
      assertProblem(await app.client.get(`/api/search?${bad}`), 400, 'invalid_parameter');
    assert.equal(new Set(FOUND_TYPES).size, 14);
  });
});
