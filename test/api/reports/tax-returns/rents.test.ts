import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openReports } from '../golden-quarter.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Income tax withheld from rents: models 115 and 180 say the same as the ledger. */
describe('models 115 and 180', () => {
  const app = useApp();
  const books = use(() => openReports(app));
  const report = async (name: string, query: string): Promise<Data> =>
    (await app.client.get(`/api/reports/tax/${name}?${query}`)).body;
  const rent = (date: string, price: number, code = '621') =>
    books.invoice(
      'purchases',
      date,
      price,
      { withholdingRate: 19, supplierReference: `${date}-${price}` },
      { itemId: undefined, description: 'Rent', accountId: books.account(code) },
    );

  it('have what invoices of rents withheld, by landlord and quarter', async () => {
    await rent('2026-01-25', 1000);
    await rent('2026-02-25', 1000.5);
    await rent('2026-04-25', 1100);
    const { id } = await rent('2026-05-25', 9999);
    await books.make(`/api/purchases/invoices/${id}/cancel`, { date: '2026-05-26' });
    await rent('2026-03-01', 500, '623');
    const { data, summary } = await report('model115', 'year=2026&period=1T');
    assert.deepEqual(data.boxes, { '01': 1, '02': 2000.5, '03': 380.1, '04': 0, '05': 380.1 });
    assert.deepEqual([data.type, summary.result, data.rows.length, data.rows[0].rate], ['I', 380.1, 1, 19]);
    assert.equal((await report('model115', 'year=2026&period=2T')).summary.result, 209);
    const year = await report('model180', 'year=2026');
    assert.deepEqual(year.data.boxes, { '01': 1, '02': 3100.5, '03': 589.1 });
    assert.deepEqual(year.summary, { base: 3100.5, withheld: 589.1 });
    const { elsewhere } = (await report('model111', 'year=2026&period=1T')).data;
    assert.deepEqual(elsewhere, [{ rate: 19, base: 2500.5, amount: 475.1 }]);
  });

  it('are nothing where nothing was rented', async () => {
    const { data } = await report('model115', 'year=2025&period=4T');
    assert.deepEqual([data.type, data.rows, data.boxes['05']], ['N', [], 0]);
  });
});
