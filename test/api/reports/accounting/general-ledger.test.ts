/** The ledger of all accounts, and the trial balance by partner, over HTTP (decision 0324). */
import assert from 'node:assert/strict';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of answers are checked by their members
type Row = any;

const SPANS = ['from=2026-01-01&to=2026-12-31', 'from=2025-11-01&to=2026-02-15', 'from=2026-02-10&to=2026-02-10'];

describe('books of all accounts', () => {
  const app = useApp({ clock: { now: new Date('2026-06-15T10:00:00Z') } });
  const books = use(() => openBooks(app));
  let partnerId: string;
  const enter = (date: string, amounts: Record<string, number>, more: object = {}) => {
    const lines = Object.entries(amounts).map(([code, amount]) => ({
      accountId: books.account(code),
      ...(amount > 0 ? { debit: amount } : { credit: -amount }),
      ...(code === '430' || code === '623' ? { partnerId } : {}),
    }));
    return books.make('/api/journal-entries', { date, description: 'Asiento', post: true, lines, ...more });
  };
  const read = async (path: string) => {
    const { status, body } = await app.client.get(`/api/reports/${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  before(async () => {
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    partnerId = (await app.client.post('/api/partners', { name: 'Café Central', groupId: group.id })).body.data.id;
    await books.make('/api/periods/generate', { year: 2025 });
    await enter('2025-01-01', { 572: 1000, 100: -1000 }, { kind: 'opening' });
    await enter('2025-12-30', { 430: 50, 700: -50 });
    await enter('2025-12-31', { 623: 30, 572: -30 });
    await enter('2026-01-10', { 430: 100.5, 700: -100.5 });
    await enter('2026-03-10', { 572: 60, 430: -60 });
    await enter('2026-02-10', { 430: 7.25, 700: -7.25 });
    await enter('2026-02-10', { 623: 12, 572: -12 });
  });

  describe('the general ledger', () => {
    it('has what the ledger of each account has, after its opening balance', async () => {
      for (const span of SPANS) {
        const { data, summary } = await read(`general-ledger?${span}`);
        const trial = await read(`trial-balance?${span}`);
        const codes = trial.data.rows.filter(({ open_years }: Row) => !open_years).map(({ code }: Row) => code);
        assert.deepEqual([...new Set(data.rows.map(({ account_code }: Row) => account_code))], codes);
        assert.deepEqual([summary.debit, summary.credit], [trial.summary.debit, trial.summary.credit]);
        for (const code of codes) {
          const own = await read(`ledger?account_id=${books.account(code)}&${span}`);
          const [opening, ...lines] = data.rows.filter(({ account_code }: Row) => account_code === code);
          assert.deepEqual([opening.entry_id, opening.balance], [null, own.data.opening_balance]);
          const plain = lines.map(({ account_id: _, account_code: __, account_name: ___, ...row }: Row) => row);
          assert.deepEqual(plain, own.data.rows);
        }
      }
    });

    it('begins income and expense at zero each fiscal year', async () => {
      const { data } = await read('general-ledger?from=2025-12-01&to=2026-02-28&accounts=6');
      const shown = data.rows.map(({ date, debit, balance }: Row) => `${date} ${debit} ${balance}`);
      assert.deepEqual(shown, ['2025-12-01 0 0', '2025-12-31 30 30', '2026-02-10 12 12']);
    });

    it('comes in pages and in files with the same rows', async () => {
      const whole = (await read('general-ledger?from=2025-01-01')).data.rows;
      for (const limit of [1, 3, 4]) {
        const rows: Row[] = [];
        for (let page = 1; page <= Math.ceil(whole.length / limit); page++) {
          const { data } = await read(`general-ledger?from=2025-01-01&limit=${limit}&page=${page}`);
          assert.deepEqual(data.pagination, {
            ...{ total: whole.length, page, per_page: limit },
            has_more: page * limit < whole.length,
          });
          rows.push(...data.rows);
        }
        assert.deepEqual(rows, whole);
      }
      assert.deepEqual((await read('general-ledger?from=2025-01-01&page=99')).data.rows, []);
      const file = await download(app, '/api/reports/general-ledger?from=2025-01-01&format=csv&header=names');
      const cells = ({ account_code, balance }: Row) => `${account_code} ${`${balance}`.replace(',', '.')}`;
      assert.deepEqual((await readCsv(file, ';')).map(cells), whole.map(cells));
    });
  });

  describe('the trial balance by partner', () => {
    it('has each partner of an account, whose lines have the same sums', async () => {
      for (const span of SPANS) {
        const { data, summary } = await read(`partner-balances?${span}`);
        for (const { account_code, drilldown, opening_balance, debit, credit, balance } of data.rows) {
          const own = await app.client.get(drilldown);
          assert.deepEqual(
            [own.body.data.opening_balance, own.body.summary],
            [opening_balance, { debit, credit, balance }],
            `${account_code} ${span}`,
          );
        }
        const total = data.rows.reduce((all: number, { balance }: Row) => all + balance, 0);
        assert.equal(summary.balance, total);
      }
      const { data } = await read(`partner-balances?${SPANS[0]}`);
      // 430: 50 + 100.50 + 7.25 − 60; 623 began the year at zero.
      assert.deepEqual(
        data.rows.map((row: Row) => [row.account_code, row.partner_name, row.opening_balance, row.balance]),
        [
          ['430', 'Café Central', 50, 97.75],
          ['623', 'Café Central', 0, 12],
        ],
      );
    });

    it('comes in pages, of some accounts', async () => {
      const { data, summary } = await read(`partner-balances?${SPANS[0]}&accounts=4&limit=1`);
      assert.deepEqual(data.pagination, { total: 1, page: 1, per_page: 1, has_more: false });
      assert.deepEqual(summary, { opening_balance: 50, debit: 107.75, credit: 60, balance: 97.75 });
      assert.deepEqual((await read(`partner-balances?${SPANS[0]}&limit=1&page=3`)).data.rows, []);
    });
  });

  it('refuse what they do not know', async () => {
    for (const path of [
      'general-ledger?accounts=',
      'partner-balances?from=2026-02-01&to=2026-01-01',
      'general-ledger?by=month',
    ]) {
      assertProblem(await app.client.get(`/api/reports/${path}`), 400, 'invalid_parameter');
    }
  });
});
