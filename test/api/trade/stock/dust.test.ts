import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { daysFromToday } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTrade } from '../documents/trade.ts';

/** 3 × ⅓ kg are 3 × 0.333333 = 0.999999 kg, which pass for one kilogram. */
describe('dust of divided quantities', () => {
  const app = useApp();
  const books = use(() => openBooks(app));
  const trade = use(() => openTrade(app, 0));
  let kilogram: string;
  let third: string;
  before(async () => {
    kilogram = (await app.client.get('/api/uom?code=KG')).body.data[0].id;
    third = (await books.make('/api/uom', { code: 'TER', name: 'Tercio' })).id;
  });

  const item = async (costMethod = 'average') => {
    const { id } = await books.make('/api/items', { name: 'Queso', uomId: kilogram, costMethod });
    await books.make(`/api/items/${id}/units`, { uomId: third, factorNumerator: 1, factorDenominator: 3 });
    return id;
  };
  const receive = (itemId: string, price: number, more: object = {}, quantity = 1) =>
    books.make('/api/purchases/delivery-notes', {
      partnerId: trade.supplierId,
      lines: [{ itemId, uomId: third, quantity, price, ...more }],
    });
  const sell = (itemId: string, quantity: number, more: object = {}, date?: string): Promise<Answer> =>
    app.client.post('/api/sales/delivery-notes', {
      partnerId: trade.customerId,
      date,
      lines: [{ itemId, quantity, price: 20, ...more }],
    });
  const onHand = async (itemId: string) =>
    (await app.client.get(`/api/stock?itemId=${itemId}&groupBy=item`)).body.data[0].onHand as number;
  /** Quantities of movements, oldest first; `~` marks dust. */
  const moved = async (itemId: string) => {
    const { body } = await app.client.get(`/api/stock/movements?itemId=${itemId}`);
    const rows = body.data as { quantity: number; rounding: boolean }[];
    return rows.map(({ quantity, rounding }) => `${rounding ? '~' : ''}${quantity}`).reverse();
  };
  const worth = (itemId: string) =>
    app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
      const found = await db('stock_layers')
        .where({ item_id: itemId })
        .select(db.raw('sum(quantity)::float8 as quantity, sum(average_change)::float8 as average'))
        .select(db.raw('sum(fifo_change)::float8 as fifo, sum(remaining)::float8 as remaining'))
        .first();
      return found as object;
    });
  const nothing = { quantity: 0, average: 0, fifo: 0, remaining: 0 };

  for (const method of ['average', 'fifo']) {
    it(`three thirds in, one kilogram out: nothing is left, in quantity nor in value (${method})`, async () => {
      const itemId = await item(method);
      for (const price of [3, 3.1, 3.2]) await receive(itemId, price);
      const sold = await sell(itemId, 1);
      assert.equal(sold.status, 201, JSON.stringify(sold.body));
      assert.deepEqual(await moved(itemId), ['0.333333', '0.333333', '0.333333', '~0.000001', '-1']);
      assert.equal(await onHand(itemId), 0);
      assert.deepEqual(await worth(itemId), nothing);
    });
  }

  it('one kilogram in, three thirds out: the last one takes what the others left', async () => {
    const itemId = await item();
    await receive(itemId, 9.99, { uomId: kilogram });
    for (let times = 0; times < 3; times++) assert.equal((await sell(itemId, 1, { uomId: third })).status, 201);
    assert.deepEqual(await moved(itemId), ['1', '-0.333333', '-0.333333', '-0.333333', '~-0.000001']);
    assert.deepEqual(await worth(itemId), nothing);
    assert.equal((await sell(itemId, 0.01)).status, 409);
  });

  it('in zones too, and of several places the last one takes the dust', async () => {
    const itemId = await item();
    const { warehouseId } = trade;
    const zones = [];
    for (const code of ['A', 'B']) zones.push((await books.make('/api/zones', { warehouseId, code })).id);
    await receive(itemId, 3, { zoneId: zones[0] }, 2);
    await receive(itemId, 3, { zoneId: zones[1] });
    assert.equal((await sell(itemId, 1)).status, 201);
    // ⅔ = 0.666667 and ⅓ = 0.333333: just a kilogram. Of two thirds and two thirds 1.33 kg leave 0.003334 kg, which is not dust.
    assert.deepEqual(await moved(itemId), ['0.666667', '0.333333', '-0.666667', '-0.333333']);
    for (const zoneId of [zones[0], zones[1], zones[1]]) await receive(itemId, 3, { zoneId });
    assert.equal((await sell(itemId, 1)).status, 201);
    assert.deepEqual((await moved(itemId)).slice(7), ['-0.333333', '~0.000001', '-0.666667']);
    assert.deepEqual(await worth(itemId), nothing);
  });

  it('what is undone comes back as it left, and the dust of it goes with the last goods', async () => {
    const itemId = await item();
    const notes = [];
    for (let times = 0; times < 3; times++) notes.push(await receive(itemId, 3));
    const { id } = (await sell(itemId, 1)).body.data;
    await books.make(`/api/sales/delivery-notes/${id}/cancel`);
    assert.equal(await onHand(itemId), 1);
    for (const note of notes) await books.make(`/api/purchases/delivery-notes/${note.id}/cancel`);
    assert.deepEqual((await moved(itemId)).slice(5), ['1', '-0.333333', '-0.333333', '-0.333333', '~-0.000001']);
    assert.deepEqual(await worth(itemId), nothing);
  });

  it('transfers take what is there, counts leave what was counted, and more than dust is still refused', async () => {
    const itemId = await item();
    const { warehouseId } = trade;
    const toWarehouseId = (await books.make('/api/warehouses', { name: 'Segundo' })).id;
    for (let times = 0; times < 3; times++) await receive(itemId, 3);
    const short = await sell(itemId, 1.01);
    assert.equal(`${short.status} ${short.body.code}`, '409 insufficient_stock');
    await books.make('/api/stock/transfers', { warehouseId, toWarehouseId, lines: [{ itemId, quantity: 1 }] });
    assert.equal(await onHand(itemId), 1);
    const count = (countedQuantity: number) =>
      books.make('/api/stock/adjustments', { warehouseId: toWarehouseId, lines: [{ itemId, countedQuantity }] });
    await count(0.01);
    assert.equal(await onHand(itemId), 0.01);
    await count(0);
    assert.deepEqual(await worth(itemId), nothing);
  });

  it('a past day may lack dust, but not more', async () => {
    const itemId = await item();
    const date = daysFromToday(-9);
    const thirds = { itemId, uomId: third, quantity: 1, price: 3 };
    const lines = [thirds, thirds, thirds];
    await books.make('/api/purchases/delivery-notes', { partnerId: trade.supplierId, date, lines });
    await receive(itemId, 9, { uomId: kilogram });
    assert.equal((await sell(itemId, 1.01, {}, daysFromToday(-5))).status, 409);
    assert.equal((await sell(itemId, 1, {}, daysFromToday(-5))).status, 201);
    assert.equal((await sell(itemId, 1)).status, 201);
    assert.deepEqual(await worth(itemId), nothing);
  });
});
