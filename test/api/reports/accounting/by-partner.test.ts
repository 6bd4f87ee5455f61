/** Reports of the ledger for one partner: entries that concern them, with all their lines. */
import assert from 'node:assert/strict';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTrade } from '../../trade/documents/trade.ts';

const YEAR = 'from=2026-01-01&to=2026-12-31';

type Row = Readonly<Record<string, unknown>>;

describe('reports of the ledger for one partner', () => {
  const app = useApp({ clock: { now: new Date('2026-06-15T10:00:00Z') } });
  const books = use(() => openBooks(app));
  const read = async (path: string) => {
    const { status, body } = await app.client.get(`/api/reports/${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const customer = async (name: string): Promise<string> => {
    const { body: groups } = await app.client.get('/api/partnerGroups?isCustomer=true');
    return (await books.make('/api/partners', { name, groupId: groups.data[0].id })).id;
  };
  let partner: string;
  let other: string;

  before(async () => {
    const { taxGroupId, customerId } = await openTrade(app, 0);
    partner = customerId;
    other = await customer('Otro');
    for (const [partnerId, date, price] of [
      [partner, '2026-01-10', 100],
      [other, '2026-01-11', 70],
      [partner, '2026-03-02', 200],
      [partner, '2027-01-02', 5],
    ] as const) {
      const lines = [{ description: 'Asesoría', quantity: 1, price, taxGroupId }];
      const { id } = await books.make('/api/sales/invoices', { partnerId, date, lines });
      await books.make(`/api/sales/invoices/${id}/post`);
    }
    await books.make('/api/journal-entries', {
      date: '2026-02-02',
      description: 'Ajuste',
      post: true,
      lines: [
        { accountId: books.account('629'), debit: 21 },
        { accountId: books.account('477'), credit: 21 },
      ],
    });
  });

  it('have the lines of their entries in full, page by page and in files', async () => {
    const { data, summary } = await read(`journal?${YEAR}&partner_id=${partner}`);
    const shown = (rows: readonly Row[]) =>
      rows.map(({ date, account_code, debit, credit }) => [date, account_code, debit, credit].join(' '));
    const all = shown(data.rows);
    assert.equal(all.length, 6);
    assert.ok(
      all.every((line) => line.startsWith('2026-01-10') || line.startsWith('2026-03-02')),
      all.join('\n'),
    );
    assert.deepEqual(summary, { debit: 363, credit: 363 });
    assert.equal(data.pagination.total, 6);
    const paged: string[] = [];
    for (const page of [1, 2, 3, 4])
      paged.push(...shown((await read(`journal?${YEAR}&partner_id=${partner}&limit=2&page=${page}`)).data.rows));
    assert.deepEqual(paged, all);
    const file = await download(app, `/api/reports/journal?${YEAR}&partner_id=${partner}&format=csv`);
    assert.equal((await readCsv(file, ';')).length, 6);
  });

  it('have the tax of their entries, which with that of all others is that of all', async () => {
    const of = async (partnerId: string) => (await read(`vat?${YEAR}&partner_id=${partnerId}`)).summary.repercutido;
    const all = await read(`vat?${YEAR}`);
    const [own, others] = [await of(partner), await of(other)];
    assert.deepEqual([own.base, own.amount], [300, 63]);
    assert.deepEqual([others.base, others.amount], [70, 14.7]);
    assert.equal(own.base + others.base, all.summary.repercutido.base);
    assert.equal(own.amount + others.amount, all.summary.repercutido.amount);
    assert.deepEqual(all.data.undeclared, { output: 21, input: 0 });
    assert.deepEqual((await read(`vat?${YEAR}&partner_id=${partner}`)).data.undeclared, { output: 0, input: 0 });
  });

  it('are empty for partners without entries', async () => {
    const id = await customer('Nadie');
    assert.deepEqual((await read(`journal?${YEAR}&partner_id=${id}`)).data.rows, []);
    assert.deepEqual((await read(`vat?${YEAR}&partner_id=${id}`)).data.rows, []);
  });
});
