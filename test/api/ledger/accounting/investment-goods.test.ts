import assert from 'node:assert/strict';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from './books.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Deductions on investment goods follow the pro rata for years, and end with the sale of the good (decision 0346). */
describe('investment goods under a pro rata', () => {
  const app = useApp({}, { each: true });
  const till = use(() => openTill(app), { each: true });
  const books = use(() => openBooks(app), { each: true });
  const [bought, year] = [2024, 2025];

  async function invoice(side: 'sales' | 'purchases', date: string, price: number, line: Body = {}) {
    const path = `/api/${side}/invoices`;
    const partnerId = side === 'sales' ? till.customerId : till.supplierId;
    const [tax] = (await app.client.get(`/api/taxes?code=${line.vat ?? 'IVA21'}`)).body.data;
    const { vat: _, ...more } = line;
    const lines = [{ description: 'Torno', quantity: 1, price, taxGroupId: tax.id, ...more }];
    const draft = await books.make(path, { partnerId, lines, date });
    return await books.make<Data>(`${path}/${draft.id}/post`);
  }
  const goods = async (of = year): Promise<Data[]> =>
    (await app.client.get(`/api/investment-goods?year=${of}`)).body.data;
  /** Buys a lathe in a year with a pro rata of 80 %, and sells half exempt in the next. */
  async function buyLathe(line: Body = {}): Promise<string> {
    await books.make('/api/periods/generate', { year: bought });
    await app.client.put('/api/config/tax', { proRata: 80 });
    await invoice('purchases', `${bought}-03-01`, 10_000, { vatUse: 'investment', ...line });
    await invoice('purchases', `${bought}-03-02`, 3005.06, { vatUse: 'investment' });
    await books.make(`/api/pro-rata/${bought}`, { percent: 80 });
    const [good] = await goods();
    return good.id;
  }

  it('are regularised by a fifth of the difference in a year that differs by more than 10 points', async () => {
    const id = await buyLathe();
    await invoice('sales', `${year}-05-01`, 1000);
    await invoice('sales', `${year}-05-02`, 1000, { vat: 'IVA0' });
    await books.make(`/api/pro-rata/${year}`);
    const [good, ...others] = await goods();
    const { documentId: _, documentCode: _code, regularisations, ...shown } = good;
    assert.deepEqual(
      [shown, others],
      [
        {
          ...{ id, description: 'Torno', date: `${bought}-03-01`, base: 10_000, tax: 2100, percent: 80 },
          ...{ years: 5, lastYear: bought + 4, soldOn: null },
        },
        [],
      ],
    );
    // 2,100 × (50 − 80) % / 5.
    assert.deepEqual([regularisations.length, regularisations[0].amount, regularisations[0].percent], [1, -126, 50]);
    const entry = (await app.client.get(`/api/journal-entries/${regularisations[0].entryId}`)).body.data;
    assert.deepEqual(
      [entry.date, ...entry.lines.map((line: Body) => `${line.accountCode} ${line.debit} ${line.credit}`)],
      [`${year}-12-31`, '472 0 126', '634 126 0'],
    );
    const { boxes } = (await app.client.get(`/api/reports/tax/model303?year=${year}&period=4T`)).body.data;
    assert.deepEqual([boxes['43'], boxes['44']], [-126, 0]);
    await books.make(`/api/pro-rata/${year}`, { percent: 75 });
    assert.deepEqual(
      (await goods())[0].regularisations.map(({ amount }: Data) => amount),
      [-126, 126],
    );
    await assertSound(app.databaseUrl);
  });

  it('are regularised for the rest of their years when they are sold, once', async () => {
    const id = await buyLathe();
    const path = `/api/investment-goods/${id}/disposal`;
    const sale = { date: `${year}-06-01`, taxed: true };
    assertProblem(await app.client.post(path, sale), 422, 'validation_failed');
    // 2,100 × (100 − 80) % × 4 / 5 = 336, of which the sale charges 210.
    const sold = await books.make<Data>(path, { ...sale, outputTax: 210 });
    assert.deepEqual([sold.soldOn, sold.regularisations[0].amount], [`${year}-06-01`, 210]);
    assertProblem(await app.client.post(path, { ...sale, outputTax: 210 }), 409, 'invalid_transition');
    await books.make(`/api/pro-rata/${year}`, { percent: 10 });
    assert.equal((await goods())[0].regularisations.length, 1);
    assert.equal((await app.client.del(path)).status, 204);
    assertProblem(await app.client.del(path), 404, 'not_found');
    const exempt = await books.make<Data>(path, { date: `${year}-07-01`, taxed: false });
    assert.equal(exempt.regularisations[0].amount, -1344);
    const book = async (of: number) =>
      (await till.read(`/api/reports/tax/vat-book-investment-goods?year=${of}`)).rows[0].sold_on;
    assert.deepEqual([await book(bought), await book(year)], [null, `${year}-07-01`]);
    await assertSound(app.databaseUrl);
  });

  it('are land and buildings for ten years, and goods that were not credited', async () => {
    await buyLathe({ accountId: books.account('211') });
    assert.deepEqual([(await goods())[0].years, (await goods(bought + 9)).length], [10, 1]);
    const { documentId, id } = (await goods())[0];
    const credit = await books.make(`/api/purchases/invoices/${documentId}/rectify`, { reason: 'Error' });
    await books.make(`/api/purchases/invoices/${credit.id}/post`);
    assert.deepEqual(await goods(), []);
    const sale = { date: `${year}-06-01`, taxed: false };
    assertProblem(await app.client.post(`/api/investment-goods/${id}/disposal`, sale), 404, 'not_found');
  });
});
