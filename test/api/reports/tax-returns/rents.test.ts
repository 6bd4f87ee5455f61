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

  it('have rents of nobody too, so that they are those of the ledger', async () => {
    const tax = { kind: 'withholding', operation: 'domestic', rate: 19, base: 300 };
    const lines = [
      { accountId: books.account('621'), debit: 300 },
      { accountId: books.account('4751'), credit: 57, tax },
      { accountId: books.account('572'), credit: 243 },
    ];
    await books.make('/api/journal-entries', { date: '2026-04-10', lines, post: true });
    const { data, summary } = await report('model115', 'year=2026&period=2T');
    assert.deepEqual([data.boxes['01'], summary.result], [2, 266]);
    const year = await report('model180', 'year=2026');
    const [nobody] = year.data.rows.filter(({ name }: Data) => name === null);
    assert.deepEqual([nobody.partner_id, nobody.base, nobody.withheld, nobody.drilldown], [null, 300, 57, null]);
    assert.equal(year.summary.withheld, 646.1);
  });

  it('are nothing where nothing was rented', async () => {
    const { data } = await report('model115', 'year=2025&period=4T');
    assert.deepEqual([data.type, data.rows, data.boxes['05']], ['N', [], 0]);
  });
});
