import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

const ADDRESS = { shippingAddress: { street: 'Calle Menor 2', city: 'Soria', countryCode: 'ES' } };

/** Goods that a supplier sends to the customer (decision 0320); the books of stock are checked when the suite ends. */
describe('drop shipments', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  let uomId: string;
  const make = (path: string, body: Body = {}): Promise<Data> => books.make(path, body);
  const item = async (more: Body = {}): Promise<string> =>
    (await make('/api/items', { name: 'Sofa', uomId, salePrice: 50, purchasePrice: 30, ...more })).id;
  const read = async (path: string): Promise<Data> => (await app.client.get(path)).body.data;
  const stock = async (itemId: string): Promise<number[]> => {
    const { onHand, reserved, incoming } = (await read(`/api/stock?itemId=${itemId}`))[0] ?? {};
    return [onHand ?? 0, reserved ?? 0, incoming ?? 0];
  };
  const sell = (itemId: string, quantity: number, more: Body = {}) =>
    make('/api/sales', { partnerId: till.customerId, lines: [{ itemId, quantity }], ...more });
  const drop = (order: Data, more: Body = {}) =>
    make(`/api/sales/${order.id}/drop-ship`, { partnerId: till.supplierId, ...ADDRESS, ...more });
  const notes = (itemId: string) => read(`/api/sales/lines?itemId=${itemId}&docType=SDN`);

  before(async () => {
    ({ uomId } = await read(`/api/items/${till.itemId}`));
    await app.client.put('/api/config/flags', { autoConfirmBatches: true });
  });

  it('go to the customer, and are delivered when they have come, in parts', async () => {
    const itemId = await item();
    const shippingAddress = { street: 'Calle Mayor 1', city: 'Soria', countryCode: 'ES' };
    const order = await sell(itemId, 5, { shippingAddress });
    const purchase = await drop(order, { shippingAddress: undefined });
    assert.equal(purchase.shippingAddress.street, 'Calle Mayor 1');
    assert.deepEqual([purchase.docType, purchase.reference, purchase.lines[0].price], ['PO', order.code, 30]);
    assert.deepEqual(await stock(itemId), [0, 5, 5]);
    const first = { lines: [{ baseLineId: purchase.lines[0].id, quantity: 2 }] };
    await make(`/api/purchases/${purchase.id}/receive`, first);
    assert.deepEqual(await stock(itemId), [0, 3, 3]);
    assert.equal((await read(`/api/sales/${order.id}`)).status, 'P');
    const [listed] = await read(`/api/sales/${order.id}/drop-shipments`);
    assert.deepEqual([listed.purchaseOrderId, listed.quantity, listed.receivedQuantity], [purchase.id, 5, 2]);
    const invoice = await make('/api/purchases/invoices', {
      ...{ partnerId: till.supplierId, supplierReference: 'S-1' },
      lines: [{ baseId: purchase.id, baseLineId: purchase.lines[0].id, quantity: 3 }],
    });
    assert.deepEqual(await stock(itemId), [0, 3, 0]);
    await make(`/api/purchases/invoices/${invoice.id}/post`);
    assert.deepEqual(await stock(itemId), [0, 0, 0]);
    assert.equal((await read(`/api/sales/${order.id}`)).status, 'C');
    assert.deepEqual((await notes(itemId)).map((line: Data) => line.quantity).sort(), [2, 3]);
  });

  it('are ordered once, as much as is open', async () => {
    const itemId = await item();
    const order = await sell(itemId, 5);
    const [line] = order.lines;
    const path = `/api/sales/${order.id}/drop-ship`;
    const ask = (more: Body) => app.client.post(path, { partnerId: till.supplierId, ...ADDRESS, ...more });
    const part = (quantity: number) => ({ lines: [{ baseLineId: line.id, quantity, price: 12 }] });
    assertRefused(await ask(part(6)), '/lines/0/quantity');
    assertRefused(await ask({ lines: [{ baseLineId: order.id }] }), '/lines/0/baseLineId');
    assertRefused(await ask({ lines: [...part(1).lines, ...part(1).lines] }), '/lines/1/baseLineId');
    assertRefused(await ask({ partnerId: till.customerId }), '/partnerId');
    assert.equal((await drop(order, part(2))).lines[0].price, 12);
    const answers = await Promise.all([ask({}), ask({})]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    const made = answers.find(({ status }) => status === 201)?.body.data;
    assert.equal(made.lines[0].quantity, 3);
    assertRefused(await ask(part(1)), '/lines/0/quantity');
    await make(`/api/purchases/${made.id}/cancel`);
    assert.equal((await drop(order)).lines[0].quantity, 3);
    const gone = await app.client.post(`/api/sales/${made.id}/drop-ship`, { partnerId: till.supplierId, ...ADDRESS });
    assertProblem(gone, 404, 'not_found');
  });

  it('are promised to nobody else, and need an address', async () => {
    const itemId = await item();
    await make('/api/purchases/delivery-notes', { partnerId: till.supplierId, lines: [{ itemId, quantity: 5 }] });
    const order = await sell(itemId, 10);
    const none = await app.client.post(`/api/sales/${order.id}/drop-ship`, { partnerId: till.supplierId });
    assertRefused(none, '/shippingAddress');
    const { lines } = order;
    await drop(order, { lines: [{ baseLineId: lines[0].id, quantity: 8 }], deliveryDate: '2026-07-01' });
    const { promisable, reserved, incoming } = (await app.client.get(`/api/stock/availability?itemId=${itemId}`)).body;
    assert.deepEqual([promisable, reserved, incoming], [3, 2, 0]);
  });

  it('stay in stock if the order no longer needs them', async () => {
    const itemId = await item();
    const order = await sell(itemId, 4);
    const purchase = await drop(order);
    await make('/api/purchases/delivery-notes', { partnerId: till.supplierId, lines: [{ itemId, quantity: 3 }] });
    await make(`/api/sales/${order.id}/deliver`, { lines: [{ baseLineId: order.lines[0].id, quantity: 3 }] });
    const note = await make(`/api/purchases/${purchase.id}/receive`);
    assert.deepEqual(await stock(itemId), [3, 0, 0]);
    const other = await sell(itemId, 2);
    const late = await drop(other);
    await make(`/api/sales/${other.id}/close`);
    await make(`/api/purchases/${late.id}/receive`);
    assert.deepEqual(await stock(itemId), [5, 0, 0]);
    await make(`/api/purchases/delivery-notes/${note.id}/cancel`);
    assert.deepEqual(await stock(itemId), [1, 0, 4]);
  });

  it('keep their sales order until they are cancelled, and its lines', async () => {
    const itemId = await item();
    const order = await sell(itemId, 4);
    const purchase = await drop(order);
    assertProblem(await app.client.post(`/api/sales/${order.id}/cancel`), 409, 'in_use');
    const anew = { lines: [{ itemId, quantity: 4 }] };
    assertProblem(await app.client.patch(`/api/sales/${order.id}`, anew), 409, 'in_use');
    const kept = await app.client.patch(`/api/sales/${order.id}`, { lines: [{ id: order.lines[0].id, quantity: 5 }] });
    assert.equal(kept.status, 200, JSON.stringify(kept.body));
    await make(`/api/purchases/${purchase.id}/cancel`);
    await make(`/api/sales/${order.id}/cancel`);
  });

  it('are delivered of batches that nobody has confirmed', async () => {
    const itemId = await item({ batchTracked: true });
    await app.client.put('/api/config/flags', { autoConfirmBatches: false });
    const purchase = await drop(await sell(itemId, 2));
    const batchDetails = [{ batchNum: 'NEW', quantity: 2, expiryDate: '2028-01-01' }];
    const lines = [{ baseLineId: purchase.lines[0].id, quantity: 2, batchDetails }];
    await make(`/api/purchases/${purchase.id}/receive`, { lines });
    assert.deepEqual(await stock(itemId), [0, 0, 0]);
    await app.client.put('/api/config/flags', { autoConfirmBatches: true });
  });

  it('name the batches and the warehouse that they came through', async () => {
    const itemId = await item({ batchTracked: true });
    const direct = await make('/api/warehouses', { name: 'Direct deliveries', code: 'DIRECT' });
    const order = await sell(itemId, 6);
    const purchase = await drop(order, { warehouseId: direct.id });
    const [{ id: baseLineId }] = purchase.lines;
    const batchDetails = [
      { batchNum: 'B', quantity: 2, expiryDate: '2028-01-01' },
      { batchNum: 'A', quantity: 4, expiryDate: '2027-01-01' },
    ];
    await make(`/api/purchases/${purchase.id}/receive`, { lines: [{ baseLineId, quantity: 6, batchDetails }] });
    const moved = (await read(`/api/stock/movements?itemId=${itemId}`)) as Data[];
    assert.deepEqual(moved.map((one) => [one.batchNum, one.quantity, one.warehouseId === direct.id]).sort(), [
      ['A', -4, true],
      ['A', 4, true],
      ['B', -2, true],
      ['B', 2, true],
    ]);
    assert.deepEqual(await stock(itemId), [0, 0, 0]);
    const [{ cost }] = await notes(itemId);
    assert.equal(cost, 180);
  });

  it('take their serial numbers along', async () => {
    const itemId = await item({ serialTracked: true });
    const purchase = await drop(await sell(itemId, 2));
    const lines = [{ baseLineId: purchase.lines[0].id, quantity: 2, serialNumbers: ['S-1', 'S-2'] }];
    await make(`/api/purchases/${purchase.id}/receive`, { lines });
    const moved = (await read(`/api/stock/movements?itemId=${itemId}`)) as Data[];
    assert.deepEqual(moved.map((one) => [one.batchNum, one.quantity]).sort(), [
      ['S-1', -1],
      ['S-1', 1],
      ['S-2', -1],
      ['S-2', 1],
    ]);
  });

  it('are not received if they cannot be delivered on', async () => {
    const itemId = await item();
    const purchase = await drop(await sell(itemId, 2));
    const field = { table_name: 'SalesDeliveryNote', field_name: 'carrier', label: 'Carrier', type: 'TEXT' };
    const { id } = await make('/api/custom-fields', { ...field, required: true });
    const answer = await app.client.post(`/api/purchases/${purchase.id}/receive`);
    assertProblem(answer, 409, 'invalid_transition');
    assert.deepEqual(await stock(itemId), [0, 2, 2]);
    await app.client.del(`/api/custom-fields/${id}`);
    await make(`/api/purchases/${purchase.id}/receive`);
    assert.deepEqual(await stock(itemId), [0, 0, 0]);
  });

  it('leave out kits and services', async () => {
    const [kit, part] = [await item({ kit: true }), await item()];
    await make(`/api/items/${kit}/components`, { componentId: part, quantity: 1 });
    const order = await sell(kit, 1);
    const answer = await app.client.post(`/api/sales/${order.id}/drop-ship`, {
      partnerId: till.supplierId,
      ...ADDRESS,
    });
    assertProblem(answer, 409, 'nothing_open');
  });
});
