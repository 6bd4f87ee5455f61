import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

const NOW = new Date('2026-06-15T10:00:00Z');
// biome-ignore lint/suspicious/noExplicitAny: rows of answers are checked by their members
type Row = any;
const PAIRS = ['opening', 'period', 'total', 'balance'];

describe('the trial balance', () => {
  const app = useApp({ clock: { now: NOW } });
  const books = use(() => openBooks(app));
  const enter = (date: string, amounts: Record<string, number>, more: object = {}) => {
    const lines = Object.entries(amounts).map(([code, amount]) => {
      return { accountId: books.account(code), ...(amount > 0 ? { debit: amount } : { credit: -amount }) };
    });
    return books.make('/api/journal-entries', { date, post: true, lines, ...more });
  };
  const report = async (query: string) => {
    const { status, body } = await app.client.get(`/api/reports/trial-balance?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const plain = async (query: string) => {
    const { data, summary } = await report(query);
    return {
      rows: data.rows.map((row: Record<string, unknown>) => [row.code, row.debit, row.credit, row.balance].join(' ')),
      summary,
    };
  };

  /** 2025: 1000 put in, 100 sold and 40 spent; 2026: 300 sold, of which 121 were entered late. */
  before(async () => {
    await enter('2025-01-02', { 572: 1000, 100: -1000 });
    await enter('2025-11-30', { 572: 100, 700: -100 });
    await enter('2025-12-31', { 629: 40, 572: -40 });
    await enter('2026-03-10', { 572: 179, 700: -179 });
    await enter('2026-02-20', { 572: 121, 700: -121 });
    await enter('2026-02-21', { 572: 7, 700: -7 });
    await enter('2026-02-21', { 700: 7, 572: -7 });
  });

  it('has the period of each account and its balance at the end', async () => {
    // 572 began with 1000 + 100 − 40 = 1060; 121 + 179 + 7 came, 7 went: 1360. 2025 has left 100 − 40 = 60 on no account.
    assert.deepEqual(await plain('from=2026-01-01&to=2026-12-31'), {
      rows: ['100 0 0 -1000', '129 0 0 -60', '572 307 7 1360', '700 7 307 -300'],
      summary: { debit: 314, credit: 314, balance: 0 },
    });
    // Until 20 February: 1060 + 121.
    assert.deepEqual((await plain('from=2026-02-20&to=2026-02-20')).rows, [
      '100 0 0 -1000',
      '129 0 0 -60',
      '572 121 0 1181',
      '700 0 121 -121',
    ]);
  });

  it('has four pairs in the official form, each of which is equal', async () => {
    const { data, summary } = await report('from=2026-02-21&to=2026-03-31&type=8col');
    const amounts = (row: Record<string, unknown>) =>
      PAIRS.map((pair) => [row[`${pair}_debit`], row[`${pair}_credit`]]);
    const byCode = Object.fromEntries(data.rows.map((row: Record<string, unknown>) => [row.code, amounts(row)]));
    // 572: 1060 + 121 = 1181 before; 7 + 179 and 7 in the period; the year has 1060 + 121 + 7 + 179 and 7; 1360 at the end.
    assert.deepEqual(byCode[572], [
      [1181, 0],
      [186, 7],
      [1367, 7],
      [1360, 0],
    ]);
    // 700 has what was sold since January: 121 before, 121 + 7 + 179 in the year.
    assert.deepEqual(byCode[700], [
      [0, 121],
      [7, 186],
      [7, 307],
      [0, 300],
    ]);
    assert.deepEqual(byCode[129], [
      [0, 60],
      [0, 0],
      [0, 60],
      [0, 60],
    ]);
    for (const [debit, credit] of amounts(summary)) assert.equal(debit, credit);
    assert.equal(summary.opening_debit, 1181);
  });

  it('adds up both sides of the year to date, and keeps accounts that are settled', async () => {
    const { data } = await report('from=2026-03-01&to=2026-03-31&type=8col');
    const row = (code: string) => data.rows.find((each: { code: string }) => each.code === code);
    // In February 121 + 7 came and 7 went, in March 179 came.
    assert.deepEqual([row('572').total_debit, row('572').total_credit], [1060 + 121 + 7 + 179, 7]);
    assert.deepEqual([row('700').total_debit, row('700').total_credit], [7, 121 + 7 + 179]);
    await enter('2026-02-25', { 430: 30, 438: -30 });
    await enter('2026-02-26', { 438: 30, 430: -30 });
    const settled = (await report('from=2026-03-01&to=2026-03-31&type=8col')).data.rows.filter(
      ({ code }: { code: string }) => code === '430' || code === '438',
    );
    assert.deepEqual(
      settled.map((each: Record<string, number>) => [
        each.code,
        each.total_debit,
        each.total_credit,
        each.balance_debit,
      ]),
      [
        ['430', 30, 30, 0],
        ['438', 30, 30, 0],
      ],
    );
    assert.ok(!(await plain('from=2026-03-01&to=2026-03-31')).rows.some((each: string) => each.startsWith('43')));
  });

  it('says in each row where it comes from, to the same sums', async () => {
    const { data } = await report('from=2026-01-01&to=2026-06-30');
    for (const { drilldown, open_years, code, debit, credit, balance } of data.rows) {
      const { status, body } = await app.client.get(drilldown);
      if (open_years) {
        // The profit and loss account of the years that are not closed.
        assert.deepEqual(
          [status, body.from, body.to, body.summary.result],
          [200, '2025-01-02', '2025-12-31', -balance],
        );
        continue;
      }
      assert.deepEqual([status, body.data.account.code, body.summary], [200, code, { debit, credit, balance }]);
    }
  });

  it('is of nothing but zeros in a year without data, and lists no headings', async () => {
    const none = await plain('from=2024-01-01&to=2024-12-31');
    assert.deepEqual(none, { rows: [], summary: { debit: 0, credit: 0, balance: 0 } });
    const { body } = await app.client.get('/api/accounts?isHeading=true&limit=500');
    const headings = new Set(body.data.map(({ code }: { code: string }) => code));
    const { data } = await report('from=2025-01-01&to=2026-12-31');
    assert.ok(!data.rows.some(({ code }: { code: string }) => headings.has(code)));
  });

  it('adds up accounts by their first digits, and leads to them', async () => {
    const query = 'from=2026-01-01&to=2026-12-31';
    const whole = await plain(query);
    for (const level of [1, 2, 3, 12]) {
      assert.deepEqual((await plain(`${query}&level=${level}`)).summary, whole.summary);
    }
    assert.deepEqual(whole, await plain(`${query}&level=12`));
    const groups = (await report(`${query}&level=1`)).data.rows;
    assert.deepEqual(
      groups.map(({ account_id, code, open_years, balance }: Row) => [account_id, code, open_years, balance]),
      [
        [null, '1', false, -1000],
        [null, '1', true, -60],
        [null, '4', false, 0],
        [null, '5', false, 1360],
        [null, '7', false, -300],
      ],
    );
    const { body } = await app.client.get(groups.find(({ code }: Row) => code === '4').drilldown);
    assert.deepEqual(
      body.data.rows.map(({ code }: Row) => code),
      ['430', '438'],
    );
  });

  it('shows what the period has moved alone', async () => {
    const { rows, summary } = await plain('from=2026-03-01&to=2026-03-31&opening=false');
    assert.deepEqual([rows, summary], [['572 179 0 179', '700 0 179 -179'], { debit: 179, credit: 179, balance: 0 }]);
  });

  it('has columns of months, which add up to the period', async () => {
    const { data, summary } = await report('from=2026-02-21&to=2026-04-30&by=month');
    assert.deepEqual(
      data.columns.map(({ name, from, to }: Row) => [name, from, to].join(' ')),
      ['02/2026 2026-02-21 2026-02-28', '03/2026 2026-03-01 2026-03-31', '04/2026 2026-04-01 2026-04-30'],
    );
    const sold = data.rows.find(({ code }: Row) => code === '700');
    assert.deepEqual([sold.amounts, sold.debit - sold.credit], [[0, -179, 0], -179]);
    assert.deepEqual(summary.amounts, [0, 0, 0]);
    const years = await report('from=2025-01-01&to=2026-12-31&by=year&accounts=700');
    assert.deepEqual(
      [years.data.columns.map(({ name }: Row) => name), years.data.rows.map(({ amounts }: Row) => amounts)],
      [['2025', '2026'], [[-100, -300]]],
    );
  });

  describe('of a year that is closed, reopened and closed', () => {
    const year = 'from=2025-01-01&to=2025-12-31';
    const open = ['100 0 1000 -1000', '572 1100 40 1060', '629 40 0 40', '700 0 100 -100'];

    it('is what it was before, unless closing entries are wanted', async () => {
      for (let round = 0; round < 2; round++) {
        const closed = await app.client.post('/api/fiscal-years/2025/close', {});
        assert.equal(closed.status, 200, JSON.stringify(closed.body));
        assert.deepEqual((await plain(year)).rows, open);
        const { rows } = await plain(`${year}&closing_entries=true`);
        assert.ok(
          rows.every((row: string) => row.endsWith(' 0')),
          rows.join(),
        );
        // The next year begins with the opening entry: the result of 60 on 129, no income or expense of 2025.
        assert.deepEqual((await plain('from=2026-01-01&to=2026-01-31')).rows, [
          '100 0 0 -1000',
          '129 0 0 -60',
          '572 0 0 1060',
        ]);
        if (round === 1) return;
        const reopened = await app.client.post('/api/fiscal-years/2025/reopen');
        assert.equal(reopened.status, 200, JSON.stringify(reopened.body));
        assert.deepEqual((await plain(year)).rows, open);
        assert.deepEqual((await plain('from=2026-01-01&to=2026-01-31')).rows, [
          '100 0 0 -1000',
          '129 0 0 -60',
          '572 0 0 1060',
        ]);
      }
    });
  });

  it('refuses what it does not know', async () => {
    for (const query of [
      ...['level=0', 'level=13', 'level=two', 'by=week', 'accounts=', 'type=8col&by=month', 'type=8col&opening=false'],
      'by=month&from=2020-01-01&to=2026-12-31',
    ]) {
      assertProblem(await app.client.get(`/api/reports/trial-balance?${query}`), 400, 'invalid_parameter');
    }
    assertProblem(await app.client.get('/api/reports/trial-balance?type=4col'), 400, 'invalid_parameter');
    assertProblem(
      await app.client.get('/api/reports/trial-balance?from=2026-02-01&to=2026-01-01'),
      400,
      'invalid_parameter',
    );
    assertProblem(await app.client.get('/api/reports/trial-balance?closing_entries=perhaps'), 400, 'invalid_parameter');
  });
});
