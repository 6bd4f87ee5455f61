import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { daysFromToday, TODAY } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTrade } from '../documents/trade.ts';

const ADJUSTMENTS = '/api/stock/adjustments';
/** Days before today. */
const day = (before: number) => daysFromToday(-before);

describe('back-dated goods have to be there on their day and on each later one', () => {
  const app = useApp();
  const books = use(() => openBooks(app));
  const trade = use(() => openTrade(app, 0));

  const item = async () => {
    const [uomId] = [(await app.client.get('/api/uom?code=UD')).body.data[0].id];
    return (await books.make('/api/items', { name: 'Naranjas', uomId, purchasePrice: 1 })).id;
  };
  const receive = (itemId: string, quantity: number, date: string) =>
    books.make('/api/purchases/delivery-notes', {
      partnerId: trade.supplierId,
      date,
      lines: [{ itemId, quantity, price: 10 }],
    });
  const selling = (itemId: string, quantity: number, date: string) => ({
    partnerId: trade.customerId,
    date,
    lines: [{ itemId, quantity, price: 20 }],
  });
  const sell = (...sale: Parameters<typeof selling>) => app.client.post('/api/sales/delivery-notes', selling(...sale));
  const onHand = async (itemId: string) =>
    (await app.client.get(`/api/stock?itemId=${itemId}&groupBy=item`)).body.data[0].onHand as number;
  const allow = async (allowNegativeStock: boolean) => {
    const { body } = await app.client.get('/api/config/flags');
    assert.equal((await app.client.put('/api/config/flags', { ...body.data, allowNegativeStock })).status, 200);
  };
  /** Code, pointers and the first message of a refusal. */
  const refusal = ({ status, body }: Answer) => [
    `${status} ${body.code}`,
    ...(body.errors ?? []).map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`),
  ];

  it('the stock account never shows less than nothing on any day', async () => {
    const itemId = await item();
    await receive(itemId, 10, day(5));
    await sell(itemId, 4, day(9));
    const { body } = await app.client.post('/api/journal-entries/stock-variation', { date: day(6) });
    // Sold on day 9, the goods would have been worth −40 until day 5.
    assert.deepEqual([await books.balance('300'), body.data], [0, null]);
  });

  it('what came in on day 5 cannot have left on day 9 before today, but from its day on', async () => {
    const itemId = await item();
    await receive(itemId, 10, day(5));
    const { code } = (await app.client.get(`/api/items/${itemId}`)).body.data;
    assert.deepEqual(refusal(await sell(itemId, 4, day(9))), [
      '409 insufficient_stock',
      `/lines/0/quantity ${code}: 0 on hand on ${day(6)}, 4 needed`,
    ]);
    assert.equal(await onHand(itemId), 10);
    assert.equal((await sell(itemId, 4, day(5))).status, 201);
    assert.equal(await onHand(itemId), 6);
  });

  it('later sales keep what they took: each day after the back-dated one has to hold', async () => {
    const itemId = await item();
    await receive(itemId, 10, day(20));
    assert.equal((await sell(itemId, 8, day(10))).status, 201);
    await receive(itemId, 10, day(5));
    // On hand: 10 from day 20, 2 from day 10, 12 from day 5. Of 12 today 3 cannot have left on day 15: day 10 would end at 10 − 3 − 8 = −1.
    const refused = await sell(itemId, 3, day(15));
    assert.match(refusal(refused)[1] ?? '', new RegExp(`2 on hand on ${day(6)}, 3 needed`));
    assert.equal((await sell(itemId, 2, day(15))).status, 201);
    // 10 − 2 − 8 = 0 until day 5: the day before it has nothing more to give, that day 10.
    assert.equal((await sell(itemId, 1, day(6))).status, 409);
    assert.equal((await sell(itemId, 10, day(5))).status, 201);
    assert.equal(await onHand(itemId), 0);
  });

  it('what came and left on one day is counted at its end, whatever was entered first', async () => {
    const itemId = await item();
    await receive(itemId, 5, day(9));
    assert.equal((await sell(itemId, 5, day(4))).status, 201);
    await receive(itemId, 5, day(4));
    assert.equal((await sell(itemId, 5, day(6))).status, 201);
  });

  it('invoices, transfers and counts are held to the same', async () => {
    const itemId = await item();
    await receive(itemId, 10, day(5));
    const { id } = await books.make('/api/sales/invoices', selling(itemId, 1, day(9)));
    assert.deepEqual(refusal(await app.client.post(`/api/sales/invoices/${id}/post`))[0], '409 insufficient_stock');
    await books.make(`/api/sales/invoices/${id}/cancel`);
    const { warehouseId } = trade;
    const there = (await books.make('/api/warehouses', { name: 'Segundo' })).id;
    const transfer = { warehouseId, toWarehouseId: there, date: day(9), lines: [{ itemId, quantity: 1 }] };
    assert.match(
      refusal(await app.client.post('/api/stock/transfers', transfer))[1] ?? '',
      /^\/lines\/0\/quantity .* 0 on hand/,
    );
    const count = { warehouseId, date: day(9), lines: [{ itemId, countedQuantity: 9 }] };
    const refused = refusal(await app.client.post(ADJUSTMENTS, count));
    assert.match(refused[1] ?? '', /^\/lines\/0\/countedQuantity .* 0 on hand .* 1 needed$/);
    // More than on hand comes in, which harms no day.
    await books.make(ADJUSTMENTS, { ...count, lines: [{ itemId, countedQuantity: 11 }] });
    assert.equal((await sell(itemId, 1, day(9))).status, 201);
  });

  it('a receipt whose goods left later is neither cancelled nor deleted as of its day', async () => {
    const itemId = await item();
    const { id } = await receive(itemId, 10, day(9));
    assert.equal((await sell(itemId, 10, day(7))).status, 201);
    await receive(itemId, 10, day(5));
    const path = `/api/purchases/delivery-notes/${id}`;
    assert.equal(refusal(await app.client.post(`${path}/cancel`, { date: day(8) }))[0], '409 insufficient_stock');
    // From day 5 on there are 10 again.
    assert.equal((await app.client.post(`${path}/cancel`, { date: day(5) })).status, 200);
  });

  it('an invoice that brought goods is not undone before the day on which others replace them', async () => {
    const itemId = await item();
    const lines = [{ itemId, quantity: 10, price: 10 }];
    const input = { partnerId: trade.supplierId, supplierReference: 'A-1', date: day(9), lines };
    const { id } = await books.make('/api/purchases/invoices', input);
    await books.make(`/api/purchases/invoices/${id}/post`);
    assert.equal((await sell(itemId, 10, day(7))).status, 201);
    await receive(itemId, 10, day(3));
    const cancel = (date: string) => app.client.post(`/api/purchases/invoices/${id}/cancel`, { date });
    assert.equal(refusal(await cancel(day(6)))[0], '409 insufficient_stock');
    assert.equal((await cancel(day(3))).status, 200);
  });

  it('with allowNegativeStock days may fall below zero; once it is off, such a day takes no more', async () => {
    const itemId = await item();
    await receive(itemId, 10, day(5));
    await allow(true);
    assert.equal((await sell(itemId, 4, day(9))).status, 201);
    await allow(false);
    assert.equal((await sell(itemId, 1, day(9))).status, 409);
    assert.equal((await sell(itemId, 1, day(5))).status, 201);
    assert.equal((await sell(itemId, 1, TODAY)).status, 201);
  });
});
