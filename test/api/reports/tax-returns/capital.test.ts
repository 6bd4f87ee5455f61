/** Income tax withheld from income of capital: models 123 and 193 say the same as the ledger (decision 0384). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { download } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openReports } from '../golden-quarter.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

describe('models 123 and 193', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const report = async (name: string, query: string): Promise<Data> => await books.report(`tax/${name}`, query);
  /** Pays an amount of which 19 % is withheld, from an account. */
  const pay = async (date: string, code: string, base: number, partnerId?: string) => {
    const withheld = Number((base * 0.19).toFixed(2));
    const tax = { kind: 'withholding', operation: 'domestic', rate: 19, base };
    const lines = [
      { accountId: books.account(code), debit: base, partnerId },
      { accountId: books.account('4751'), credit: withheld, tax },
      { accountId: books.account('572'), credit: Number((base - withheld).toFixed(2)) },
    ];
    return await books.make('/api/journal-entries', { date, lines, post: true });
  };

  it('have dividends and interest apart, by recipient and quarter', async () => {
    await pay('2026-02-10', '526', 1000, books.supplierId);
    await pay('2026-03-10', '662', 200, books.supplierId);
    await pay('2026-03-15', '662', 100);
    await pay('2026-05-10', '526', 500, books.supplierId);
    const undone = await pay('2026-02-12', '526', 9999, books.supplierId);
    await books.make(`/api/journal-entries/${undone.id}/reverse`, { date: '2026-02-13' });
    const { data, summary } = await report('model123', 'year=2026&period=1T');
    assert.deepEqual(data.boxes, {
      ...{ '01': 1, '02': 2, '03': 3, '04': 1000, '05': 300, '06': 1300, '07': 190, '08': 57, '09': 247 },
      ...{ '10': 0, '11': 0, '12': 247, '13': 0, '14': 247 },
    });
    assert.deepEqual([data.type, summary], ['I', { base: 1300, withheld: 247, result: 247 }]);
    const { rows } = (await report('model193', 'year=2026')).data;
    const shown = rows.map(({ kind, name, base, withheld }: Data) => [kind, name, base, withheld]);
    assert.deepEqual(
      shown.toSorted((one: Data, other: Data) => one[0].localeCompare(other[0]) || one[2] - other[2]),
      [
        ['dividend', rows[0].name, 500, 95],
        ['dividend', rows[0].name, 1000, 190],
        ['interest', null, 100, 19],
        ['interest', rows[0].name, 200, 38],
      ],
    );
  });

  it('leave rents and fees to models 115 and 111', async () => {
    const line = (code: string) => ({ itemId: undefined, description: 'x', accountId: books.account(code) });
    await books.invoice('purchases', '2026-03-20', 700, { withholdingRate: 19, supplierReference: 'R' }, line('621'));
    await books.invoice('purchases', '2026-03-21', 600, { withholdingRate: 15, supplierReference: 'F' }, line('623'));
    const result = async (model: string) => (await report(model, 'year=2026&period=1T')).summary.result;
    assert.deepEqual([await result('model111'), await result('model115'), await result('model123')], [90, 133, 247]);
    const { elsewhere, undeclared, entered } = (await report('model111', 'year=2026&period=1T')).data;
    assert.deepEqual([elsewhere, undeclared, entered], [[{ rate: 19, base: 2000, amount: 380 }], 0, 470]);
  });

  it('are a file for the tax agency, which needs to know who and where people are', async () => {
    const path = '/api/reports/tax/model193?year=2026&format=aeat';
    const { missing } = (await report('model193', 'year=2026')).data;
    assert.ok(missing.some(({ record, member }: Data) => record === null && member === 'partnerId'));
    assertProblem(await app.client.get(path), 400, 'invalid_parameter');
    assertProblem(await app.client.get(path.replace('2026', '2024')), 400, 'invalid_parameter');
    const [group] = (await app.client.get('/api/partnerGroups?isVendor=true')).body.data;
    const owner = { name: 'Eva Soto', groupId: group.id, nif: '00000000T', related: true };
    const { id } = await books.make('/api/partners', owner);
    const { rows } = (await report('model193', 'year=2026')).data;
    assert.deepEqual([...new Set(rows.map(({ key, nature }: Data) => `${key}${nature}`))].toSorted(), ['A02', 'B03']);
    await pay('2026-08-01', '662', 300, id);
    const theirs = (await report('model193', 'year=2026')).data.rows.filter((row: Data) => row.partner_id === id);
    const shown: unknown[] = theirs.map(({ key, nature, base }: Data) => [key, nature, base]);
    assert.deepEqual(shown, [['D', '03', 300]]);
  });

  it('are filed, and a complementary one has what was found later', async () => {
    await books.make('/api/tax-returns', { model: '123', year: 2026, period: '1T' });
    await books.make('/api/tax-returns', { model: '193', year: 2026 });
    await pay('2026-03-30', '662', 50, books.supplierId);
    const { changed } = (await report('model123', 'year=2026&period=1T')).data;
    assert.deepEqual([changed['08'], changed['14']], [66.5, 256.5]);
    const { changed_rows } = (await report('model193', 'year=2026')).data;
    assert.deepEqual(
      changed_rows.map(({ filed, now }: Data) => [filed.base, now.base]),
      [[200, 250]],
    );
    const rectification = { receiptNumber: '1232026000001' };
    const added = await books.make<Data>('/api/tax-returns', { model: '123', year: 2026, period: '1T', rectification });
    assert.deepEqual([added.boxes['13'], added.result], [247, 9.5]);
    const path = '/api/reports/tax/model123?year=2026&period=1T&format=aeat';
    const text = Buffer.from(await (await download(app, path)).arrayBuffer()).toString('latin1');
    assert.ok(text.startsWith('<T123020261T0000>') && text.includes('00950X1232026000001'), text);
    assertProblem(await app.client.get(path.replace('2026', '2023')), 400, 'invalid_parameter');
  });
});
