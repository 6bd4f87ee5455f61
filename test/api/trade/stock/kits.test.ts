import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { daysFromToday } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Kits, whose sale moves their components (decision 0318); the books of stock are checked when the suite ends. */
describe('kits', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  let uomId: string;
  let kit: string;
  let parts: string[];
  const item = async (name: string, more: Body = {}) =>
    (await books.make<Data>('/api/items', { name, uomId, salePrice: 50, ...more })).id as string;
  const level = async (itemId: string, member: 'onHand' | 'reserved') =>
    (await app.client.get(`/api/stock/availability?itemId=${itemId}`)).body[member] as number;
  const levels = async () => [...(await onHand()), ...(await Promise.all(parts.map((id) => level(id, 'reserved'))))];
  const onHand = () => Promise.all(parts.map((id) => level(id, 'onHand')));
  const sell = (path: string, quantity: number, more: Body = {}): Promise<Data> =>
    books.make(path, { partnerId: till.customerId, lines: [{ itemId: kit, quantity }], ...more });
  const act = (path: string, body: Body = {}): Promise<Data> => books.make(path, body);

  before(async () => {
    await app.client.put('/api/config/flags', { autoConfirmBatches: true });
    ({ uomId } = (await app.client.get(`/api/items/${till.itemId}`)).body.data);
    kit = await item('Breakfast', { kit: true });
    parts = [await item('Cup'), await item('Spoon', { costMethod: 'fifo' })];
    for (const [index, quantity] of [1, 2].entries())
      await act(`/api/items/${kit}/components`, { componentId: parts[index], quantity });
    const lines = parts.map((itemId, index) => ({ itemId, quantity: 20, price: index + 1 }));
    await act('/api/purchases/delivery-notes', { partnerId: till.supplierId, lines });
  });

  it('can be promised as their components allow', async () => {
    const body = {
      partnerId: till.supplierId,
      deliveryDate: daysFromToday(5),
      lines: [{ itemId: parts[1], quantity: 12 }],
    };
    const coming = await act('/api/purchases', body);
    const ask = async (quantity: number) =>
      (await app.client.get(`/api/stock/availability?itemId=${kit}&quantity=${quantity}`)).body;
    const { onHand, promisable, days, earliest } = await ask(11);
    assert.deepEqual([onHand, promisable, days.length, earliest], [10, 10, 2, daysFromToday(5)]);
    assert.deepEqual([days[1].promisable, (await ask(17)).earliest], [16, null]);
    await act(`/api/purchases/${coming.id}/cancel`);
    assertProblem(await app.client.patch(`/api/items/${parts[0]}`, { stockTracked: false }), 409, 'in_use');
  });

  it('are priced by the cost of their components; what costs nothing keeps its price', async () => {
    const [free, rule] = [
      await item('Free', { type: 'service' }),
      await act('/api/price-rules', { name: 'Cost', partnerId: till.customerId, basis: 'cost', adjustmentPercent: 40 }),
    ];
    const price = async (itemId: string) =>
      (await app.client.get(`/api/prices?itemId=${itemId}&partnerId=${till.customerId}`)).body.price;
    assert.deepEqual([await price(kit), await price(free)], [7, 50]);
    await app.client.del(`/api/price-rules/${rule.id}`);
  });

  it('have no stock themselves', async () => {
    const { data } = (await app.client.get(`/api/items/${kit}`)).body;
    assert.deepEqual([data.kit, data.stockTracked], [true, false]);
    const wrong = { name: 'Wrong', uomId, kit: true, stockTracked: true };
    assertRefused(await app.client.post('/api/items', wrong), '/stockTracked');
    const bought = { partnerId: till.supplierId, lines: [{ itemId: kit, quantity: 1, price: 1 }] };
    assertRefused(await app.client.post('/api/purchases', bought), '/lines/0/itemId');
    const empty = await item('Empty', { kit: true });
    const lines = [{ itemId: empty, quantity: 1 }];
    assertRefused(await app.client.post('/api/sales', { partnerId: till.customerId, lines }), '/lines/0/itemId');
  });

  it('reserve and move their components, in parts and back', async () => {
    const order = await sell('/api/sales', 4);
    assert.deepEqual(order.lines[0].components, [
      { itemId: parts[0], quantity: 1 },
      { itemId: parts[1], quantity: 2 },
    ]);
    assert.deepEqual(await levels(), [20, 20, 4, 8]);
    const lines = [{ baseLineId: order.lines[0].id, quantity: 3 }];
    const note = await act(`/api/sales/${order.id}/deliver`, { lines });
    assert.deepEqual(await levels(), [17, 14, 1, 2]);
    await act(`/api/sales/delivery-notes/${note.id}/return`, {
      lines: [{ baseLineId: note.lines[0].id, quantity: 1 }],
    });
    assert.deepEqual(await onHand(), [18, 16]);
    const draft = await act(`/api/sales/delivery-notes/${note.id}/invoice`);
    await act(`/api/sales/invoices/${draft.id}/post`);
    const { data } = (await app.client.get(`/api/sales/lines?documentId=${draft.id}`)).body;
    assert.deepEqual([data[0].quantity, data[0].cost, data[0].margin], [2, 10, 90]);
    await act(`/api/sales/${order.id}/close`);
    assert.deepEqual(await levels(), [18, 16, 0, 0]);
  });

  it('keep the components that they were sold with', async () => {
    const [line] = (await app.client.get(`/api/items/${kit}/components?sort=createdAt`)).body.data;
    const draft = await sell('/api/sales/invoices', 2);
    await app.client.patch(`/api/items/${kit}/components/${line.id}`, { quantity: 3 });
    await act(`/api/sales/invoices/${draft.id}/post`);
    assert.deepEqual(await onHand(), [16, 12]);
    const credit = await act(`/api/sales/invoices/${draft.id}/rectify`, { reason: 'Error', returnStock: true });
    await act(`/api/sales/invoices/${credit.id}/post`);
    assert.deepEqual(await onHand(), [18, 16]);
    const second = await sell('/api/sales/delivery-notes', 1);
    assert.deepEqual(await onHand(), [15, 14]);
    await act(`/api/sales/delivery-notes/${second.id}/cancel`);
    assert.deepEqual(await onHand(), [18, 16]);
    await app.client.patch(`/api/items/${kit}/components/${line.id}`, { quantity: 1 });
  });

  it('warn of and refuse components that are not there', async () => {
    const order: Data = await sell('/api/sales', 30);
    assert.deepEqual(
      order.warnings.map(({ pointer, code }: Answer['body']) => [pointer, code]),
      [['/lines/0/quantity', 'insufficient_stock_expected']],
    );
    assertProblem(await app.client.post(`/api/sales/${order.id}/deliver`, {}), 409, 'insufficient_stock');
    const patched = await app.client.patch(`/api/sales/${order.id}`, {
      lines: [{ id: order.lines[0].id, quantity: 5 }],
    });
    assert.equal(patched.status, 200, JSON.stringify(patched.body));
    assert.deepEqual(await levels(), [18, 16, 5, 10]);
    await act(`/api/sales/${order.id}/cancel`);
    assert.deepEqual(await levels(), [18, 16, 0, 0]);
  });

  it('pick batches of their components, and take them back from where they were', async () => {
    const tea = await item('Tea', { batchTracked: true });
    const box = await item('Box', { kit: true });
    await act(`/api/items/${box}/components`, { componentId: tea, quantity: 5 });
    const batchDetails = [
      { batchNum: 'OLD', quantity: 7, expiryDate: '2027-01-01' },
      { batchNum: 'NEW', quantity: 13, expiryDate: '2028-01-01' },
    ];
    const received = [{ itemId: tea, quantity: 20, price: 1, batchDetails }];
    await act('/api/purchases/delivery-notes', { partnerId: till.supplierId, lines: received });
    const note = await act('/api/sales/delivery-notes', {
      ...{ partnerId: till.customerId, lines: [{ itemId: box, quantity: 2, price: 9 }] },
    });
    assert.equal(note.lines[0].batchDetails, null);
    const moved = (await app.client.get(`/api/stock/movements?itemId=${tea}&documentId=${note.id}`)).body.data;
    assert.deepEqual(moved.map((one: Data) => [one.batchNum, one.quantity]).sort(), [
      ['NEW', -3],
      ['OLD', -7],
    ]);
    await act(`/api/sales/delivery-notes/${note.id}/return`);
    assert.equal(await level(tea, 'onHand'), 20);
  });

  it('have a costing method for each category', async () => {
    const top = await act('/api/categories', { name: 'Metal', costMethod: 'fifo' });
    const below = await act('/api/categories', { name: 'Screws', parentId: top.id });
    const made = async (more: Body) =>
      (await app.client.get(`/api/items/${await item('Screw', more)}`)).body.data.costMethod;
    assert.equal(await made({ categoryId: below.id }), 'fifo');
    assert.equal(await made({ categoryId: below.id, costMethod: 'average' }), 'average');
    assert.equal(await made({}), 'average');
  });
});
