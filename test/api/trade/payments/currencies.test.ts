import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { link, openTill } from './till.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Payments in other currencies, and what they realise (decision 0317). */
describe('payments in other currencies', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const invoice = (side: 'sales' | 'purchases', total: number, more: Body = {}) =>
    till.invoice(side, total, { currency: 'USD', date: '2026-01-10', ...more });
  const received = async (amount: number, more: Body = {}): Promise<Data> => {
    const { status, body } = await till.pay('in', amount, { payment_date: '2026-03-10', ...more });
    assert.equal(status, 201, JSON.stringify(body));
    return body.data;
  };
  const shown = async (id: string): Promise<Data> => (await app.client.get(`/api/sales/invoices/${id}`)).body.data;

  before(async () => {
    for (const [currency, date, rate] of [
      ['USD', '2026-01-01', 1.25],
      ['USD', '2026-03-01', 1.1],
    ])
      await books.make('/api/exchange-rates', { currency, date, rate });
  });

  it('realise a gain where the currency has risen since the invoice', async () => {
    const { id } = await invoice('sales', 110);
    const payment = await received(110, { linked_documents: [link(id)] });
    assert.deepEqual([payment.currency, payment.exchange_rate, payment.company_amount], ['USD', 1.1, 100]);
    assert.equal(payment.linked_documents[0].exchange_difference, 12);
    assert.deepEqual(await till.entered(payment.id), ['572 100 0', '430 0 88', '768 0 12']);
    const { companyAmounts, outstanding } = await shown(id);
    assert.deepEqual([companyAmounts.paidTotal, companyAmounts.outstanding, outstanding], [88, 0, 0]);
    await app.client.del(`/api/payments/in/${payment.id}`);
    assert.deepEqual((await shown(id)).companyAmounts.paidTotal, 0);
    await received(110, { linked_documents: [link(id)] });
  });

  it('lose to the company what a supplier gets more, with what the bank took', async () => {
    const { id } = await invoice('purchases', 100);
    const { body } = await till.pay('out', 100, {
      ...{ payment_date: '2026-03-10', company_amount: 95.5 },
      linked_documents: [link(id, undefined, 'purchase_invoice')],
    });
    assert.equal(body.data.linked_documents[0].exchange_difference, -15.5);
    assert.deepEqual(await till.entered(body.data.id), ['572 0 95.5', '410 80 0', '668 15.5 0']);
  });

  it('settle in parts without leaving a cent, whatever is taken back', async () => {
    const { id } = await invoice('sales', 100, { exchangeRate: 3 });
    const part = (amount: number) => received(amount, { linked_documents: [link(id, amount)] });
    const parts = [await part(33.33), await part(33.33), await part(33.34)];
    assert.deepEqual((await shown(id)).companyAmounts, {
      ...{ subtotal: 33.33, taxTotal: 0, withholdingAmount: 0, total: 33.33, paidTotal: 33.33, outstanding: 0 },
    });
    await app.client.del(`/api/payments/in/${parts[0].id}`);
    assert.equal((await shown(id)).companyAmounts.outstanding, 11.11);
    await part(33.33);
    assert.equal((await shown(id)).companyAmounts.outstanding, 0);
  });

  it('are credit that is applied later, with the difference of that day', async () => {
    const payment = await received(55, { currency: 'USD' });
    assert.deepEqual(await till.entered(payment.id), ['572 50 0', '438 0 50']);
    const { id } = await invoice('sales', 40, { date: '2026-03-20' });
    const { body } = await app.client.post(`/api/payments/in/${payment.id}/apply`, { mode: 'by_date' });
    assert.deepEqual([body.data.amount_applied, body.data.credit], [40, 15], JSON.stringify(body));
    assert.deepEqual((await till.entered(payment.id)).slice(2), ['438 36.36 0', '430 0 36.36']);
    const other = await invoice('sales', 15);
    await app.client.post(`/api/payments/in/${payment.id}/apply`, {
      ...{ mode: 'manual', linked_documents: [link(other.id)] },
    });
    assert.deepEqual((await till.entered(payment.id)).slice(4), ['438 13.64 0', '430 0 12', '768 0 1.64']);
    const back = await till.cameBack(payment.id);
    assert.deepEqual(await till.entered(back.id), ['572 0 50', '430 48.36 0', '768 1.64 0']);
    assert.equal((await shown(id)).companyAmounts.outstanding, 36.36);
  });

  it('pass advances on orders to their invoices, and offset credits', async () => {
    const lines = [{ itemId: till.itemId, quantity: 1, price: 100 }];
    const order: Data = await books.make('/api/sales', {
      ...{ partnerId: till.customerId, currency: 'USD', date: '2026-01-10', lines },
    });
    const advance = await received(121, { linked_documents: [link(order.id, undefined, 'sales_order')] });
    await app.client.put('/api/config/flags', { allowNegativeStock: true });
    const draft: Data = await books.make(`/api/sales/${order.id}/invoice`, { date: '2026-03-20' }).catch(async () => {
      const note: Data = await books.make(`/api/sales/${order.id}/deliver`, { date: '2026-03-19' });
      return await books.make(`/api/sales/delivery-notes/${note.id}/invoice`, { date: '2026-03-20' });
    });
    await books.make(`/api/sales/invoices/${draft.id}/post`);
    assert.deepEqual((await shown(draft.id)).companyAmounts.outstanding, 0);
    assert.deepEqual((await till.entered(advance.id)).slice(2), ['438 110 0', '430 0 110']);
    const { id } = await invoice('sales', 20);
    const credit: Data = await books.make(`/api/sales/invoices/${id}/rectify`, { reason: 'Error', date: '2026-03-22' });
    await books.make(`/api/sales/invoices/${credit.id}/post`);
    const offset: Data = await books.make('/api/payments/offsets', {
      partner_id: till.customerId,
      linked_documents: [link(id), link(credit.id)].map(({ document_type, document_id }) => ({
        document_type,
        document_id,
      })),
    });
    assert.deepEqual([offset.amount, offset.currency], [20, 'USD']);
    assert.deepEqual((await shown(id)).companyAmounts.outstanding, 0);
  });

  it('are refused with rates that cannot be, and for documents in another currency', async () => {
    const refused = async (more: Body, pointer: string) =>
      assertRefused(await till.pay('in', 10, { payment_date: '2026-03-10', ...more }), pointer);
    await refused({ exchange_rate: 1.1 }, '/exchange_rate');
    await refused({ company_amount: 9 }, '/company_amount');
    await refused({ currency: 'GBP' }, '/exchange_rate');
    await refused({ currency: 'USD', exchange_rate: 1.1, company_amount: 9 }, '/exchange_rate');
    const { id } = await invoice('sales', 10);
    await refused({ currency: 'EUR', linked_documents: [link(id)] }, '/linked_documents/0/document_id');
  });
});
