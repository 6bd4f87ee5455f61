import assert from 'node:assert/strict';
import { addCompany } from '../../../helpers/company.ts';
import { download, readCsv, readWorkbook, rowCells } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

const NOW = new Date('2026-06-15T10:00:00Z');

describe('the ledger of an account', () => {
  const app = useApp({ clock: { now: NOW } });
  const books = use(() => openBooks(app));
  let partnerId: string;
  const enter = (date: string, description: string, amounts: Record<string, number>, partner?: string) => {
    const lines = Object.entries(amounts).map(([code, amount]) => ({
      accountId: books.account(code),
      ...(amount > 0 ? { debit: amount } : { credit: -amount }),
      ...(code === '430' && partner ? { partnerId: partner } : {}),
    }));
    return books.make('/api/journal-entries', { date, description, post: true, lines });
  };
  const path = (code: string, query = '') => `/api/reports/ledger?account_id=${books.account(code)}&${query}`;
  const read = async (code: string, query = '') => {
    const { status, body } = await app.client.get(path(code, query));
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  type Line = { date: string; debit: number; credit: number; balance: number; description: string };
  const shown = (rows: Line[]) =>
    rows.map(({ date, debit, credit, balance, description }) => `${date} ${debit} ${credit} ${balance} ${description}`);

  before(async () => {
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    partnerId = (await app.client.post('/api/partners', { name: 'Café Central', groupId: group.id })).body.data.id;
    await enter('2025-12-30', 'Cobro', { 430: 50, 700: -50 }, partnerId);
    await enter('2026-01-10', 'Venta', { 430: 100.5, 700: -100.5 }, partnerId);
    await enter('2026-03-10', 'Cobro', { 572: 60, 430: -60 }, partnerId);
    await enter('2026-02-10', 'Tardía', { 430: 7.25, 700: -7.25 });
  });

  it('has each line with the balance after it, from the opening balance on', async () => {
    const { data, summary, from, to } = await read('430', 'from=2026-01-01&to=2026-12-31');
    assert.deepEqual([from, to], ['2026-01-01', '2026-12-31']);
    assert.deepEqual([data.account.code, data.account.type, data.opening_balance], ['430', 'asset', 50]);
    // 50 + 100.50 = 150.50; + 7.25 = 157.75, entered last; − 60 = 97.75.
    assert.deepEqual(shown(data.rows), [
      '2026-01-10 100.5 0 150.5 Venta',
      '2026-02-10 7.25 0 157.75 Tardía',
      '2026-03-10 0 60 97.75 Cobro',
    ]);
    assert.deepEqual(summary, { debit: 107.75, credit: 60, balance: 97.75 });
    const [{ drilldown, entry_id, entry_number }] = data.rows;
    const entry = (await app.client.get(drilldown)).body.data;
    assert.deepEqual([entry.id, entry.number], [entry_id, entry_number]);
  });

  it('comes a page at a time, and goes on where the last page ended', async () => {
    const { data } = await read('430', 'from=2026-01-01&limit=2');
    assert.deepEqual(data.pagination, { total: 3, page: 1, per_page: 2, has_more: true });
    const second = (await read('430', 'from=2026-01-01&limit=2&page=2')).data;
    assert.deepEqual(shown([...data.rows, ...second.rows]).at(-1), '2026-03-10 0 60 97.75 Cobro');
    assert.deepEqual([second.rows.length, second.pagination.has_more], [1, false]);
    const beyond = (await read('430', 'from=2026-01-01&limit=2&page=9')).data;
    assert.deepEqual([beyond.rows, beyond.pagination.total], [[], 3]);
  });

  it('is that of one partner where it is asked for', async () => {
    const { data, summary } = await read('430', `from=2026-02-01&to=2026-12-31&partner_id=${partnerId}`);
    assert.deepEqual([data.opening_balance, shown(data.rows)], [150.5, ['2026-03-10 0 60 90.5 Cobro']]);
    assert.deepEqual(summary, { debit: 0, credit: 60, balance: 90.5 });
  });

  it('comes as a file with all its lines, after the opening balance', async () => {
    const response = await download(app, path('430', 'from=2026-01-01&to=2026-12-31&format=csv&header=names'));
    const rows = await readCsv(response, ';');
    assert.deepEqual(
      rows.map(({ date, description, balance }) => [date, description, balance]),
      [
        ['01/01/2026', 'Saldo inicial', '50'],
        ['10/01/2026', 'Venta', '150,5'],
        ['10/02/2026', 'Tardía', '157,75'],
        ['10/03/2026', 'Cobro', '97,75'],
      ],
    );
    const [sheet] = (await readWorkbook(await download(app, path('430', 'from=2026-01-01&format=excel')))).worksheets;
    assert.deepEqual(rowCells(sheet, 1), ['Fecha', 'Asiento', 'Descripción', 'Debe', 'Haber', 'Saldo']);
  });

  it('is empty for an account without entries, with zeros', async () => {
    const { data, summary } = await read('629', 'from=2024-01-01&to=2024-12-31');
    assert.deepEqual([data.opening_balance, data.rows, data.pagination.total], [0, [], 0]);
    assert.deepEqual(summary, { debit: 0, credit: 0, balance: 0 });
  });

  it('of a closed year ends where it stood, and with closing entries at nothing', async () => {
    const closed = await app.client.post('/api/fiscal-years/2025/close', {});
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    const year = 'from=2025-01-01&to=2025-12-31';
    assert.equal((await read('430', year)).summary.balance, 50);
    const whole = await read('430', `${year}&closing_entries=true`);
    assert.deepEqual(shown(whole.data.rows).at(-1), '2025-12-31 0 50 0 Cierre del ejercicio 2025');
    // The opening entry of the next year is in the opening balance.
    assert.deepEqual((await read('430', 'from=2026-01-01&to=2026-01-05')).data.opening_balance, 50);
    assert.deepEqual((await read('430', 'from=2026-01-01&to=2026-01-05')).data.rows, []);
  });

  it('over several years shows how the earlier ones were closed and opened again, by account and by partner', async () => {
    const years = 'from=2025-01-01&to=2026-01-31';
    const asset = ['2025-12-30 50 0 50 Cobro', '2025-12-31 0 50 0 Cierre del ejercicio 2025'];
    const opened = ['2026-01-01 50 0 50 Apertura del ejercicio 2026', '2026-01-10 100.5 0 150.5 Venta'];
    for (const query of [years, `${years}&partner_id=${partnerId}`]) {
      const { data, summary } = await read('430', query);
      assert.deepEqual([data.opening_balance, shown(data.rows)], [0, [...asset, ...opened]], query);
      assert.equal(summary.balance, 150.5, query);
    }
    const sales = await read('700', years);
    assert.deepEqual(
      [sales.data.rows.length, sales.summary],
      [3, { debit: 50, credit: 150.5, balance: -100.5 }],
      JSON.stringify(sales),
    );
  });

  it('refuses the account of another company, and what it does not know', async () => {
    const other = await addCompany(app.database, app.databaseUrl);
    const [{ id } = {}] = await other.rows(`select id from accounts where code = '430'`);
    assertProblem(await app.client.get(`/api/reports/ledger?account_id=${id}`), 404, 'not_found');
    assertProblem(await app.client.get('/api/reports/ledger'), 400, 'invalid_parameter');
    assertProblem(await app.client.get('/api/reports/ledger?account_id=430'), 400, 'invalid_parameter');
    assertProblem(await app.client.get(path('430', 'limit=501')), 400, 'invalid_parameter');
    assertProblem(await app.client.get(path('430', 'from=2026-01-02&to=2026-01-01')), 400, 'invalid_parameter');
  });
});
