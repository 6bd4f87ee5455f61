/** Sales to consumers in other member states: their taxes, records, books and the quarterly return (decisions 0376 and 0377). */
import assert from 'node:assert/strict';
import { download } from '../../../helpers/download.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { notZero, openReports } from '../golden-quarter.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;
const CHART = { chart: 'es-pgc-pymes', taxes: true };

describe('a company under the Union scheme', function () {
  this.timeout(120_000);
  const app = useApp({ clock: { now: new Date('2026-08-10T09:00:00Z') } });
  const putTax = async (more: Body) => {
    const { data } = (await app.client.get('/api/config/tax')).body;
    return await app.client.put('/api/config/tax', { ...data, ...more });
  };
  const books = use(async () => {
    assert.equal((await putTax({ ossFrom: '2026-01-01' })).status, 200);
    assert.equal((await app.client.post('/api/accounts/import-chart', CHART)).status, 200);
    return await openReports(app);
  });
  const codes = use(async () => {
    const { body } = await app.client.get('/api/taxes?limit=200');
    return new Map((body.data as { code: string; id: string }[]).map(({ code, id }) => [code, id]));
  });
  const partners = use(async () => {
    const groupId = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
    const add = async (name: string, countryCode: string, more: Body = {}) =>
      (await books.make('/api/partners', { name, groupId, countryCode, ...more })).id;
    return {
      paris: await add('Marie Dupont', 'FR'),
      berlin: await add('Hans Meier', 'DE'),
      lyon: await add('Vins de Lyon', 'FR', { nif: 'FR40303265045', vatRegime: 'intra_eu' }),
    };
  });
  const report = async (name: string, query: string): Promise<Data> =>
    (await app.client.get(`/api/reports/${name}?${query}`)).body.data;
  const sell = (partnerId: string, date: string, price: number, line: Body = {}, more: Body = {}): Promise<Data> =>
    books.invoice('sales', date, price, { partnerId, ...more }, line);
  const takeBack = async (sale: Data, date: string) => {
    const lines = [{ baseLineId: sale.lines[0].id, quantity: 1 }];
    const draft = await books.make(`/api/sales/invoices/${sale.id}/rectify`, { reason: 'Devolución', date, lines });
    return await books.make<Data>(`/api/sales/invoices/${draft.id}/post`);
  };
  const declared = (rows: Data[]) =>
    rows.map(({ country, supply, rate_kind, rate, base, amount }) => [country, supply, rate_kind, rate, base, amount]);

  it('charges consumers the standard rate of their state, and businesses as before', async () => {
    const goods = await sell(partners.paris, '2026-01-10', 1000);
    assert.deepEqual([goods.total, goods.lines[0].taxGroupId], [1200, codes.get('OSSFR20')]);
    const service = await sell(partners.berlin, '2026-02-10', 200, { itemId: undefined, description: 'Curso' });
    assert.equal(service.total, 238);
    const reduced = await sell(partners.paris, '2026-02-11', 100, { taxGroupId: codes.get('OSSFR5.5') });
    assert.equal(reduced.total, 105.5);
    const sent = { shippingAddress: { street: 'Hauptstr. 1', city: 'Bonn', zipCode: '53111', countryCode: 'DE' } };
    assert.equal((await sell(books.customerId, '2026-03-01', 100, {}, sent)).total, 119);
    assert.equal((await sell(partners.lyon, '2026-03-02', 500)).total, 500);
    assert.equal((await sell(books.customerId, '2026-03-03', 100)).total, 121);
    assert.deepEqual([await books.balance('4775'), await books.balance('477')], [-262.5, -283.5]);
    assert.deepEqual((await books.enteredFor(reduced.id)).slice(0, 3), ['D 430 105.5', 'H 700 100', 'H 4775 5.5']);
  });

  it('declares them in model 369 alone, and their bases in box 123', async () => {
    const { rows, balances, boxes } = await report('tax/model369', 'year=2026&period=1T');
    assert.deepEqual(declared(rows), [
      ['DE', 'services', 'standard', 19, 200, 38],
      ['DE', 'goods', 'standard', 19, 100, 19],
      ['FR', 'goods', 'reduced', 5.5, 100, 5.5],
      ['FR', 'goods', 'standard', 20, 1000, 200],
    ]);
    assert.deepEqual(
      balances.map(({ country, amount }: Data) => [country, amount]),
      [
        ['DE', 57],
        ['FR', 205.5],
      ],
    );
    assert.deepEqual(notZero(boxes), { '3': 38, '3B': 200, '4': 224.5, '4B': 1200, '8': 262.5 });
    assert.equal((await app.client.get(rows[2].drilldown)).body.data.length, 2);
    const first = notZero((await report('tax/model303', 'year=2026&period=1T')).boxes);
    assert.deepEqual([first['123'], first['59'], first['07'], first['09'], first['27']], [1400, 500, 100, 21, 21]);
    const year = (await report('tax/model390', 'year=2026')).boxes;
    assert.deepEqual([year['126'], year['99'], year['108']], [1400, 100, 2000]);
    const vat = (await app.client.get('/api/reports/vat?from=2026-01-01&to=2026-03-31')).body;
    const abroad = vat.data.rows.filter(({ kind }: Data) => kind === 'repercutido_oss');
    assert.deepEqual([abroad.length, vat.summary.repercutido.amount], [4, 21]);
    assert.deepEqual(vat.data.undeclared, { output: 0, input: 0 });
    await assertSound(app.databaseUrl);
  });

  it('has them in the VAT book with key 17, without the tax of the state', async () => {
    const { body } = await app.client.get('/api/reports/tax/vat-book-issued?year=2026&period=1T');
    const rows = (body.data.rows as Data[]).filter(({ operation_key }) => operation_key === '17');
    assert.deepEqual(
      rows.map(({ qualification, base, rate, amount, total, tax_due }) => [
        ...[qualification, base, rate, amount, total, tax_due],
      ]),
      [
        ['N2', 1000, null, null, 1200, 0],
        ['N2', 200, null, null, 238, 0],
        ['N2', 100, null, null, 105.5, 0],
        ['N2', 100, null, null, 119, 0],
      ],
    );
    assert.deepEqual([body.summary.amount, body.summary.tax_due, body.summary.base], [21, 21, 2000]);
  });

  it('files the quarter, which settles its tax, and corrects it in the next one', async () => {
    const [march] = (await app.client.get('/api/periods?code=2026-03')).body.data;
    const missed = async () => {
      const { body: list } = await app.client.get(`/api/periods/${march.id}/checklist`);
      return list.data.checks.find(({ code }: Data) => code === 'returns_not_filed').count as number;
    };
    const before = await missed();
    const filed = await books.make<Data>('/api/tax-returns', { model: '369', year: 2026, period: '1T' });
    assert.equal(before - (await missed()), 1);
    assert.deepEqual([filed.type, filed.result, await books.balance('4775')], ['I', 262.5, 0]);
    const lines = await books.enteredFor(filed.id);
    assert.deepEqual(lines, ['D 4775 262.5', 'H 4750 262.5']);
    const sale = await sell(partners.paris, '2026-04-10', 300);
    await takeBack(await sell(partners.paris, '2026-04-11', 50), '2026-05-01');
    const { body } = await app.client.get(`/api/sales/invoices?partnerId=${partners.paris}&sort=date&limit=1`);
    const { data: early } = (await app.client.get(`/api/sales/invoices/${body.data[0].id}`)).body;
    await takeBack(early, '2026-05-02');
    const next = await report('tax/model369', 'year=2026&period=2T');
    assert.deepEqual(declared(next.rows), [['FR', 'goods', 'standard', 20, 300, 60]]);
    assert.deepEqual(
      next.corrections.map(({ country, year, period, amount }: Data) => [country, year, period, amount]),
      [['FR', 2026, '1T', -200]],
    );
    assert.deepEqual([next.type, notZero(next.boxes)], ['N', { '4': 60, '4B': 300, '7': -200, '8N': -140 }]);
    assert.deepEqual((await report('tax/model303', 'year=2026&period=2T')).boxes['123'], -700);
    assert.ok(sale.total === 360);
    const later = await books.make<Data>('/api/tax-returns', { model: '369', year: 2026, period: '2T' });
    assert.deepEqual(await books.enteredFor(later.id), ['H 4775 140', 'D 4700 140']);
    assert.equal((await app.client.del(`/api/tax-returns/${later.id}`)).status, 204);
    assert.equal(await books.balance('4775'), 140);
    await assertSound(app.databaseUrl);
  });

  it('has the return as a file of the agency, and as a table', async () => {
    const query = 'year=2026&period=1T';
    const file = await download(app, `/api/reports/tax/model369?${query}&format=aeat`);
    const text = Buffer.from(await file.arrayBuffer()).toString('latin1');
    assert.ok(text.includes('<T36904>MOSS DO') && text.includes('FR02000S'));
    const csv = await download(app, `/api/reports/tax/model369?${query}&format=csv`);
    assert.match(await csv.text(), /FR/);
    assertProblem(await app.client.get('/api/reports/tax/model369?year=2026'), 400, 'invalid_parameter');
  });
});
