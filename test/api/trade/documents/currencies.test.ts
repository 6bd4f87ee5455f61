import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;

/** Documents in other currencies (decision 0317). */
describe('documents in other currencies', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const line = (quantity: number, price: number, more: Body = {}) => ({
    itemId: till.itemId,
    quantity,
    price,
    ...more,
  });
  const made = (path: string, lines: readonly Body[], more: Body = {}) => {
    const partnerId = path.startsWith('/api/purchases') ? till.supplierId : till.customerId;
    return books.make<Answer['body']>(path, { partnerId, lines, currency: 'USD', ...more });
  };
  const posted = async (invoice: Answer['body'], path = '/api/sales/invoices') => {
    await books.make(`${path}/${invoice.id}/post`);
    return (await app.client.get(`${path}/${invoice.id}`)).body.data;
  };

  before(async () => {
    await app.client.put('/api/config/flags', { allowNegativeStock: true });
    for (const [currency, date, rate] of [
      ['USD', '2026-01-01', 1.25],
      ['USD', '2026-03-01', 1.1],
      ['JPY', '2026-01-01', 160],
    ])
      await books.make('/api/exchange-rates', { currency, date, rate });
  });

  it('are entered in the currency of the company, line by line', async () => {
    const draft = await made('/api/sales/invoices', [line(1, 33.33), line(3, 33.33)], { date: '2026-01-10' });
    assert.deepEqual([draft.currency, draft.exchangeRate, draft.total], ['USD', 1.25, 161.32]);
    assert.deepEqual(
      draft.warnings.map((one: { pointer: string; code: string }) => [one.pointer, one.code]),
      [['/exchangeRate', 'old_exchange_rate']],
    );
    const invoice = await posted(draft);
    assert.deepEqual(invoice.companyAmounts, {
      ...{ subtotal: 106.65, taxTotal: 22.4, withholdingAmount: 0 },
      ...{ total: 129.05, paidTotal: 0, outstanding: 129.05 },
    });
    assert.deepEqual(await books.enteredFor(invoice.id), ['D 430 129.05', 'H 700 106.65', 'H 47700021 22.4']);
    const { data } = (await app.client.get(`/api/journal-entries?sourceId=${invoice.id}`)).body;
    const { lines } = (await app.client.get(`/api/journal-entries/${data[0].id}`)).body.data;
    assert.deepEqual([lines[0].currency, lines[0].currencyAmount, lines[1].currency], ['USD', 161.32, null]);
  });

  it('follow the day of their tax, until a rate is given', async () => {
    const draft = await made('/api/sales/invoices', [line(1, 110)], { date: '2026-02-28' });
    assert.equal(draft.exchangeRate, 1.25);
    const change = async (body: Body) =>
      (await app.client.patch(`/api/sales/invoices/${draft.id}`, body)).body.data as Answer['body'];
    assert.equal((await change({ date: '2026-03-02' })).exchangeRate, 1.1);
    assert.equal((await change({ operationDate: '2026-02-20' })).exchangeRate, 1.25);
    const given = await change({ exchangeRate: 1.2 });
    assert.deepEqual([given.exchangeRate, given.companyAmounts.subtotal], [1.2, 91.67]);
    assert.equal((await change({ notes: 'Thanks' })).exchangeRate, 1.2);
    assert.equal((await change({ exchangeRate: null })).exchangeRate, 1.25);
    const own = await change({ currency: 'EUR' });
    assert.deepEqual([own.currency, own.exchangeRate, own.companyAmounts, own.total], ['EUR', null, null, 133.1]);
    const yen = await change({ currency: 'JPY', lines: [{ itemId: till.itemId, quantity: 3, price: 333.4 }] });
    assert.deepEqual([yen.subtotal, yen.taxTotal, yen.companyAmounts.subtotal], [1000, 210, 6.25]);
  });

  it('hand their currency on to follow-ups, each at the rate of its own day', async () => {
    const order = await made('/api/sales', [line(2, 55)], { date: '2026-02-01' });
    const note = await books.make<Answer['body']>(`/api/sales/${order.id}/deliver`, { date: '2026-02-02' });
    const draft = await books.make<Answer['body']>(`/api/sales/delivery-notes/${note.id}/invoice`, {
      date: '2026-03-05',
    });
    assert.deepEqual([order.exchangeRate, note.exchangeRate, draft.exchangeRate], [1.25, 1.25, 1.1]);
    const invoice = await posted(draft);
    assert.deepEqual([invoice.currency, invoice.companyAmounts.subtotal], ['USD', 100]);
    const credit = await books.make<Answer['body']>(`/api/sales/invoices/${invoice.id}/rectify`, {
      ...{ reason: 'Error', date: '2026-04-01' },
    });
    assert.deepEqual([credit.exchangeRate, credit.companyAmounts.total], [1.1, -121]);
    const other = await made('/api/sales', [line(1, 5)], { date: '2026-02-01' });
    const lines = [{ baseId: other.id, quantity: 1 }];
    const mixed = { partnerId: till.customerId, currency: 'EUR', lines };
    assertRefused(await app.client.post('/api/sales/invoices', mixed), '/lines/0/baseId');
  });

  it('bring goods in at their cost in the currency of the company', async () => {
    const { uomId } = (await app.client.get(`/api/items/${till.itemId}`)).body.data;
    const { id: itemId } = await books.make('/api/items', { name: 'Imported', uomId, costMethod: 'fifo' });
    const bought = { itemId, quantity: 10, price: 5 };
    const note = await made('/api/purchases/delivery-notes', [bought], { date: '2026-02-10' });
    const level = async () => (await app.client.get(`/api/stock/movements?itemId=${itemId}&limit=9`)).body.data;
    assert.deepEqual(
      (await level()).map((each: { value: number }) => each.value),
      [40],
    );
    const draft = await books.make<Answer['body']>(`/api/purchases/delivery-notes/${note.id}/invoice`, {
      ...{ date: '2026-03-10', supplierReference: 'US-1' },
    });
    await posted(draft, '/api/purchases/invoices');
    assert.deepEqual((await level()).map((each: { value: number }) => each.value).sort(), [40, 5.45]);
  });

  it('are refused without a rate, with one of their own, and in a currency that is none', async () => {
    const body = { partnerId: till.customerId, lines: [line(1, 1)] };
    const refused = async (more: Body, pointer: string) =>
      assertRefused(await app.client.post('/api/sales', { ...body, ...more }), pointer);
    await refused({ currency: 'GBP' }, '/exchangeRate');
    await refused({ currency: 'USD', date: '2025-12-31' }, '/exchangeRate');
    await refused({ exchangeRate: 1.1 }, '/exchangeRate');
    await refused({ currency: 'ABC' }, '/currency');
    await refused({ currency: 'USD', exchangeRate: 0 }, '/exchangeRate');
    const rate = { currency: 'EUR', date: '2026-01-01', rate: 1 };
    assertRefused(await app.client.post('/api/exchange-rates', rate), '/currency');
  });
});
