import assert from 'node:assert/strict';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

describe('the journal', () => {
  const app = useApp({ clock: { now: new Date('2026-06-15T10:00:00Z') } });
  const books = use(() => openBooks(app));
  const enter = (date: string, debit: string, credit: string, amount: number, more: object = {}) =>
    books.make('/api/journal-entries', {
      date,
      description: `Asiento de ${amount}`,
      post: true,
      lines: [
        { accountId: books.account(debit), debit: amount },
        { accountId: books.account(credit), credit: amount, description: credit === '100' ? 'Aportación' : null },
      ],
      ...more,
    });
  const read = async (query: string) => {
    const { status, body } = await app.client.get(`/api/reports/journal?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  before(async () => {
    await enter('2026-02-02', '572', '700', 20);
    await enter('2026-01-01', '572', '100', 1000);
    await enter('2026-02-02', '629', '572', 5);
    await enter('2026-02-03', '572', '700', 99, { post: false });
    await enter('2025-12-31', '572', '700', 3);
  });

  it('has all posted lines in the order of days, with equal sums', async () => {
    const { data, summary, report_name } = await read('from=2026-01-01&to=2026-12-31');
    assert.equal(report_name, 'journal');
    assert.deepEqual(
      data.rows.map((row: Record<string, unknown>) =>
        [row.date, row.entry_number, row.account_code, row.debit, row.credit, row.description].join(' '),
      ),
      [
        '2026-01-01 2 572 1000 0 Asiento de 1000',
        '2026-01-01 2 100 0 1000 Aportación',
        '2026-02-02 1 572 20 0 Asiento de 20',
        '2026-02-02 1 700 0 20 Asiento de 20',
        '2026-02-02 3 629 5 0 Asiento de 5',
        '2026-02-02 3 572 0 5 Asiento de 5',
      ],
    );
    assert.deepEqual(summary, { debit: 1025, credit: 1025 });
    const trial = (await app.client.get('/api/reports/trial-balance?from=2026-01-01&to=2026-12-31')).body.summary;
    assert.deepEqual([trial.debit, trial.credit], [summary.debit, summary.credit]);
    assert.equal((await app.client.get(data.rows[0].drilldown)).body.data.id, data.rows[0].entry_id);
  });

  it('comes a page of lines at a time, also in the middle of an entry', async () => {
    const { data, summary } = await read('from=2026-01-01&limit=3&page=2');
    assert.deepEqual(
      data.rows.map((row: { account_code: string }) => row.account_code),
      ['700', '629', '572'],
    );
    assert.deepEqual(data.pagination, { total: 6, page: 2, per_page: 3, has_more: false });
    assert.equal(summary.debit, 1025);
  });

  it('comes whole as a file', async () => {
    const response = await download(app, '/api/reports/journal?from=2025-12-01&to=2026-12-31&format=csv&header=names');
    const rows = await readCsv(response, ';');
    assert.deepEqual([rows.length, rows[0]?.date, rows[0]?.account_name !== ''], [8, '31/12/2025', true]);
  });

  it('is empty in a year without data', async () => {
    const { data, summary } = await read('from=2020-01-01&to=2020-12-31');
    assert.deepEqual([data.rows, data.pagination.total, summary], [[], 0, { debit: 0, credit: 0 }]);
  });

  it('has what closes a year last, and what opens the next first', async () => {
    const closed = await app.client.post('/api/fiscal-years/2025/close', {});
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    const { data } = await read('from=2025-12-31&to=2026-01-01');
    const order = data.rows.map(({ description }: { description: string }) => description);
    assert.deepEqual(
      [...new Set(order)],
      [
        'Asiento de 3',
        'Regularización del ejercicio 2025',
        'Cierre del ejercicio 2025',
        'Apertura del ejercicio 2026',
        'Asiento de 1000',
        'Aportación',
      ],
    );
  });
});
