import assert from 'node:assert/strict';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { notZero, openReports } from '../golden-quarter.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Purchases from suppliers under the farming scheme, whose compensation is paid and deducted (decision 0366). */
describe('the compensation of the farming scheme', function () {
  this.timeout(60_000);
  const app = useApp();
  const books = use(() => openReports(app));
  const taxes = use(async () => {
    const add = async (code: string, rate: number) =>
      (await books.make<Data>('/api/taxes', { code, name: `Compensación ${rate} %`, rate })).id as string;
    return { crops: await add('REAGP12', 12), livestock: await add('REAGP10.5', 10.5) };
  });
  const report = async (name: string, query: string): Promise<Data> =>
    (await app.client.get(`/api/reports/${name}?${query}`)).body.data;
  const buy = (date: string, price: number, more: Body = {}) =>
    books.invoice('purchases', date, price, { vatRegime: 'agricultural', ...more }, { taxGroupId: taxes.crops });

  it('is deducted in box 42 of model 303, and 60 and 61 of model 390', async () => {
    await app.client.patch(`/api/partners/${books.supplierId}`, { vatRegime: 'agricultural' });
    // 12 % of 1,000; 10.5 % of 200, with 2 % of income tax withheld: 221 − 4.
    const crops = await buy('2026-01-10', 1000, { vatRegime: undefined });
    const herd = await books.invoice(
      'purchases',
      '2026-02-10',
      200,
      { withholdingRate: 2 },
      { taxGroupId: taxes.livestock },
    );
    assert.deepEqual([crops.total, herd.total], [1120, 217]);
    assert.deepEqual([await books.balance('472'), await books.balance('400')], [141, -1337]);
    const first = notZero((await report('tax/model303', 'year=2026&period=1T')).boxes);
    assert.deepEqual([first['42'], first['28'], first['45']], [141, undefined, 141]);
    const lines = [{ baseLineId: crops.lines[0]?.id, quantity: 1 }];
    const credit = { reason: 'Devolución', date: '2026-04-10', lines };
    const draft = await books.make<Data>(`/api/purchases/invoices/${crops.id}/rectify`, credit);
    await books.make(`/api/purchases/invoices/${draft.id}/post`);
    const second = notZero((await report('tax/model303', 'year=2026&period=2T')).boxes);
    assert.deepEqual([second['42'], second['40'], second['41']], [undefined, -1000, -120]);
    const { boxes } = await report('tax/model390', 'year=2026');
    assert.deepEqual([boxes['60'], boxes['61'], boxes['62'], boxes['64']], [1200, 141, -120, 21]);
    const rows = (await report('vat', 'from=2026-01-01&to=2026-03-31')).rows as Data[];
    assert.deepEqual(
      rows.map(({ kind, regime, rate, base, amount }) => [kind, regime, rate, base, amount]),
      [
        ['soportado', 'agricultural', 12, 1000, 120],
        ['soportado', 'agricultural', 10.5, 200, 21],
      ],
    );
    const book = (await report('tax/vat-book-received', 'year=2026&period=1T')).rows as Data[];
    assert.deepEqual(
      book.map((row) => row.operation_key),
      ['02', '02'],
    );
    await assertSound(app.databaseUrl);
  });

  it('is of 12 or 10.5 %, and only of purchases', async () => {
    const line = { itemId: books.itemId, quantity: 1, price: 10 };
    const post = async (side: string, partnerId: string, taxGroupId: string | undefined) => {
      const body = { partnerId, vatRegime: 'agricultural', lines: [{ ...line, taxGroupId }] };
      const { status, body: answer } = await app.client.post(`/api/${side}/invoices`, body);
      return [status, ...(answer.errors ?? []).map(({ pointer, code }: Data) => `${pointer} ${code}`)];
    };
    const wrong = [422, '/lines/0/taxGroupId out_of_range'];
    assert.deepEqual(await post('purchases', books.supplierId, books.taxes.get('IVA10')), wrong);
    assert.deepEqual(await post('purchases', books.supplierId, books.taxes.get('IVA0')), wrong);
    const sold = [422, '/vatRegime not_applicable'];
    assert.deepEqual(await post('sales', books.customerId, taxes.crops), sold);
    assert.deepEqual(await post('purchases', books.supplierId, taxes.livestock), [201]);
  });

  it('is lost where nothing is deducted', async () => {
    const lost = { taxGroupId: taxes.crops, vatUse: 'none' };
    const { lines } = (await books.invoice('purchases', '2026-05-10', 100, {}, lost)) as Data;
    assert.equal(lines[0].nonDeductibleTax, 12);
  });
});
