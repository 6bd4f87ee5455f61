/** Used goods, whose VAT is on the margin: documents, ledger, returns and books (decision 0378). */
import assert from 'node:assert/strict';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { notZero, openReports } from '../golden-quarter.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

describe('sales under the margin scheme', function () {
  this.timeout(120_000);
  const app = useApp({ clock: { now: new Date('2026-08-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const sales: Data[] = [];
  const report = async (name: string, query: string): Promise<Data> =>
    (await app.client.get(`/api/reports/${name}?${query}`)).body;
  const sell = (date: string, price: number, marginCost: number, more: Body = {}): Promise<Data> =>
    books.invoice('sales', date, price, { vatRegime: 'margin' }, { marginCost, ...more });

  it('bear VAT on the margin, which no total shows', async () => {
    await books.invoice('purchases', '2026-01-05', 605, { vatRegime: 'margin' });
    const sale = await sell('2026-01-10', 1210, 605);
    sales.push(sale);
    assert.deepEqual([sale.total, sale.taxTotal, sale.lines[0].marginCost], [1210, 0, 605]);
    assert.deepEqual(await books.enteredFor(sale.id), ['D 430 1210', 'H 700 1105', 'H 47700021 105']);
    const loss = await sell('2026-01-11', 100, 150);
    assert.deepEqual((await books.enteredFor(loss.id)).slice(0, 2), ['D 430 100', 'H 700 100']);
    const gross = await sell('2026-01-12', 0, 879, { price: undefined, priceWithTax: 1000 });
    assert.deepEqual([gross.total, (await books.enteredFor(gross.id)).at(-1)], [1000, 'H 47700021 21']);
    await assertSound(app.databaseUrl);
  });

  it('are declared by the margin, and their turnover by the price', async () => {
    const { boxes, unmapped } = (await report('tax/model303', 'year=2026&period=1T')).data;
    const found = notZero(boxes);
    assert.deepEqual([found['07'], found['09'], found['28'], unmapped], [600, 126, undefined, []]);
    const year = (await report('tax/model390', 'year=2026')).data.boxes;
    assert.deepEqual([year['11'], year['12'], year['05'], year['227'], year['108']], [600, 126, 0, 2184, 2184]);
    const { rows, undeclared } = (await report('vat', 'from=2026-01-01&to=2026-03-31')).data;
    assert.deepEqual(undeclared, { output: 0, input: 0 });
    assert.ok(rows.every(({ regime }: Data) => regime === 'margin'));
    const named = (await report('tax/model347', 'year=2026')).data.rows;
    assert.deepEqual(named, []);
  });

  it('are in the VAT books with key 03, the margin as base and the price as total', async () => {
    const issued = await report('tax/vat-book-issued', 'year=2026&period=1T');
    assert.deepEqual(
      issued.data.rows.map(({ operation_key, base, rate, amount, total }: Data) => [
        ...[operation_key, base, rate, amount, total],
      ]),
      [
        ['03', 500, 21, 105, 1210],
        ['03', 0, 21, 0, 100],
        ['03', 100, 21, 21, 1000],
      ],
    );
    assert.deepEqual([issued.summary.total, issued.summary.tax_due], [2310, 126]);
    const received = await report('tax/vat-book-received', 'year=2026&period=1T');
    assert.deepEqual(
      received.data.rows.map(({ operation_key, amount, total }: Data) => [operation_key, amount, total]),
      [['03', 0, 605]],
    );
  });

  it('take back the same margin', async () => {
    const sale = sales[0];
    const lines = [{ baseLineId: sale.lines[0].id, quantity: 1 }];
    const credit = { reason: 'Devolución', date: '2026-04-10', lines };
    const draft = await books.make(`/api/sales/invoices/${sale.id}/rectify`, credit);
    const back = await books.make<Data>(`/api/sales/invoices/${draft.id}/post`);
    assert.deepEqual([back.total, back.lines[0].marginCost], [-1210, -605]);
    assert.equal(await books.balance('477'), -21);
    const boxes = notZero((await report('tax/model303', 'year=2026&period=2T')).data.boxes);
    assert.deepEqual([boxes['14'], boxes['15']], [-500, -105]);
    await assertSound(app.databaseUrl);
  });

  it('need what was paid, in the currency of the company', async () => {
    const refused = async (line: Body, more: Body, pointer: string, code: string) => {
      const lines = [{ itemId: books.itemId, quantity: 1, price: 100, ...line }];
      const answer = await app.client.post('/api/sales/invoices', { partnerId: books.customerId, lines, ...more });
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, code]);
    };
    await refused({}, { vatRegime: 'margin' }, '/lines/0/marginCost', 'required');
    await refused({ marginCost: 10 }, {}, '/lines/0/marginCost', 'not_applicable');
    const foreign = { vatRegime: 'margin', currency: 'USD', exchangeRate: 1.1 };
    await refused({ marginCost: 10 }, foreign, '/lines/0/vatRegime', 'not_applicable');
  });
});
