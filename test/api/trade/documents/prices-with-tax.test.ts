import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;

/** Prices of lists with tax are the prices charged on documents (decision 0160). */
describe('prices with tax', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  let itemId: string;
  let partnerId: string;
  before(async () => {
    const { uomId, salesTaxGroupId } = await till.read(`/api/items/${till.itemId}`);
    const { groupId } = await till.read(`/api/partners/${till.customerId}`);
    const item = { name: 'Libreta', type: 'service', uomId, salesTaxGroupId, salePrice: 3 };
    itemId = (await books.make('/api/items', item)).id;
    const list = await books.make('/api/pricelists', { code: 'PVP', name: 'PVP', includesTax: true });
    await books.make(`/api/pricelists/${list.id}/prices`, { itemId, price: 10 });
    partnerId = (await books.make('/api/partners', { name: 'Bazar', groupId, priceListId: list.id })).id;
  });

  const made = (path: string, lines: readonly Body[], more: Body = {}) =>
    books.make<Answer['body']>(path, {
      partnerId,
      lines: lines.map((line) => ({ itemId, quantity: 1, ...line })),
      ...more,
    });
  const post = (id: string) => books.make(`/api/sales/invoices/${id}/post`);

  it('one piece of 10.00 costs 10.00, in the document, the ledger and the price', async () => {
    const quoted = await till.read(`/api/prices?itemId=${itemId}&partnerId=${partnerId}`);
    assert.deepEqual([quoted.price, quoted.priceWithTax], [8.264463, 10]);
    const invoice = await made('/api/sales/invoices', [{}]);
    // 10.00 × 21 / 121 = 1.74 of tax; 8.26 net.
    assert.deepEqual([invoice.subtotal, invoice.taxTotal, invoice.total], [8.26, 1.74, 10]);
    assert.deepEqual([invoice.lines[0].price, invoice.lines[0].priceWithTax], [8.264463, 10]);
    await post(invoice.id);
    assert.deepEqual(await books.enteredFor(invoice.id), ['D 430 10', 'H 705 8.26', 'H 47700021 1.74']);
    const back = await books.make(`/api/sales/invoices/${invoice.id}/rectify`, { reason: 'Devolución' });
    await post(back.id);
    assert.deepEqual(await books.enteredFor(back.id), ['H 430 10', 'D 705 8.26', 'D 47700021 1.74']);
  });

  it('from the order through the note to invoices of parts, each what its pieces cost', async () => {
    const order = await made('/api/sales', [{ quantity: 3 }]);
    assert.deepEqual([order.subtotal, order.total], [24.79, 30]);
    const line = { baseLineId: order.lines[0].id, quantity: 1 };
    for (const lines of [[line], [{ ...line, quantity: 2 }]]) {
      const note = await books.make<Answer['body']>(`/api/sales/${order.id}/deliver`, { lines });
      const invoice = await books.make<Answer['body']>(`/api/sales/delivery-notes/${note.id}/invoice`);
      assert.equal(invoice.total, 10 * (lines[0]?.quantity ?? 0));
      await post(invoice.id);
    }
  });

  it('with discounts, the surcharge, and lines of both kinds', async () => {
    const discounted = await made('/api/sales/invoices', [{ quantity: 3, discountPercent: 10 }]);
    assert.deepEqual([discounted.total, discounted.discountTotal], [27, 2.48]);
    const surcharged = await made('/api/sales/invoices', [{}], { vatRegime: 'surcharge' });
    // 10.00 × 21 / 126.2 = 1.66 and × 5.2 / 126.2 = 0.41.
    assert.deepEqual(
      [surcharged.subtotal, surcharged.taxes[0].amount, surcharged.taxes[0].surchargeAmount, surcharged.total],
      [7.93, 1.66, 0.41, 10],
    );
    const mixed = await made('/api/sales/invoices', [{}, { price: 5 }]);
    assert.deepEqual([mixed.total, mixed.lines[1].priceWithTax], [16.05, null]);
    for (const { id } of [discounted, surcharged, mixed]) await post(id);
    // Without tax, everybody pays the same net price.
    const exported = await made('/api/sales/invoices', [{}], { vatRegime: 'export' });
    assert.deepEqual([exported.total, exported.lines[0].priceWithTax], [8.26, null]);
  });

  it('a client names one, keeps it when the answer is sent back, and leaves it for a price without', async () => {
    const draft = await made('/api/sales/invoices', [{ priceWithTax: 12.1 }, {}]);
    assert.deepEqual([draft.lines[0].price, draft.total], [10, 22.1]);
    const path = `/api/sales/invoices/${draft.id}`;
    const [first, second] = draft.lines;
    const more = await app.client.patch(path, { lines: [{ ...first, quantity: 2 }, second] });
    assert.equal(more.body.data.total, 34.2, JSON.stringify(more.body));
    const net = await app.client.patch(path, { lines: [{ ...more.body.data.lines[0], price: 9 }, { id: second.id }] });
    assert.deepEqual([net.body.data.lines[0].priceWithTax, net.body.data.lines[1].priceWithTax], [null, 10]);
    const again = await app.client.patch(path, {
      lines: [{ ...net.body.data.lines[0], priceWithTax: 5 }, { id: second.id }],
    });
    assert.equal(again.body.data.total, 20, JSON.stringify(again.body));
    const listed = await app.client.patch(path, {
      lines: [{ id: first.id, quantity: 2, price: null }, { id: second.id }],
    });
    assert.equal(listed.body.data.total, 30, JSON.stringify(listed.body));
    const copy = await books.make<{ total: number }>(`${path}/duplicate`);
    assert.equal(copy.total, 30);
  });

  it('refuses both prices at once, and prices that are none', async () => {
    for (const line of [{ price: 1, priceWithTax: 1.21 }, { priceWithTax: 'ten' }, { priceWithTax: 1e15 }]) {
      const lines = [{ itemId, quantity: 1, ...line }];
      const { status, body } = await app.client.post('/api/sales/invoices', { partnerId, lines });
      assert.deepEqual([status, body.errors[0].pointer], [422, '/lines/0/priceWithTax']);
    }
  });
});
