import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { link, openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Other currencies beside everything else that documents do; the books are checked when the suite ends (decision 0317). */
describe('documents in other currencies, beside other features', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const made = (path: string, lines: readonly Body[], more: Body = {}): Promise<Data> =>
    till.document(path, lines, { currency: 'USD', date: '2026-01-10', ...more });
  const act = (path: string, body: Body = {}): Promise<Data> => books.make(path, body);
  const read = async (path: string): Promise<Data> => (await app.client.get(path)).body.data;
  const paid = async (direction: 'in' | 'out', amount: number, more: Body): Promise<Data> => {
    const answer: Answer = await till.pay(direction, amount, { payment_date: '2026-03-10', ...more });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  };

  before(async () => {
    await app.client.put('/api/config/flags', { allowNegativeStock: true });
    for (const [date, rate] of [
      ['2026-01-01', 1.25],
      ['2026-03-01', 1.1],
    ])
      await books.make('/api/exchange-rates', { currency: 'USD', date, rate });
  });

  it('are entered with their notes, taken back, and invoiced at another rate', async () => {
    const { body: accounting } = await app.client.get('/api/config/accounting');
    await app.client.put('/api/config/accounting', { ...accounting, noteEntries: true });
    const note = await made('/api/purchases/delivery-notes', [till.line(10, 5.55)]);
    const lines = [{ baseLineId: note.lines[0].id, quantity: 3 }];
    await act(`/api/purchases/delivery-notes/${note.id}/return`, { date: '2026-01-12', lines });
    const draft = await act(`/api/purchases/delivery-notes/${note.id}/invoice`, { date: '2026-03-05' });
    await act(`/api/purchases/invoices/${draft.id}/post`);
    const credit = await act(`/api/purchases/invoices/${draft.id}/rectify`, { reason: 'Error', date: '2026-03-06' });
    await act(`/api/purchases/invoices/${credit.id}/post`);
    const sold = await made('/api/sales/delivery-notes', [till.line(4, 9.99)], { date: '2026-02-01' });
    const invoice = await act(`/api/sales/delivery-notes/${sold.id}/invoice`, { date: '2026-03-07' });
    await act(`/api/sales/invoices/${invoice.id}/post`);
    await act(`/api/sales/invoices/${invoice.id}/cancel`, { date: '2026-03-08' });
    await app.client.put('/api/config/accounting', { ...accounting, noteEntries: false });
  });

  it('are substituted, duplicated and discounted', async () => {
    const discounted = { discountPercent: 7, chargeAmount: 12.34, withholdingRate: 15 };
    const draft = await made('/api/sales/invoices', [till.line(3, 33.33), till.line(1, 0.07)], discounted);
    await act(`/api/sales/invoices/${draft.id}/post`);
    const substitute = await act(`/api/sales/invoices/${draft.id}/rectify`, {
      ...{ reason: 'Precio', rectificationMethod: 'substitution', date: '2026-03-02' },
    });
    assert.deepEqual([substitute.exchangeRate, substitute.total], [1.25, 0]);
    const { lines } = substitute;
    const changed = lines.map(({ id, quantity }: Data) => (quantity < 0 ? { id } : { id, price: 20 }));
    await app.client.patch(`/api/sales/invoices/${draft.id}`, { notes: 'Gone' });
    const patched = await app.client.patch(`/api/sales/invoices/${substitute.id}`, { lines: changed });
    assert.equal(patched.status, 200, JSON.stringify(patched.body));
    await act(`/api/sales/invoices/${substitute.id}/post`);
    const again = await act(`/api/sales/invoices/${draft.id}/duplicate`);
    assert.deepEqual([again.currency, again.exchangeRate], ['USD', 1.1]);
  });

  it('bear tax that cannot be deducted, taxes of buyers, and customs', async () => {
    const bought = [till.line(2, 50.55, { deductiblePercent: 50 }), till.line(1, 10, { vatUse: 'none' })];
    const invoice = await made('/api/purchases/invoices', bought, { supplierReference: 'U-1' });
    await act(`/api/purchases/invoices/${invoice.id}/post`);
    assert.ok((await read(`/api/purchases/invoices/${invoice.id}`)).lines[0].nonDeductibleTax > 0);
    const euro = await made('/api/purchases/invoices', [till.line(1, 99.99)], {
      vatRegime: 'intra_eu',
      supplierReference: 'U-2',
    });
    await act(`/api/purchases/invoices/${euro.id}/post`);
    const customs = { number: '26ES000111222333A4', date: '2026-01-10', base: 90, vatAmount: 18.9 };
    const imported = await made('/api/purchases/invoices', [till.line(1, 110)], {
      ...{ vatRegime: 'export', supplierReference: 'U-3', customsDocument: customs },
    });
    await act(`/api/purchases/invoices/${imported.id}/post`);
  });

  it('are paid with discounts, withholdings and in instalments', async () => {
    const { id } = await till.invoice('sales', 200, { currency: 'USD', date: '2026-01-10' });
    const extras = { discount: 5, withholding: 3, write_off: 0.5 };
    await app.client.put('/api/config/payments', { writeOffLimit: 1 });
    const payment = await paid('in', 191.5, { linked_documents: [link(id, 191.5, 'sales_invoice', extras)] });
    assert.equal((await read(`/api/sales/invoices/${id}`)).companyAmounts.outstanding, 0);
    const changed = await app.client.patch(`/api/payments/in/${payment.id}`, {
      linked_documents: [{ ...link(id, 100), id: payment.linked_documents[0].id }],
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual([changed.body.data.credit], [91.5]);
    const terms = await act('/api/payment-terms', {
      ...{ code: 'HALVES', name: 'Halves' },
      lines: [
        { percent: 50, days: 0 },
        { percent: 50, days: 60 },
      ],
    });
    const parts = await till.invoice('sales', 33.35, { currency: 'USD', date: '2026-01-10', paymentTermsId: terms.id });
    const halves = [1, 2].map((instalment) => link(parts.id, undefined, 'sales_invoice', { instalment }));
    await paid('in', 33.35, { linked_documents: halves });
    assert.equal((await read(`/api/sales/invoices/${parts.id}`)).companyAmounts.outstanding, 0);
    await paid('in', 50, { linked_documents: [link((await till.invoice('sales', 40, { currency: 'USD' })).id)] });
  });

  it('are offered, ordered, changed and made again and again', async () => {
    const offer = await made('/api/sales/quotations', [till.line(2, 10)], {});
    await act(`/api/sales/quotations/${offer.id}/issue`);
    await act(`/api/sales/quotations/${offer.id}/accept`);
    const order = await act(`/api/sales/quotations/${offer.id}/order`, {});
    assert.equal(order.currency, 'USD');
    const patched = await app.client.patch(`/api/sales/${order.id}`, {
      lines: [{ id: order.lines[0].id, quantity: 1 }],
    });
    assert.equal(patched.status, 200, JSON.stringify(patched.body));
    assert.equal(patched.body.data.companyAmounts.subtotal, 9.09);
    const listed = await read('/api/sales/lines?currency=USD&docType=sales_order');
    assert.deepEqual(
      listed.map((one: Data) => [one.amount, one.companyAmount]),
      [[10, 9.09]],
    );
    const report = (await app.client.get('/api/reports/profit-customer')).body;
    assert.ok(report.summary !== undefined, JSON.stringify(report));
    const partner = await read(`/api/partners/${till.customerId}`);
    const limited = await app.client.patch(`/api/partners/${partner.id}`, { currency: 'USD', creditLimit: 1 });
    assert.equal(limited.body.data.currency, 'USD');
    const next = await act('/api/sales', { partnerId: partner.id, lines: [till.line(1, 11)] });
    assert.deepEqual([next.currency, next.companyAmounts.subtotal], ['USD', 10]);
  });

  it('take prices from lists in their currency, or convert those of the company', async () => {
    const [usd, eur] = await Promise.all(
      ['USD', 'EUR'].map((currency) => act('/api/pricelists', { code: currency, name: currency, currency })),
    );
    for (const [list, price] of [
      [usd, 7],
      [eur, 10],
    ])
      await act(`/api/pricelists/${list.id}/prices`, { itemId: till.itemId, price });
    const quoted = async (priceListId: string | null, currency: string) => {
      await app.client.patch(`/api/partners/${till.customerId}`, { priceListId });
      const query = `partnerId=${till.customerId}&itemId=${till.itemId}&date=2026-03-10&currency=${currency}`;
      return (await app.client.get(`/api/prices?${query}`)).body;
    };
    assert.equal((await quoted(usd.id, 'USD')).price, 7);
    assert.equal((await quoted(eur.id, 'USD')).price, 11);
    assert.equal((await quoted(eur.id, 'EUR')).price, 10);
    assert.equal((await quoted(usd.id, 'EUR')).price, 6.36);
    const { groupId } = await read(`/api/partners/${till.customerId}`);
    const listed = await act('/api/partners', { name: 'By list', groupId, priceListId: usd.id });
    const lines = [{ itemId: till.itemId, quantity: 1 }];
    const ordered = await act('/api/sales', { partnerId: listed.id, date: '2026-03-10', lines });
    assert.deepEqual([ordered.currency, ordered.lines[0].price], ['USD', 7]);
    const order = await act('/api/sales', {
      ...{
        partnerId: till.customerId,
        currency: 'USD',
        date: '2026-03-10',
        lines: [{ itemId: till.itemId, quantity: 1 }],
      },
    });
    assert.equal(order.lines[0].price, 7);
    const none = await app.client.get(`/api/prices?itemId=${till.itemId}&currency=GBP`);
    assert.equal(none.status, 422);
  });
});
