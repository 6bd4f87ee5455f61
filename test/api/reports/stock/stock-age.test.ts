import assert from 'node:assert/strict';
import { daysFromToday } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../../trade/payments/till.ts';

describe('stock by age', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));

  it('tells how long goods have been there, and what they are worth', async () => {
    const { uomId } = (await app.client.get(`/api/items/${till.itemId}`)).body.data;
    const make = async (path: string, body: object) => (await books.make<{ id: string }>(path, { ...body })).id;
    const [fifo, average] = [
      await make('/api/items', { name: 'Fifo', uomId, costMethod: 'fifo' }),
      await make('/api/items', { name: 'Average', uomId }),
    ];
    const receive = (days: number, price: number) =>
      make('/api/purchases/delivery-notes', {
        partnerId: till.supplierId,
        date: daysFromToday(-days),
        lines: [fifo, average].map((itemId) => ({ itemId, quantity: 10, price })),
      });
    await receive(100, 1);
    await receive(40, 3);
    const lines = [fifo, average].map((itemId) => ({ itemId, quantity: 4, price: 9 }));
    await make('/api/sales/delivery-notes', { partnerId: till.customerId, lines });
    const { data, summary } = (await app.client.get('/api/reports/stock-age')).body;
    const row = (id: string) => data.rows.find((each: { item_id: string }) => each.item_id === id);
    const { up_to_30, up_to_90, up_to_180, value_up_to_90, value_up_to_180, value } = row(fifo);
    assert.deepEqual([up_to_30, up_to_90, up_to_180], [0, 10, 6]);
    assert.deepEqual([value_up_to_90, value_up_to_180, value], [30, 6, 36]);
    const other = row(average);
    assert.deepEqual([other.value_up_to_90, other.value_up_to_180, other.value], [20, 12, 32]);
    const valuation = (await app.client.get('/api/reports/stock-valuation')).body.summary;
    assert.equal(summary.value, valuation.value);
  });
});
