import assert from 'node:assert/strict';
import { download } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openReports } from '../golden-quarter.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Income tax withheld from rents: models 115 and 180 say the same as the ledger. */
describe('models 115 and 180', () => {
  const app = useApp();
  const books = use(() => openReports(app));
  const report = async (name: string, query: string): Promise<Data> =>
    (await app.client.get(`/api/reports/tax/${name}?${query}`)).body;
  const records = async (path: string) =>
    Buffer.from(await (await download(app, path)).arrayBuffer())
      .toString('latin1')
      .split('\r\n')
      .slice(0, -1);
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

  it('name the property, by its landlord or the cost center of the rent', async () => {
    const path = '/api/reports/tax/model180?year=2026&format=aeat';
    const refused = await app.client.get(path);
    assertProblem(refused, 400, 'invalid_parameter');
    assert.match(refused.body.detail, /Huerta del Sur \(nif\), Huerta del Sur \(zipCode\), .* \(property\)/);
    const partnerId = books.supplierId;
    await app.client.patch(`/api/partners/${partnerId}`, { nif: '12345678Z' });
    await books.make(`/api/partners/${partnerId}/addresses`, { name: 'Casa', type: 'B', zipCode: '08001' });
    const address = { streetType: 'CL', street: 'Mayor', municipality: 'Alicante', zipCode: '03001' };
    const shop = await books.make('/api/rented-properties', { partnerId, name: 'Tienda', ...address });
    const lines = (await records(path)).slice(1);
    assert.deepEqual([lines.length, lines[0]?.slice(78, 114)], [1, ' 00000003100501900000000005891000004']);
    const costCenterId = (await books.make('/api/cost-centers', { code: 'OF', name: 'Oficina' })).id;
    await books.make('/api/rented-properties', { partnerId, name: 'Oficina', costCenterId, ...address });
    assert.equal((await records(path)).length, 2);
    const other = (await books.make('/api/cost-centers', { code: 'TI', name: 'Tienda' })).id;
    await app.client.patch(`/api/rented-properties/${shop.id}`, { costCenterId: other });
    const { missing } = (await report('model180', 'year=2026')).data;
    assert.equal(missing[0].record, `/api/rented-properties?partnerId=${partnerId}`);
    assertProblem(await app.client.get(path), 400, 'invalid_parameter');
  });

  it('are as many rows as properties', async () => {
    const [office] = (await app.client.get('/api/cost-centers?code=OF')).body.data;
    const line = { itemId: undefined, description: 'Rent', accountId: books.account('621'), costCenterId: office.id };
    await books.invoice('purchases', '2026-06-01', 700, { withholdingRate: 19, supplierReference: 'O' }, line);
    const { boxes, rows } = (await report('model180', 'year=2026')).data;
    assert.equal(boxes['01'], 1);
    const shown: unknown[] = rows.map(({ property, base }: Data) => [property, base]);
    assert.deepEqual(shown.toSorted(), [
      [null, 3100.5],
      ['Oficina', 700],
    ]);
    await app.client.patch(`/api/partners/${books.supplierId}`, { nif: null });
    const { missing } = (await report('model180', 'year=2026')).data;
    assert.equal(missing.filter(({ member }: Data) => member === 'nif').length, 1);
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
    assert.deepEqual([data.boxes['01'], summary.result], [2, 399]);
    const year = await report('model180', 'year=2026');
    const [nobody] = year.data.rows.filter(({ name }: Data) => name === null);
    assert.deepEqual([nobody.partner_id, nobody.base, nobody.withheld, nobody.drilldown], [null, 300, 57, null]);
    assert.equal(year.summary.withheld, 779.1);
  });

  it('are nothing where nothing was rented', async () => {
    const { data } = await report('model115', 'year=2025&period=4T');
    assert.deepEqual([data.type, data.rows, data.boxes['05']], ['N', [], 0]);
  });
});
