import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;

/** Serial numbers: batches of one piece (decision 0312). */
describe('serial numbers', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  let names = 0;
  const item = async (more: Body = {}) => {
    const { uomId } = (await app.client.get(`/api/items/${till.itemId}`)).body.data;
    const body = { name: `Drill ${++names}`, uomId, serialTracked: true, warrantyMonths: 24, ...more };
    return await books.make<Answer['body']>('/api/items', body);
  };
  const receive = (line: Body, more: Body = {}) =>
    app.client.post('/api/purchases/delivery-notes', {
      partnerId: till.supplierId,
      lines: [{ price: 50, ...line }],
      ...more,
    });
  const received = async (line: Body) => {
    const { status, body } = await receive(line);
    assert.equal(status, 201, JSON.stringify(body));
    return body.data;
  };
  const deliver = (line: Body) =>
    app.client.post('/api/sales/delivery-notes', { partnerId: till.customerId, lines: [{ price: 90, ...line }] });
  const serials = async (itemId: string, query = '') =>
    (await app.client.get(`/api/serials?itemId=${itemId}${query}`)).body.data as Answer['body'][];

  it('go from purchase to sale, back, and to their history and warranty', async () => {
    const { id: itemId, batchTracked } = await item();
    assert.equal(batchTracked, true);
    const serialRange = { from: 'D-098', to: 'D-100' };
    await received({ itemId, quantity: 4, serialNumbers: ['X1'], serialRange });
    assert.deepEqual(
      (await serials(itemId)).map(({ serialNumber, status }) => [serialNumber, status]),
      ['D-098', 'D-099', 'D-100', 'X1'].map((number) => [number, 'in_stock']),
    );
    const sale = await deliver({ itemId, quantity: 2, serialNumbers: ['D-099', 'X1'] });
    assert.equal(sale.status, 201, JSON.stringify(sale.body));
    const { data: note } = sale.body;
    const [sold] = await serials(itemId, '&serialNumber=D-099');
    assert.deepEqual([sold?.status, sold?.customerId, sold?.saleId], ['sold', till.customerId, note.id]);
    assert.equal(sold?.warrantyUntil, `${Number(note.date.slice(0, 4)) + 2}${note.date.slice(4)}`);
    const back = await books.make<Answer['body']>(`/api/sales/delivery-notes/${note.id}/return`, {
      lines: [{ baseLineId: note.lines[0].id, quantity: 1, serialNumbers: ['D-099'] }],
    });
    const { data: whole } = (await app.client.get(`/api/serials/${sold?.id}`)).body;
    assert.deepEqual([whole.status, whole.soldOn, whole.warrantyUntil], ['in_stock', null, null]);
    assert.deepEqual(
      whole.history.map(({ direction, docType, code }: Answer['body']) => [direction, docType, code]).slice(1),
      [
        ['out', 'SDN', note.code],
        ['in', 'SDN', back.code],
      ],
    );
    const found = (await app.client.get('/api/search?q=D-099')).body.data;
    assert.deepEqual([found[0].type, found[0].path], ['serial_number', `/api/serials/${sold?.id}`]);
  });

  it('come back with the invoice that credits them, by a note or without', async () => {
    const { id: itemId } = await item();
    await received({ itemId, quantity: 4, serialNumbers: ['C1', 'C2', 'C3', 'C4'] });
    const make = (path: string, body: Body = {}) => books.make<Answer['body']>(path, body);
    const sold = (serialNumbers: string[]) => ({ itemId, quantity: 2, price: 90, serialNumbers });
    const direct = await make('/api/sales/invoices', { partnerId: till.customerId, lines: [sold(['C1', 'C2'])] });
    const note = (await deliver(sold(['C3', 'C4']))).body.data;
    const noted = await make(`/api/sales/delivery-notes/${note.id}/invoice`);
    for (const [invoice, serialNumber] of [
      [direct, 'C2'],
      [noted, 'C4'],
    ]) {
      await make(`/api/sales/invoices/${invoice.id}/post`);
      const lines = [{ baseLineId: invoice.lines[0].id, quantity: 1, serialNumbers: [serialNumber] }];
      const path = `/api/sales/invoices/${invoice.id}/rectify`;
      assertProblem(await app.client.post(path, { reason: 'Broken', lines }), 422, 'validation_failed');
      const credit = await make(path, { reason: 'Broken', returnStock: true, lines });
      await make(`/api/sales/invoices/${credit.id}/post`);
    }
    assert.deepEqual(
      (await serials(itemId)).map(({ status }) => status),
      ['sold', 'in_stock', 'sold', 'in_stock'],
    );
  });

  it('are picked when a sale names none', async () => {
    const { id: itemId } = await item();
    await received({ itemId, quantity: 2, serialNumbers: ['P1', 'P2'] });
    const { data } = (await deliver({ itemId, quantity: 1 })).body;
    assert.equal(data.lines[0].batchDetails.length, 1);
    assert.equal((await serials(itemId, '&status=in_stock')).length, 1);
  });

  it('are unique in stock, also for two who receive one at once', async () => {
    const { id: itemId } = await item();
    await received({ itemId, quantity: 1, serialNumbers: ['U1'] });
    const twice = await receive({ itemId, quantity: 1, serialNumbers: ['U1'] });
    assertProblem(twice, 422, 'validation_failed');
    assert.equal(twice.body.errors[0].pointer, '/lines/0/quantity');
    const other = (await books.make<Answer['body']>('/api/warehouses', { code: `W${++names}`, name: 'Otro' })).id;
    const main = (await app.client.get('/api/warehouses?isDefault=true')).body.data[0].id;
    const answers = await Promise.all(
      [main, other, main, other].map((warehouseId) =>
        receive({ itemId, quantity: 1, serialNumbers: ['U2'] }, { warehouseId }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422]);
    assert.equal((await serials(itemId)).length, 2);
    const counted = await app.client.post('/api/stock/adjustments', {
      warehouseId: main,
      lines: [{ itemId, batchNum: 'U1', countedQuantity: 2 }],
    });
    assertProblem(counted, 422, 'validation_failed');
    const sold = await deliver({ itemId, quantity: 1, serialNumbers: ['U1'] });
    assert.equal(sold.status, 201);
    assertProblem(await deliver({ itemId, quantity: 1, serialNumbers: ['U1'] }), 409, 'insufficient_stock');
  });

  it('say what is wrong', async () => {
    const { id: itemId } = await item();
    const refused = async (answer: Answer, pointer: string) => {
      assertProblem(answer, 422, 'validation_failed');
      assert.ok(
        answer.body.errors.some((error: { pointer: string }) => error.pointer === pointer),
        JSON.stringify(answer.body.errors),
      );
    };
    await refused(await receive({ itemId, quantity: 1 }), '/lines/0/serialNumbers');
    await refused(await receive({ itemId, quantity: 2, serialNumbers: ['A'] }), '/lines/0/serialNumbers');
    await refused(await receive({ itemId, quantity: 2, serialNumbers: ['A', 'A'] }), '/lines/0/serialNumbers');
    await refused(
      await receive({ itemId, quantity: 2, serialRange: { from: 'A9', to: 'A10' } }),
      '/lines/0/serialRange',
    );
    await refused(
      await receive({ itemId, quantity: 2, serialRange: { from: 'A2', to: 'A1' } }),
      '/lines/0/serialRange',
    );
    const batchDetails = [{ batchNum: 'A', quantity: 2 }];
    await refused(await receive({ itemId, quantity: 2, batchDetails }), '/lines/0/batchDetails/0/quantity');
    const both = { itemId, quantity: 1, serialNumbers: ['A'], batchDetails: [{ batchNum: 'A', quantity: 1 }] };
    await refused(await receive(both), '/lines/0/serialNumbers');
    await refused(await receive({ itemId: till.itemId, quantity: 1, serialNumbers: ['A'] }), '/lines/0/serialNumbers');
    const service = {
      name: 'S',
      type: 'service',
      uomId: (await app.client.get(`/api/items/${itemId}`)).body.data.uomId,
    };
    await refused(await app.client.post('/api/items', { ...service, serialTracked: true }), '/serialTracked');
    await refused(await app.client.patch(`/api/items/${itemId}`, { batchTracked: false }), '/batchTracked');
    await received({ itemId, quantity: 1, serialNumbers: ['Z1'] });
    assertProblem(await app.client.patch(`/api/items/${itemId}`, { serialTracked: false }), 409, 'in_use');
    assertProblem(await app.client.get(`/api/serials/${itemId}`), 404, 'not_found');
  });
});
