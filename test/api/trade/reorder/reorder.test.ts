import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { daysFromToday as inDays } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;

/** Promises, reordering and assembly (decision 0313). */
describe('replenishment', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  let names = 0;
  const item = async (more: Body = {}) => {
    const { uomId } = (await app.client.get(`/api/items/${till.itemId}`)).body.data;
    const body = { name: `Goods ${++names}`, uomId, purchasePrice: 3, ...more };
    return (await books.make<Answer['body']>('/api/items', body)).id as string;
  };
  const make = (path: string, body: Body) => books.make<Answer['body']>(path, body);
  const received = (itemId: string, quantity: number, price: number) =>
    make('/api/purchases/delivery-notes', { partnerId: till.supplierId, lines: [{ itemId, quantity, price }] });

  it('promises what no later order needs, by the days of delivery', async () => {
    const itemId = await item();
    await received(itemId, 10, 3);
    const lines = (quantity: number) => [{ itemId, quantity, price: 1 }];
    const order = (path: string, partnerId: string, quantity: number, days: number) =>
      make(path, { partnerId, lines: lines(quantity), deliveryDate: inDays(days) });
    const sale = await order('/api/sales', till.customerId, 7, 20);
    assert.equal(sale.deliveryDate, inDays(20));
    await order('/api/purchases', till.supplierId, 12, 30);
    const ask = async (quantity: number) =>
      (await app.client.get(`/api/stock/availability?itemId=${itemId}&quantity=${quantity}`)).body;
    const three = await ask(3);
    assert.deepEqual([three.onHand, three.reserved, three.incoming, three.promisable], [10, 7, 12, 3]);
    assert.equal(three.earliest, three.days[0].date);
    assert.deepEqual([(await ask(4)).earliest, (await ask(16)).earliest], [inDays(30), null]);
    const moved = await app.client.patch(`/api/sales/${sale.id}`, { deliveryDate: inDays(40) });
    assert.equal(moved.status, 200, JSON.stringify(moved.body));
    assert.equal((await ask(4)).earliest, inDays(0));
    const early = await app.client.patch(`/api/sales/${sale.id}`, { deliveryDate: '2000-01-01' });
    assertProblem(early, 422, 'validation_failed');
    assert.equal(early.body.errors[0].pointer, '/deliveryDate');
    assertProblem(await app.client.get(`/api/stock/availability?itemId=${till.customerId}`), 404, 'not_found');
  });

  it('orders again what is below its minimum, once, by supplier', async () => {
    const [one, two, three] = [await item(), await item(), await item()];
    await received(one, 2, 3);
    const rule = (itemId: string, more: Body = {}) => make('/api/reorder-rules', { itemId, minimum: 5, ...more });
    const rules = [
      await rule(one, { maximum: 20, packQuantity: 12, supplierId: till.supplierId, leadTimeDays: 10 }),
      await rule(two, { supplierId: till.supplierId }),
      await rule(three),
    ];
    const { data } = (await app.client.get('/api/reorder')).body;
    const shown = (ruleId: string) => data.find((each: Answer['body']) => each.ruleId === ruleId);
    assert.deepEqual(
      rules.map(({ id }) => shown(id).quantity),
      [24, 5, 5],
    );
    const answers = await Promise.all([1, 2].map(() => app.client.post('/api/reorder', {})));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    const done = answers.find(({ status }) => status === 201)?.body.data;
    assert.deepEqual([done.documents.length, done.skipped.length], [1, 1]);
    const order = (await app.client.get(done.documents[0].path)).body.data;
    assert.deepEqual([order.deliveryDate, order.lines.length, order.lines[0].price], [inDays(10), 2, 3]);
    const named = await app.client.post('/api/reorder', { lines: [{ ruleId: rules[2]?.id }] });
    assertProblem(named, 422, 'validation_failed');
    assert.equal(named.body.errors[0].pointer, '/lines/0/ruleId');
    await app.client.patch(`/api/reorder-rules/${rules[2]?.id}`, { supplierId: till.supplierId });
    const request = await app.client.post('/api/reorder', {
      kind: 'request',
      lines: [{ ruleId: rules[2]?.id, quantity: 50 }],
    });
    assert.deepEqual([request.status, request.body.data.documents[0].docType], [201, 'PR']);
    const twice = await app.client.post('/api/reorder-rules', { itemId: one, minimum: 1 });
    assertProblem(twice, 409, 'duplicate');
    const upside = await app.client.post('/api/reorder-rules', { itemId: await item(), minimum: 5, maximum: 4 });
    assert.equal(upside.body.errors[0].pointer, '/maximum');
    for (const { id } of rules) await app.client.del(`/api/reorder-rules/${id}`);
    assertProblem(await app.client.post('/api/reorder', {}), 409, 'nothing_open');
  });

  it('orders for all warehouses together only what is not ordered for one', async () => {
    const itemId = await item();
    const { id: warehouseId } = await make('/api/warehouses', { name: 'North', code: 'NORTH' });
    const rule = { itemId, minimum: 5, maximum: 10, supplierId: till.supplierId };
    const rules = [await make('/api/reorder-rules', rule), await make('/api/reorder-rules', { ...rule, warehouseId })];
    const { documents } = await make('/api/reorder', {});
    assert.equal(documents.length, 1);
    const order = (await app.client.get(documents[0].path)).body.data;
    assert.deepEqual([order.lines[0].quantity, order.lines[0].warehouseId], [10, warehouseId]);
    await app.client.patch(`/api/reorder-rules/${rules[0]?.id}`, { maximum: 30, minimum: 25 });
    assert.equal((await app.client.get(`/api/reorder?itemId=${itemId}`)).body.data[0].quantity, 20);
    for (const { id } of rules) await app.client.del(`/api/reorder-rules/${id}`);
  });

  it('skips suppliers that cannot be ordered from, and knows only items with stock', async () => {
    const itemId = await item();
    const { groupId } = (await app.client.get(`/api/partners/${till.supplierId}`)).body.data;
    const { id: supplierId } = await make('/api/partners', { name: 'Gone', groupId });
    const rules = [
      await make('/api/reorder-rules', { itemId, minimum: 5, supplierId }),
      await make('/api/reorder-rules', { itemId: await item(), minimum: 5, supplierId: till.customerId }),
      await make('/api/reorder-rules', { itemId: await item(), minimum: 5, supplierId: till.supplierId }),
    ];
    await app.client.patch(`/api/partners/${supplierId}`, { active: false });
    const { documents, skipped } = await make('/api/reorder', {});
    assert.deepEqual([documents.length, skipped.length, skipped[0].orderable], [1, 2, false]);
    for (const more of [{ type: 'service' }, { kit: true }]) {
      const untracked = await app.client.post('/api/reorder-rules', { itemId: await item(more), minimum: 1 });
      assertProblem(untracked, 422, 'validation_failed');
      assert.equal(untracked.body.errors[0].pointer, '/itemId');
    }
    assertProblem(await app.client.patch(`/api/items/${itemId}`, { stockTracked: false }), 409, 'in_use');
    for (const { id } of rules) await app.client.del(`/api/reorder-rules/${id}`);
    assert.equal((await app.client.patch(`/api/items/${itemId}`, { stockTracked: false })).status, 200);
  });

  it('counts what is requested until it is cancelled', async () => {
    const itemId = await item();
    const rule = await make('/api/reorder-rules', { itemId, minimum: 60, supplierId: till.supplierId });
    const lines = [{ ruleId: rule.id, quantity: 50 }];
    const { documents } = await make('/api/reorder', { kind: 'request', lines });
    const again = async () => (await app.client.get(`/api/reorder?itemId=${itemId}`)).body.data[0];
    const { requested, incoming, projected, quantity } = await again();
    assert.deepEqual([requested, incoming, projected, quantity], [50, 0, 50, 10]);
    await make(`/api/purchases/requests/${documents[0].id}/cancel`, {});
    assert.deepEqual([(await again()).requested, (await again()).quantity], [0, 60]);
    await app.client.del(`/api/reorder-rules/${rule.id}`);
  });

  it('finds items by any barcode, and checks the last digit', async () => {
    const itemId = await item({ barcode: 'OWN-1' });
    const path = `/api/items/${itemId}/barcodes`;
    await make(path, { barcode: '5901234123457' });
    await make(path, { barcode: 'SHELF-7', kind: 'other' });
    for (const code of ['OWN-1', '5901234123457', 'SHELF-7']) {
      const { data } = (await app.client.get(`/api/items?scan=${code}`)).body;
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        [itemId],
      );
    }
    assert.equal((await app.client.get('/api/items?scan=5901234123458')).body.data.length, 0);
    const refused = async (body: Body, pointer: string) => {
      const answer = await app.client.post(path, body);
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer);
      return answer.body.errors[0].message as string;
    };
    assert.match(await refused({ barcode: '5901234123458' }, '/barcode'), /check digit, 7/);
    await refused({ barcode: 'ABC' }, '/barcode');
    await refused({ barcode: '96385074', uomId: till.customerId }, '/uomId');
    assertProblem(await app.client.post(path, { barcode: 'OWN-1', kind: 'other' }), 409, 'duplicate');
    const { uomId } = (await app.client.get(`/api/items/${itemId}`)).body.data;
    const other = await app.client.post('/api/items', { name: 'X', uomId, barcode: 'SHELF-7' });
    assertProblem(other, 409, 'duplicate');
  });

  it('assembles at what the parts cost', async () => {
    const [basket, fruit, box] = [await item(), await item({ costMethod: 'fifo' }), await item()];
    await make(`/api/items/${basket}/components`, { componentId: fruit, quantity: 3 });
    await make(`/api/items/${basket}/components`, { componentId: box, quantity: 1 });
    await received(fruit, 4, 1);
    await received(fruit, 10, 2);
    await received(box, 5, 0.5);
    const warehouseId = (await app.client.get('/api/warehouses?isDefault=true')).body.data[0].id;
    const assembled = await app.client.post('/api/stock/assemblies', { itemId: basket, quantity: 2, warehouseId });
    assert.equal(assembled.status, 201, JSON.stringify(assembled.body));
    // Six pieces by FIFO: 4 × 1 + 2 × 2, and two boxes: 9.00 for two baskets.
    const [made, ...parts] = assembled.body.data.lines;
    assert.deepEqual([made.produced, made.quantity, made.unitCost], [true, 2, 4.5]);
    assert.deepEqual(
      parts.map(({ quantity }: { quantity: number }) => quantity),
      [6, 2],
    );
    const onHand = async (id: string) =>
      (await app.client.get(`/api/stock?itemId=${id}&groupBy=item`)).body.data[0].onHand;
    assert.deepEqual([await onHand(basket), await onHand(fruit), await onHand(box)], [2, 8, 3]);
    const other = { itemId: basket, quantity: 1, warehouseId, components: [{ itemId: box, quantity: 2 }] };
    assert.equal((await app.client.post('/api/stock/assemblies', other)).body.data.lines[0].unitCost, 1);
    const many = await app.client.post('/api/stock/assemblies', { itemId: basket, quantity: 50, warehouseId });
    assertProblem(many, 409, 'insufficient_stock');
    const { id } = assembled.body.data;
    assert.equal((await app.client.get(`/api/stock/assemblies/${id}`)).body.data.code, assembled.body.data.code);
    assert.equal((await app.client.get('/api/stock/assemblies')).body.data.length, 2);
    const cycle = await app.client.post(`/api/items/${fruit}/components`, { componentId: basket, quantity: 1 });
    assert.equal(cycle.body.errors[0].pointer, '/componentId');
    const none = await app.client.post('/api/stock/assemblies', { itemId: box, quantity: 1, warehouseId });
    assert.equal(none.body.errors[0].pointer, '/components');
  });
});
