import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Line = any;

/** Charges of whole documents (decision 0309). */
describe('charges', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const shares = ({ lines }: Answer['body']) => lines.map((each: Line) => each.documentCharge);

  it('are spread by value, beside the discount, and bear the taxes of the lines', async () => {
    const lines = [till.line(1, 33.33), till.line(1, 66.67, { discountPercent: 50 })];
    const invoice = await till.document('/api/sales/invoices', lines, {
      chargeAmount: 10,
      chargeText: 'Portes',
      discountPercent: 10,
    });
    assert.deepEqual(shares(invoice), [5, 5]);
    assert.deepEqual([invoice.subtotal, invoice.discountTotal], [70, 40]);
    assert.deepEqual([invoice.taxTotal, invoice.chargeAmount, invoice.chargeText], [14.7, 10, 'Portes']);
    await books.make(`/api/sales/invoices/${invoice.id}/post`);
    assert.deepEqual((await books.enteredFor(invoice.id)).slice(0, 2), ['D 430 84.7', 'H 700 70']);
  });

  it('go along with the goods, and come back with them', async () => {
    const order = await till.document('/api/sales', [till.line(3, 33.33), till.line(1, 50)], {
      chargeAmount: 10,
      chargeText: 'Freight',
    });
    const [first] = order.lines;
    const notes: Answer['body'][] = [];
    for (const quantity of [1, 2])
      notes.push(await books.make(`/api/sales/${order.id}/deliver`, { lines: [{ baseLineId: first.id, quantity }] }));
    assert.deepEqual(notes.map(shares), [[2.22], [4.45]]);
    const invoice = await books.make<Answer['body']>('/api/sales/invoices/from-notes', {
      ids: notes.map(({ id }) => id),
    });
    assert.deepEqual([shares(invoice), invoice.chargeAmount, invoice.chargeText], [[2.22, 4.45], null, 'Freight']);
    await books.make(`/api/sales/invoices/${invoice.id}/post`);
    const credit = await books.make<Answer['body']>(`/api/sales/invoices/${invoice.id}/rectify`, { reason: 'Error' });
    assert.deepEqual([shares(credit), credit.total], [[-2.22, -4.45], -invoice.total]);
    await app.client.del(`/api/sales/invoices/${credit.id}`);
    const replaced = { reason: 'Precio', rectificationMethod: 'substitution' };
    const substitute = await books.make<Answer['body']>(`/api/sales/invoices/${invoice.id}/rectify`, replaced);
    assert.deepEqual([shares(substitute), substitute.total], [[-2.22, -4.45, 2.22, 4.45], 0]);
    const again = (await app.client.post(`/api/sales/${order.id}/duplicate`)).body.data;
    assert.deepEqual([again.chargeAmount, again.chargeText], [10, 'Freight']);
  });

  it('are part of what goods cost', async () => {
    const order = await till.document('/api/purchases/delivery-notes', [till.line(4, 10)], {
      partnerId: till.supplierId,
      chargeAmount: 6,
    });
    assert.equal(order.subtotal, 46);
    const { data } = (await app.client.get(`/api/stock/movements?itemId=${till.itemId}&sort=-date&limit=1`)).body;
    assert.equal(data[0].unitCost, 11.5);
  });

  it('of a draft: changed and taken away', async () => {
    const invoice = await till.document('/api/sales/invoices', [till.line(1, 100)], {
      chargeAmount: 10,
      chargeText: 'Portes',
    });
    const path = `/api/sales/invoices/${invoice.id}`;
    const patched = async (body: Body) => {
      const { status, body: answer } = await app.client.patch(path, body);
      assert.equal(status, 200, JSON.stringify(answer));
      return [answer.data.chargeAmount, answer.data.chargeText, answer.data.subtotal];
    };
    assert.deepEqual(await patched({ lines: [{ id: invoice.lines[0].id, quantity: 2 }] }), [10, 'Portes', 210]);
    assert.deepEqual(await patched({ chargeAmount: 15 }), [15, 'Portes', 215]);
    assert.deepEqual(await patched({ chargeAmount: null }), [null, null, 200]);
  });

  it('are refused where they cannot be', async () => {
    const refused = async (more: Body, lines: readonly Body[] = [till.line(1, 100)]) => {
      const input = { partnerId: till.customerId, lines, ...more };
      const { status, body } = await app.client.post('/api/sales/invoices', input);
      assert.equal(status, 422);
      return [body.errors[0].pointer, body.errors[0].code];
    };
    assert.deepEqual(await refused({ chargeAmount: 1.001 }), ['/chargeAmount', 'too_many_decimals']);
    assert.deepEqual(await refused({ chargeAmount: -1 }), ['/chargeAmount', 'out_of_range']);
    assert.deepEqual(await refused({ chargeText: 'Portes' }), ['/chargeText', 'not_allowed']);
    assert.deepEqual(await refused({ chargeAmount: 1 }, [till.line(1, 0)]), ['/chargeAmount', 'not_allowed']);
  });
});
