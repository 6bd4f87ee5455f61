import assert from 'node:assert/strict';
import { assertSound } from '../helpers/hooks.ts';
import { atOnce, tally, useMarket } from './market.ts';

const ADJUSTMENTS = '/api/stock/adjustments';
const TRANSFERS = '/api/stock/transfers';

describe('counts and transfers under parallel requests', () => {
  let otherId: string;
  const market = useMarket();
  before(async () => {
    otherId = (await market.make('/api/warehouses', { name: 'Segundo' })).id;
  });
  afterEach(() => assertSound(market.app.databaseUrl));

  const post = (path: string, body: object) => market.app.client.post(path, body);
  const onHand = async (itemId: string, warehouseId: string) => {
    const { body } = await market.app.client.get(
      `/api/stock?itemId=${itemId}&groupBy=item,warehouse&warehouseId=${warehouseId}`,
    );
    return body.data[0].onHand as number;
  };

  it('transfers in opposite directions, with their items in opposite order: all are created without a deadlock', async () => {
    const items = await atOnce(4, () => market.item(100));
    const lines = items.map((itemId) => ({ itemId, quantity: 1 }));
    const there = { warehouseId: market.warehouseId, toWarehouseId: otherId };
    const back = { warehouseId: otherId, toWarehouseId: market.warehouseId };
    const filled = items.map((itemId) => ({ itemId, quantity: 40 }));
    assert.equal((await post(TRANSFERS, { ...there, lines: filled })).status, 201);
    const answers = await atOnce(60, (index) =>
      post(TRANSFERS, index % 2 === 0 ? { ...there, lines } : { ...back, lines: [...lines].reverse() }),
    );
    assert.deepEqual(tally(answers), { '201': 60 });
    for (const itemId of items) assert.equal(await onHand(itemId, otherId), 40);
    const codes = answers.map(({ body }) => body.data.code as string).sort();
    assert.equal(new Set(codes).size, 60);
  });

  it('transfers and sales of the last pieces: each piece leaves once', async () => {
    const itemId = await market.item(20);
    const answers = await atOnce(60, (index) =>
      index % 2 === 0
        ? post(TRANSFERS, { warehouseId: market.warehouseId, toWarehouseId: otherId, lines: [{ itemId, quantity: 1 }] })
        : post('/api/sales/delivery-notes', { partnerId: market.customerId, lines: [{ itemId, quantity: 1 }] }),
    );
    assert.deepEqual(tally(answers), { '201': 20, '409 insufficient_stock': 40 });
    assert.equal(await onHand(itemId, market.warehouseId), 0);
  });

  it('sales from two warehouses: low stock is reported once, with what is left in both', async () => {
    const items = await atOnce(5, () => market.item(20));
    for (const itemId of items) {
      const { status } = await market.app.client.patch(`/api/items/${itemId}`, { minStock: 15 });
      assert.equal(status, 200);
    }
    const half = items.map((itemId) => ({ itemId, quantity: 10 }));
    const move = { warehouseId: market.warehouseId, toWarehouseId: otherId, lines: half };
    assert.equal((await post(TRANSFERS, move)).status, 201);
    const sold = await atOnce(60, (index) => {
      const lines = [{ itemId: items[index % 5], quantity: 1 }];
      const warehouseId = index % 2 === 0 ? market.warehouseId : otherId;
      return post('/api/sales/delivery-notes', { partnerId: market.customerId, warehouseId, lines });
    });
    assert.deepEqual(tally(sold), { '201': 60 });
    const told = await market.app.database.withSystem((trx) =>
      trx('outbox').select('entity_id as itemId', trx.raw(`payload -> 'stock' as stock`)).where({ event: 'stock.low' }),
    );
    assert.deepEqual(
      told.map(({ itemId, stock }) => `${itemId} ${stock}`).sort(),
      items.map((itemId) => `${itemId} 14`).sort(),
    );
  });

  it('a count during sales: each sale is before or after it, and the difference is what the count saw', async () => {
    const itemId = await market.item(100);
    const lines = [{ itemId, countedQuantity: 50 }];
    const sold = { partnerId: market.customerId, lines: [{ itemId, quantity: 1 }] };
    const [sales, counted] = await Promise.all([
      atOnce(30, () => post('/api/sales/delivery-notes', sold)),
      post(ADJUSTMENTS, { warehouseId: market.warehouseId, lines }),
    ]);
    assert.deepEqual(tally(sales), { '201': 30 });
    assert.equal(counted.status, 201);
    const [line] = counted.body.data.lines;
    assert.equal(line.previousQuantity + line.difference, 50);
    const soldBefore = 100 - line.previousQuantity;
    assert.equal(await onHand(itemId, market.warehouseId), 50 - (30 - soldBefore));
  });

  it('counts that find the same new batch: one batch is created', async () => {
    const { body } = await market.app.client.get(`/api/items/${market.itemId}`);
    const item = await market.make('/api/items', { name: 'Lote', uomId: body.data.uomId, batchTracked: true });
    const lines = [{ itemId: item.id, batchNum: 'L1', countedQuantity: 7 }];
    const answers = await atOnce(10, () => post(ADJUSTMENTS, { warehouseId: market.warehouseId, lines }));
    assert.deepEqual(tally(answers), { '201': 10 });
    const batches = (await market.app.client.get(`/api/batches?itemId=${item.id}`)).body.data;
    assert.deepEqual(
      batches.map(({ onHand: there }: { onHand: number }) => there),
      [7],
    );
    const path = `/api/batches/${batches[0].id}/confirm`;
    const confirmed = await atOnce(8, () => market.app.client.post(path));
    assert.deepEqual(tally(confirmed), { '200': 1, '409 invalid_transition': 7 });
  });

  it('receipts of the first goods of an item, of the same new batch, into two warehouses at once: one batch is created', async () => {
    const { body } = await market.app.client.get(`/api/items/${market.itemId}`);
    const item = await market.make('/api/items', { name: 'Primero', uomId: body.data.uomId, batchTracked: true });
    const lines = [{ itemId: item.id, quantity: 1, price: 1, batchDetails: [{ batchNum: 'L1', quantity: 1 }] }];
    const received = await atOnce(20, (index) => {
      const warehouseId = index % 2 === 0 ? market.warehouseId : otherId;
      return post('/api/purchases/delivery-notes', { partnerId: market.supplierId, warehouseId, lines });
    });
    assert.deepEqual(tally(received), { '201': 20 });
    const batches = (await market.app.client.get(`/api/batches?itemId=${item.id}`)).body.data;
    assert.deepEqual(
      batches.map(({ onHand: there }: { onHand: number }) => there),
      [20],
    );
    for (const warehouseId of [market.warehouseId, otherId]) assert.equal(await onHand(item.id, warehouseId), 10);
  });
});
