/** The file of model 190 for the tax agency, of professionals: what it lacks, and what filing keeps. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { download } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openReports } from '../golden-quarter.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

describe('the file of model 190', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const PATH = '/api/reports/tax/model190?year=2026&format=aeat';
  const report = async (): Promise<Data> => (await books.report('tax/model190', 'year=2026')).data;
  const fee = (date: string, price: number, withholdingRate: number) =>
    books.invoice('purchases', date, price, { withholdingRate }, { itemId: undefined, description: 'Abogado' });
  const records = async () =>
    Buffer.from(await (await download(app, PATH)).arrayBuffer())
      .toString('latin1')
      .split('\r\n');

  it('is refused before the records are complete, which it lists', async () => {
    await fee('2026-02-10', 1000, 7);
    await fee('2026-11-10', 500, 15);
    const { boxes, rows, missing } = await report();
    assert.deepEqual(boxes, { '01': 2, '02': 1500, '03': 145 });
    const subkeys: unknown[] = rows.map(({ key, subkey }: Data) => [key, subkey]);
    assert.deepEqual(subkeys.toSorted(), [
      ['G', null],
      ['G', '01'],
    ]);
    const partner = `/api/partners/${books.supplierId}`;
    const asked: unknown[] = missing.map(({ record, member }: Data) => `${record} ${member}`);
    assert.deepEqual(
      [...new Set(asked)].toSorted(),
      [`${partner} nif`, `${partner} withholdingSubkey`, `${partner}/addresses zipCode`].toSorted(),
    );
    const refused = await app.client.get(PATH);
    assertProblem(refused, 400, 'invalid_parameter');
    assert.match(refused.body.detail, /^format cannot be aeat before .*Huerta del Sur \(nif\)/);
    assertProblem(await app.client.get(PATH.replace('2026', '2024')), 400, 'invalid_parameter');
  });

  it('is refused for a return that was filed without them', async () => {
    const filed = await books.make('/api/tax-returns', { model: '190', year: 2026 });
    const { status } = await app.client.patch(`/api/partners/${books.supplierId}`, {
      nif: '12345678Z',
      withholdingSubkey: '03',
    });
    assert.equal(status, 200);
    const address = { name: 'Despacho', type: 'B', zipCode: '03001', countryCode: 'ES' };
    await books.make(`/api/partners/${books.supplierId}/addresses`, address);
    assert.match((await app.client.get(PATH)).body.detail, /undo the return and file it again/);
    assert.equal((await app.client.del(`/api/tax-returns/${filed.id}`)).status, 204);
  });

  it('has a record for each percentage, as it was filed', async () => {
    await books.make('/api/tax-returns', { model: '190', year: 2026 });
    await app.client.patch(`/api/partners/${books.supplierId}`, { withholdingSubkey: null });
    const [first = '', ...others] = await records();
    assert.deepEqual([first.length, others.length], [500, 3]);
    assert.equal(first.slice(135, 175), '000000002 000000000150000000000000014500');
    const shown = others.slice(0, 2).map((record) => [record.slice(17, 26), record.slice(75, 107)]);
    assert.deepEqual(shown.toSorted(), [
      ['12345678Z', '03G01 00000000500000000000007500'],
      ['12345678Z', '03G03 00000001000000000000007000'],
    ]);
    const { changed_rows, missing } = await report();
    assert.deepEqual([changed_rows.length, missing], [2, []]);
  });

  it('takes the subkey of a partner from those of the model', async () => {
    const answer = await app.client.patch(`/api/partners/${books.supplierId}`, { withholdingSubkey: '09' });
    assertProblem(answer, 422, 'validation_failed');
  });
});
