import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;

/** Freight and duty as part of what goods cost (decision 0311). */
describe('landed costs', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  let names = 0;
  const item = async (more: Body = {}) => {
    const { uomId } = (await app.client.get(`/api/items/${till.itemId}`)).body.data;
    return (await books.make<Answer['body']>('/api/items', { name: `Goods ${++names}`, uomId, ...more })).id as string;
  };
  const received = (lines: readonly Body[]) =>
    books.make<Answer['body']>('/api/purchases/delivery-notes', { partnerId: till.supplierId, lines });
  const sold = async (itemId: string, quantity: number) => {
    const lines = [{ itemId, quantity, price: 20 }];
    const invoice = await books.make<Answer['body']>('/api/sales/invoices', { partnerId: till.customerId, lines });
    await books.make(`/api/sales/invoices/${invoice.id}/post`);
    return invoice.id as string;
  };
  const cost = async (documentId: string) =>
    (await app.client.get(`/api/sales/lines?documentId=${documentId}`)).body.data[0].cost;
  const value = async (itemId: string) => {
    const { data } = (await app.client.get(`/api/stock/movements?itemId=${itemId}&limit=200`)).body;
    return Math.round(data.reduce((all: number, each: { value: number }) => all + each.value, 0) * 100) / 100;
  };
  const landed = (documentIds: readonly string[], costs: readonly Body[], more: Body = {}) =>
    app.client.post('/api/landed-costs', { documentIds, costs, ...more });

  for (const costMethod of ['average', 'fifo']) {
    it(`cost the goods on hand and those that were sold their part, by ${costMethod}`, async () => {
      const itemId = await item({ costMethod });
      const note = await received([{ itemId, quantity: 10, price: 5 }]);
      const invoice = await sold(itemId, 4);
      assert.deepEqual([await cost(invoice), await value(itemId)], [20, 30]);
      const { status, body } = await landed([note.id], [{ description: 'Flete', amount: 20 }]);
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual([await cost(invoice), await value(itemId)], [28, 42]);
      const shown = (await app.client.get(`/api/landed-costs/${body.data.id}`)).body.data;
      assert.deepEqual([shown.total, shown.shares.length, shown.shares[0].amount], [20, 1, 20]);
      const { data } = (await app.client.get(`/api/stock/movements?operationId=${body.data.id}`)).body;
      assert.deepEqual([data[0].operationType, data[0].documentCode], ['landed_cost', body.data.code]);
      const cancelled = await app.client.post(`/api/landed-costs/${body.data.id}/cancel`, {});
      assert.equal(cancelled.body.data.status, 'cancelled');
      assert.deepEqual([await cost(invoice), await value(itemId)], [20, 30]);
      assertProblem(await app.client.post(`/api/landed-costs/${body.data.id}/cancel`, {}), 409, 'invalid_transition');
    });
  }

  it('are spread over several receipts by weight and value, of what did not go back', async () => {
    const [heavy, light] = [await item({ weight: 3 }), await item({ weight: 1 })];
    const first = await received([{ itemId: heavy, quantity: 10, price: 1 }]);
    const second = await received([{ itemId: light, quantity: 20, price: 4 }]);
    await books.make(`/api/purchases/delivery-notes/${second.id}/return`, {
      lines: [{ baseLineId: second.lines[0].id, quantity: 10 }],
    });
    const { body } = await landed(
      [first.id, second.id],
      [
        { amount: 40, method: 'weight' },
        { amount: 10, method: 'value' },
      ],
    );
    // By weight 30 : 10, by value 10 : 40.
    assert.deepEqual(
      body.data.shares.map(({ amount }: { amount: number }) => amount),
      [32, 18],
    );
    assert.deepEqual([await value(heavy), await value(light)], [42, 58]);
  });

  it('take what an invoice of a carrier charges, once', async () => {
    const itemId = await item();
    const note = await received([{ itemId, quantity: 3, price: 10 }]);
    const freight = await books.make<Answer['body']>('/api/purchases/invoices', {
      partnerId: till.supplierId,
      supplierReference: `F${++names}`,
      lines: [{ description: 'Flete', quantity: 1, price: 10 }],
    });
    const [{ id: documentLineId }] = freight.lines;
    const early = await landed([note.id], [{ documentLineId }]);
    assertProblem(early, 422, 'validation_failed');
    assert.equal(early.body.errors[0].pointer, '/costs/0/documentLineId');
    await books.make(`/api/purchases/invoices/${freight.id}/post`);
    const part = await landed([note.id], [{ documentLineId, amount: 4 }]);
    assert.equal(part.status, 201, JSON.stringify(part.body));
    const rest = await landed([note.id], [{ documentLineId }]);
    assert.deepEqual([rest.body.data.total, rest.body.data.costs[0].description], [6, 'Flete']);
    assert.equal(await value(itemId), 40);
    const more = await landed([note.id], [{ documentLineId, amount: 1 }]);
    assert.equal(more.body.errors[0].pointer, '/costs/0/amount');
    assertProblem(await app.client.post(`/api/purchases/invoices/${freight.id}/cancel`), 409, 'in_use');
    for (const { body } of [part, rest]) await app.client.post(`/api/landed-costs/${body.data.id}/cancel`, {});
    assert.equal((await app.client.post(`/api/purchases/invoices/${freight.id}/cancel`)).status, 200);
  });

  it('leave to spread what the carrier has not credited, and are cancelled before more is', async () => {
    const note = await received([{ itemId: await item(), quantity: 3, price: 10 }]);
    const freight = await books.make<Answer['body']>('/api/purchases/invoices', {
      ...{ partnerId: till.supplierId, supplierReference: `F${++names}` },
      lines: [{ description: 'Flete', quantity: 10, price: 1 }],
    });
    await books.make(`/api/purchases/invoices/${freight.id}/post`);
    const [{ id: documentLineId }] = freight.lines;
    const credit = async (quantity: number) => {
      const body = {
        reason: 'Error',
        supplierReference: `A${++names}`,
        lines: [{ baseLineId: documentLineId, quantity }],
      };
      const { id } = await books.make(`/api/purchases/invoices/${freight.id}/rectify`, body);
      return await app.client.post(`/api/purchases/invoices/${id}/post`);
    };
    assert.equal((await credit(4)).status, 200);
    const more = await landed([note.id], [{ documentLineId, amount: 7 }]);
    assert.equal(more.body.errors[0].pointer, '/costs/0/amount');
    const { body } = await landed([note.id], [{ documentLineId, amount: 5 }]);
    assertProblem(await credit(2), 409, 'in_use');
    await books.make(`/api/landed-costs/${body.data.id}/cancel`);
    const { data } = (await app.client.get('/api/purchases/invoices?status=D')).body;
    assert.equal((await app.client.post(`/api/purchases/invoices/${data[0].id}/post`)).status, 200);
  });

  it('say what is wrong', async () => {
    const itemId = await item();
    const note = await received([{ itemId, quantity: 1, price: 10 }]);
    const sale = await sold(itemId, 1);
    const refused = async (answer: Answer, pointer: string) => {
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer);
    };
    await refused(await landed([note.id], [{}]), '/costs/0/amount');
    await refused(await landed([note.id], [{ amount: 0 }]), '/costs/0/amount');
    await refused(await landed([note.id], [{ amount: 1.001 }]), '/costs/0/amount');
    await refused(await landed([note.id], [{ amount: 1, method: 'weight' }]), '/costs/0/method');
    await refused(await landed([sale], [{ amount: 1 }]), '/documentIds/0');
    await refused(await landed([itemId], [{ amount: 1 }]), '/documentIds/0');
    await refused(await landed([note.id], [{ amount: 1 }], { lineIds: [itemId] }), '/lineIds/0');
    await refused(await landed([note.id], [{ amount: 1 }], { date: '2000-01-01' }), '/date');
    assertProblem(await app.client.get(`/api/landed-costs/${itemId}`), 404, 'not_found');
  });
});
