import assert from 'node:assert/strict';
import { TODAY } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTrade } from '../documents/trade.ts';

const COUNTS = '/api/stock/adjustments';

describe('opening stock is counted with its cost', () => {
  const app = useApp({}, { each: true });
  const books = use(() => openBooks(app), { each: true });
  const trade = use(() => openTrade(app, 0), { each: true });

  const item = async (costMethod: string) => {
    const uomId = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    return (await books.make('/api/items', { name: 'Vino', uomId, costMethod, purchasePrice: 99 })).id;
  };
  const count = (...lines: object[]) =>
    books.make<{ id: string; lines: { unitCost: number; difference: number }[] }>(COUNTS, {
      warehouseId: trade.warehouseId,
      lines,
    });
  const vary = () => books.make('/api/journal-entries/stock-variation', { date: TODAY });
  const configure = async (values: object) => {
    const { body } = await app.client.get('/api/config/accounting');
    assert.equal((await app.client.put('/api/config/accounting', { ...body.data, ...values })).status, 200);
  };

  for (const method of ['average', 'fifo']) {
    it(`and entered against the opening account, which is no result of the year (${method})`, async () => {
      const itemId = await item(method);
      // 12 × 7.125 = 85.50; of these 3 are sold at a cost of 3 × 7.125 = 21.375, so that 64.125 are left.
      const made = await count({ itemId, countedQuantity: 12, unitCost: 7.125 });
      assert.deepEqual(
        made.lines.map(({ unitCost, difference }) => [unitCost, difference]),
        [[7.125, 12]],
      );
      assert.deepEqual(await books.enteredFor(made.id), ['D 300 85.5', 'H 555 85.5']);
      const lines = [{ itemId, quantity: 3, price: 20 }];
      await books.make('/api/sales/delivery-notes', { partnerId: trade.customerId, lines });
      await vary();
      assert.deepEqual(
        [await books.balance('300'), await books.balance('555'), await books.balance('610')],
        [method === 'fifo' ? 64.13 : 64.12, -85.5, method === 'fifo' ? 21.37 : 21.38],
      );
    });
  }

  it('beside lines that differ without a cost, whose value is variation', async () => {
    const [known, other] = [await item('average'), await item('average')];
    await count({ itemId: other, countedQuantity: 10, unitCost: 2 });
    // Opening 5 × 3 = 15; missing 4 × 2 = 8.
    const made = await count({ itemId: known, countedQuantity: 5, unitCost: 3 }, { itemId: other, countedQuantity: 6 });
    assert.deepEqual(await books.enteredFor(made.id), ['D 300 15', 'H 555 15', 'H 300 8', 'D 610 8']);
  });

  it('also where counts are entered once a year, and on the account that the company names', async () => {
    const account = books.account('120');
    await configure({ stockCountEntries: false, openingBalanceAccountId: account });
    const itemId = await item('average');
    const made = await count({ itemId, countedQuantity: 2, unitCost: 4 });
    assert.deepEqual(await books.enteredFor(made.id), ['D 300 8', 'H 120 8']);
    const free = await count({ itemId: await item('fifo'), countedQuantity: 2, unitCost: 0 });
    assert.deepEqual(await books.enteredFor(free.id), []);
  });

  it('a cost of goods that do not come in is refused, and changes nothing', async () => {
    const itemId = await item('average');
    await count({ itemId, countedQuantity: 5, unitCost: 3 });
    for (const countedQuantity of [5, 4, 0]) {
      const lines = [{ itemId, countedQuantity, unitCost: 3 }];
      const { status, body } = await app.client.post(COUNTS, { warehouseId: trade.warehouseId, lines });
      assert.deepEqual(
        [status, body.errors[0].pointer, body.errors[0].code],
        [422, '/lines/0/unitCost', 'not_applicable'],
      );
    }
    for (const unitCost of [-1, 1.2345678, 'three', null]) {
      const lines = [{ itemId, countedQuantity: 9, unitCost }];
      const { status, body } = await app.client.post(COUNTS, { warehouseId: trade.warehouseId, lines });
      if (unitCost !== null) assert.deepEqual([status, body.errors[0].pointer], [422, '/lines/0/unitCost']);
      // Null is as if it were not there: 4 more at the average.
      else assert.deepEqual([status, body.data.lines[0].unitCost], [201, 3]);
    }
    assert.deepEqual([await books.balance('300'), await books.balance('555')], [27, -15]);
  });

  it('the opening entry clears the account', async () => {
    await count({ itemId: await item('average'), countedQuantity: 10, unitCost: 3 });
    const line = (code: string, amount: object) => ({ accountId: books.account(code), ...amount });
    const lines = [line('572', { debit: 100 }), line('555', { debit: 30 }), line('100', { credit: 130 })];
    await books.make('/api/journal-entries', {
      date: `${TODAY.slice(0, 4)}-01-01`,
      kind: 'opening',
      post: true,
      lines,
    });
    assert.deepEqual([await books.balance('555'), await books.balance('6', '7')], [0, 0]);
  });
});
