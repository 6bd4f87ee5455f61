import assert from 'node:assert/strict';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openReports } from '../golden-quarter.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Operations with others in a year: model 347 names those above the limit, as the books have them. */
describe('model 347', () => {
  const app = useApp({}, { each: true });
  const books = use(() => openReports(app), { each: true });
  const partner = async (name: string, more: Body = {}): Promise<string> => {
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    return (await books.make('/api/partners', { name, groupId: group.id, ...more })).id;
  };
  const sell = (partnerId: string, date: string, price: number, more: Body = {}, line: Body = {}) =>
    books.invoice('sales', date, price, { partnerId, ...more }, { taxGroupId: books.taxes.get('IVA21'), ...line });
  const buy = (date: string, price: number, more: Body = {}, line: Body = {}) =>
    books.invoice('purchases', date, price, { supplierReference: `F-${date}-${price}`, ...more }, line);
  const report = async (): Promise<Data> => (await app.client.get('/api/reports/tax/model347?year=2026')).body;
  const shown = async (): Promise<unknown[]> =>
    (await report()).data.rows.map(({ key, name, q1, q2, q3, q4, total }: Data) => [key, name, q1, q2, q3, q4, total]);

  it('has people by quarter, VAT included, sales and purchases apart, above the limit', async () => {
    const [big, small] = [await partner('Hotel Sol', { nif: 'B64717838' }), await partner('Bar Luna')];
    await sell(big, '2026-02-10', 2000);
    const later = await sell(big, '2026-05-10', 1000);
    await sell(small, '2026-05-10', 2483.5);
    const credit = await books.make(`/api/sales/invoices/${later.id}/rectify`, {
      ...{ reason: 'Price', date: '2026-06-01' },
      lines: [{ baseLineId: later.lines[0]?.id, quantity: 0.1 }],
    });
    await books.make(`/api/sales/invoices/${credit.id}/post`);
    await buy('2026-03-01', 4000, {}, { deductiblePercent: 50, taxGroupId: books.taxes.get('IVA21') });
    assert.deepEqual(await shown(), [
      ['B', 'Hotel Sol', 2420, 1089, 0, 0, 3509],
      ['A', 'Huerta del Sur', 4840, 0, 0, 0, 4840],
    ]);
    const { data, summary } = await report();
    assert.deepEqual([data.boxes['01'], data.boxes['02'], summary.total, data.without_nif], [2, 8349, 8349, 1]);
    await sell(small, '2026-07-10', 0.1);
    assert.equal((await shown()).length, 3);
  });

  it('leaves out what other models declare, and cancelled invoices', async () => {
    const [abroad, union, lawyer] = [await partner('US Inc'), await partner('Bonn GmbH'), await partner('Lawyer')];
    await sell(abroad, '2026-02-10', 9000, { vatRegime: 'export' });
    await sell(union, '2026-02-10', 9000, { vatRegime: 'intra_eu' });
    await sell(lawyer, '2026-02-10', 9000, { withholdingRate: 15 });
    const { id } = await sell(await partner('Mistake'), '2026-02-10', 9000);
    await books.make(`/api/sales/invoices/${id}/cancel`);
    await buy('2026-03-01', 5000, { vatRegime: 'intra_eu' });
    assert.deepEqual(await shown(), []);
  });

  it('has reverse charges without tax, in rows of their own, and exempt operations', async () => {
    const partnerId = await partner('Norte', { nif: 'B64717838' });
    await sell(partnerId, '2026-02-10', 2000, { vatRegime: 'reverse_charge' });
    await sell(partnerId, '2026-02-11', 1500, { vatRegime: 'exempt' });
    await buy('2026-12-31', 5000, { vatRegime: 'reverse_charge' });
    assert.deepEqual(await shown(), [
      ['A', 'Huerta del Sur', 0, 0, 0, 5000, 5000],
      ['B', 'Norte', 1500, 0, 0, 0, 1500],
      ['B', 'Norte', 2000, 0, 0, 0, 2000],
    ]);
    const { data } = await report();
    assert.deepEqual(
      data.rows.map((row: Data) => row.reverse_charge),
      [true, false, true],
    );
    assert.deepEqual(data.boxes, { '01': 3, '02': 8500 });
  });

  it('has cash of more than 6,000 €, less what came back', async () => {
    const partnerId = await partner('Cash');
    await sell(partnerId, '2025-12-10', 7000);
    const pay = (amount: number) =>
      books.make('/api/payments/in', {
        partner_id: partnerId,
        amount,
        payment_date: '2026-03-01',
        payment_method: 'cash',
      });
    await pay(6000);
    assert.deepEqual(await shown(), []);
    await pay(1);
    const { data } = await report();
    assert.deepEqual(
      data.rows.map((row: Data) => [row.key, row.total, row.cash]),
      [['B', 0, 6001]],
    );
  });

  it('is a file for the tax agency, which needs to know who and where people are', async () => {
    const path = '/api/reports/tax/model347?format=aeat';
    const partnerId = await partner('Hotel Sol', { nif: 'B64717838' });
    await sell(partnerId, '2026-02-10', 5000);
    const refused = await app.client.get(`${path}&year=2026`);
    assertProblem(refused, 400, 'invalid_parameter');
    assert.match(refused.body.detail, /^format cannot be aeat, because .* postal code: Hotel Sol$/);
    assertProblem(await app.client.get(`${path}&year=2019`), 400, 'invalid_parameter');
    const address = { name: 'Sede', type: 'B', zipCode: '03001', countryCode: 'ES' };
    await books.make(`/api/partners/${partnerId}/addresses`, address);
    const file = await download(app, `${path}&year=2026`);
    const records = Buffer.from(await file.arrayBuffer())
      .toString('latin1')
      .split('\r\n');
    assert.deepEqual([records.length, records[0]?.length, records[1]?.length], [3, 500, 500]);
    assert.equal(records[1]?.slice(76, 98), '03   B 000000000605000');
    assert.deepEqual((await report()).data.rows[0].province, '03');
  });

  it('is a file too', async () => {
    await sell(await partner('Hotel'), '2026-02-10', 5000);
    const rows = await readCsv(await download(app, '/api/reports/tax/model347?year=2026&format=csv'), ';');
    assert.ok(JSON.stringify(rows).includes('6050'), JSON.stringify(rows));
  });
});
