import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openReports } from '../golden-quarter.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Operations within the Union, with corrections of earlier periods. */
describe('model 349', () => {
  const app = useApp({}, { each: true });
  const books = use(() => openReports(app), { each: true });
  const EU = { vatRegime: 'intra_eu' };
  const service = { itemId: undefined, description: 'Advice' };
  const report = async (period: string): Promise<Data> =>
    (await app.client.get(`/api/reports/tax/model349?year=2026&period=${period}`)).body;
  const credit = async (invoice: { id: string; lines: { id: string }[] }, date: string, quantity: number) => {
    const lines = [{ baseLineId: invoice.lines[0]?.id, quantity }];
    const { id } = await books.make(`/api/sales/invoices/${invoice.id}/rectify`, { reason: 'Price', date, lines });
    await books.make(`/api/sales/invoices/${id}/post`);
  };
  const buy = (date: string, price: number, more: Body = {}, line: Body = {}) =>
    books.invoice('purchases', date, price, { ...EU, supplierReference: `${date}-${price}`, ...more }, line);

  it('has what was supplied and acquired, goods and services apart, without others', async () => {
    await books.invoice('sales', '2026-01-10', 1000, EU);
    await books.invoice('sales', '2026-02-10', 500, EU, service);
    await books.invoice('sales', '2026-02-11', 99);
    await books.invoice('sales', '2026-04-01', 7, EU);
    await buy('2026-03-01', 300);
    await buy('2026-03-31', 200, {}, { ...service, accountId: books.account('623') });
    const { data, summary } = await report('1T');
    assert.deepEqual(
      data.rows.map(({ key, name, base }: Data) => [key, name, base]),
      [
        ['E', 'Café Central', 1000],
        ['S', 'Café Central', 500],
        ['A', 'Huerta del Sur', 300],
        ['I', 'Huerta del Sur', 200],
      ],
    );
    assert.deepEqual([data.boxes['01'], data.boxes['02'], summary.base, data.without_nif], [4, 2000, 2000, 4]);
    assert.equal((await report('01')).summary.base, 1000);
  });

  it('corrects earlier periods, and its own by what is left', async () => {
    const first = await books.invoice('sales', '2026-01-10', 1000, EU);
    await credit(first, '2026-03-10', 0.1);
    assert.deepEqual((await report('1T')).data.boxes, { '01': 1, '02': 900, '03': 0, '04': 0 });
    await credit(first, '2026-05-10', 0.2);
    await credit(first, '2026-08-10', 0.3);
    const second = (await report('2T')).data;
    assert.deepEqual(
      second.corrections.map(({ key, year, period, rectified, before }: Data) => [
        key,
        year,
        period,
        rectified,
        before,
      ]),
      [['E', 2026, '1T', 700, 900]],
    );
    assert.deepEqual(second.boxes, { '01': 0, '02': 0, '03': 1, '04': 700 });
    const [third] = (await report('3T')).data.corrections;
    assert.deepEqual([third.rectified, third.before, third.period], [400, 700, '1T']);
    assert.equal((await report('1T')).data.rows[0].base, 900);
  });

  it('forgets cancelled invoices, and is for companies in Spain alone', async () => {
    const { id } = await books.invoice('sales', '2026-06-10', 1000, EU);
    await books.make(`/api/sales/invoices/${id}/cancel`);
    assert.deepEqual((await report('2T')).data.rows, []);
    assertProblem(await app.client.get('/api/reports/tax/model349?year=2026'), 400, 'invalid_parameter');
  });
});
