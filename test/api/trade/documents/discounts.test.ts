import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Line = any;

/** Discounts of whole documents, and second ones of lines (decision 0307). */
describe('discounts', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const shares = ({ lines }: Answer['body']) => lines.map((each: Line) => each.documentDiscount);

  it('of a line: one percentage after the other', async () => {
    const invoice = await till.document('/api/sales/invoices', [
      till.line(2, 100, { discountPercent: 10, secondDiscountPercent: 5 }),
    ]);
    assert.deepEqual([invoice.subtotal, invoice.discountTotal, invoice.total], [171, 29, 206.91]);
    await books.make(`/api/sales/invoices/${invoice.id}/post`);
    const { data } = (await app.client.get(`/api/sales/lines?documentId=${invoice.id}`)).body;
    assert.deepEqual([data[0].secondDiscountPercent, data[0].documentDiscount, data[0].amount], [5, 0, 171]);
  });

  it('of a document: a percentage or an amount, spread to the cent, before tax', async () => {
    const lines = [till.line(1, 33.33), till.line(1, 33.33), till.line(1, 33.34, { discountPercent: 50 })];
    const percent = await till.document('/api/sales/invoices', lines, { discountPercent: 10 });
    assert.deepEqual(shares(percent), [3.33, 3.33, 1.67]);
    assert.deepEqual([percent.subtotal, percent.taxTotal, percent.discountPercent], [75, 15.75, 10]);
    const amount = await till.document('/api/sales/invoices', lines, { discountAmount: 8.33 });
    assert.deepEqual([shares(amount), amount.subtotal, amount.discountAmount], [[3.33, 3.33, 1.67], 75, 8.33]);
    await books.make(`/api/sales/invoices/${amount.id}/post`);
    assert.deepEqual((await books.enteredFor(amount.id)).slice(0, 2), ['D 430 90.75', 'H 700 75']);
  });

  it('with prices that include tax: the total is what they say', async () => {
    const lines = [
      { description: 'Libreta', quantity: 1, priceWithTax: 10 },
      { description: 'Lápiz', quantity: 2, priceWithTax: 5 },
    ];
    const invoice = await till.document('/api/sales/invoices', lines, { discountAmount: 5 });
    assert.deepEqual([invoice.total, invoice.subtotal, shares(invoice)], [15, 12.4, [2.5, 2.5]]);
  });

  it('goes along with the goods: order, notes, invoices and credits add up to it', async () => {
    const order = await till.document('/api/sales', [till.line(3, 33.33), till.line(1, 50)], { discountAmount: 10 });
    assert.deepEqual(shares(order), [6.67, 3.33]);
    const [first] = order.lines;
    const notes: Answer['body'][] = [];
    for (const quantity of [1, 1, 1])
      notes.push(await books.make(`/api/sales/${order.id}/deliver`, { lines: [{ baseLineId: first.id, quantity }] }));
    assert.deepEqual(notes.map(shares), [[2.22], [2.23], [2.22]]);
    const ids = notes.map(({ id }) => id);
    const invoice = await books.make<Answer['body']>('/api/sales/invoices/from-notes', { ids });
    assert.deepEqual([shares(invoice), invoice.discountAmount, invoice.subtotal], [[2.22, 2.23, 2.22], null, 93.32]);
    await books.make(`/api/sales/invoices/${invoice.id}/post`);
    const credit = await books.make<Answer['body']>(`/api/sales/invoices/${invoice.id}/rectify`, { reason: 'Error' });
    assert.deepEqual([shares(credit), credit.total], [[-2.22, -2.23, -2.22], -invoice.total]);
    const replaced = { reason: 'Precio', rectificationMethod: 'substitution' };
    await app.client.del(`/api/sales/invoices/${credit.id}`);
    const substitute = await books.make<Answer['body']>(`/api/sales/invoices/${invoice.id}/rectify`, replaced);
    assert.deepEqual([shares(substitute), substitute.total], [[-2.22, -2.23, -2.22, 2.22, 2.23, 2.22], 0]);
  });

  it('of an order stays with what was delivered when other lines change', async () => {
    const order = await till.document('/api/sales', [till.line(10, 10), till.line(5, 10)], { discountAmount: 30 });
    const [first, second] = order.lines;
    await books.make(`/api/sales/${order.id}/deliver`, { lines: [{ baseLineId: first.id, quantity: 10 }] });
    const lines = [{ id: first.id }, { id: second.id, quantity: 20 }];
    const changed = await app.client.patch(`/api/sales/${order.id}`, { lines });
    assert.deepEqual([changed.status, shares(changed.body.data)], [200, [20, 10]]);
    const rest = await books.make<Answer['body']>(`/api/sales/${order.id}/deliver`);
    assert.deepEqual([shares(rest), rest.subtotal], [[10], 190]);
  });

  it('leaves the deduction of an advance as it was invoiced', async () => {
    const advance = till.line(1, -40, { itemId: undefined, description: 'Anticipo', accountId: books.account('438') });
    const lines = [till.line(1, 100), advance];
    const invoice = await till.document('/api/sales/invoices', lines, { discountPercent: 10, chargeAmount: 5 });
    assert.deepEqual([shares(invoice), invoice.subtotal], [[10, 0], 55]);
  });

  it('of a draft: changed, replaced by the other kind, taken away', async () => {
    const invoice = await till.document('/api/sales/invoices', [till.line(1, 100)], { discountPercent: 10 });
    const path = `/api/sales/invoices/${invoice.id}`;
    const patched = async (body: Body) => {
      const { status, body: answer } = await app.client.patch(path, body);
      assert.equal(status, 200, JSON.stringify(answer));
      return [answer.data.discountPercent, answer.data.discountAmount, answer.data.subtotal];
    };
    assert.deepEqual(await patched({ lines: [{ id: invoice.lines[0].id, quantity: 2 }] }), [10, null, 180]);
    assert.deepEqual(await patched({ discountAmount: 15 }), [null, 15, 185]);
    assert.deepEqual(await patched({ discountPercent: 25 }), [25, null, 150]);
    assert.deepEqual(await patched({ discountPercent: null }), [null, null, 200]);
    const { data } = (await app.client.post(`${path}/duplicate`)).body;
    assert.equal(data.subtotal, 200);
  });

  it('of an order that was made of a quotation can be left out', async () => {
    const offer = await till.document('/api/sales/quotations', [till.line(2, 50)], { discountPercent: 20 });
    await books.make(`/api/sales/quotations/${offer.id}/issue`);
    const order = await books.make<Answer['body']>(`/api/sales/quotations/${offer.id}/order`);
    assert.deepEqual([order.subtotal, shares(order), order.discountPercent], [80, [20], null]);
    const again = (await app.client.post(`/api/sales/${order.id}/duplicate`)).body.data;
    assert.deepEqual([again.subtotal, again.discountAmount], [80, 20]);
  });

  it('is refused where it cannot be', async () => {
    const refused = async (more: Body, lines: readonly Body[] = [till.line(1, 100)]) => {
      const { status, body } = await app.client.post('/api/sales/invoices', {
        partnerId: till.customerId,
        lines,
        ...more,
      });
      assert.equal(status, 422);
      return [body.errors[0].pointer, body.errors[0].code];
    };
    assert.deepEqual(await refused({ discountAmount: 100.01 }), ['/discountAmount', 'out_of_range']);
    assert.deepEqual(await refused({ discountAmount: 1.001 }), ['/discountAmount', 'too_many_decimals']);
    assert.deepEqual(await refused({ discountAmount: 1, discountPercent: 1 }), ['/discountAmount', 'not_allowed']);
    assert.deepEqual(await refused({ discountPercent: 101 }), ['/discountPercent', 'out_of_range']);
    assert.deepEqual(await refused({ discountAmount: -1 }), ['/discountAmount', 'out_of_range']);
    const doubled = [till.line(1, 100, { secondDiscountPercent: 100.5 })];
    assert.deepEqual(await refused({}, doubled), ['/lines/0/secondDiscountPercent', 'out_of_range']);
  });
});
