/** Profit and loss and the trial balance by cost center and project: whatever is entered, the columns add up to the whole. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { groupBy } from '../../../../domain/group-by.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTrade } from '../../trade/documents/trade.ts';

const RANGE = 'from=2026-01-01&to=2026-06-30';
const cents = (value: number) => Math.round(value * 100);
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + cents(value), 0);

interface Row {
  readonly amounts: number[];
  readonly amount?: number;
  readonly balance?: number;
  readonly drilldown: string;
}

interface JournalRow {
  readonly entry_id: string;
}

interface LedgerRow {
  readonly account_id: string;
  readonly account_code: string;
  readonly account_name: string;
  readonly balance: number;
}

/** An entry of a result account against the bank, by the places of its accounts and dimensions; 2 is no dimension. */
const ENTRY = fc.record({
  account: fc.constantFrom('700', '705', '621', '628', '640'),
  credit: fc.boolean(),
  cents: fc.integer({ min: 1, max: 500_000 }),
  center: fc.nat({ max: 2 }),
  project: fc.nat({ max: 2 }),
  month: fc.integer({ min: 1, max: 6 }),
});

describe('accounting reports by cost center and project', function () {
  this.timeout(120_000);
  const app = useApp();
  const books = use(() => openBooks(app));
  const trade = use(() => openTrade(app, 0));
  const centers: string[] = [];
  const projects: string[] = [];
  const read = async (report: string, parameters: string) => {
    const { status, body } = await app.client.get(`/api/reports/${report}?${RANGE}&${parameters}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  before(async () => {
    for (const code of ['NORTE', 'SUR']) {
      centers.push((await books.make('/api/cost-centers', { code, name: code })).id);
      projects.push((await books.make('/api/projects', { code, name: code })).id);
    }
    for (const one of fc.sample(ENTRY, { numRuns: 25, seed: 7 })) {
      const value = one.cents / 100;
      const dimensions = { costCenterId: centers[one.center] ?? null, projectId: projects[one.project] ?? null };
      const sides = one.credit ? ['credit', 'debit'] : ['debit', 'credit'];
      const lines = [
        { accountId: books.account(one.account), [sides[0] as string]: value, ...dimensions },
        { accountId: books.account('572'), [sides[1] as string]: value },
      ];
      await books.make('/api/journal-entries', { date: `2026-0${one.month}-15`, post: true, lines });
    }
    const line = { description: 'Work', quantity: 1, taxGroupId: trade.taxGroupId, costCenterId: centers[0] };
    for (const [side, partnerId, price] of [
      ['sales', trade.customerId, 1000],
      ['purchases', trade.supplierId, 400],
    ] as const) {
      const { id } = await books.make(`/api/${side}/invoices`, { partnerId, lines: [{ ...line, price }] });
      await books.make(`/api/${side}/invoices/${id}/post`);
    }
  });

  for (const [by, member] of [
    ['cost_center', 'cost_center_id'],
    ['project', 'project_id'],
  ] as const) {
    it(`have columns that add up to the whole, and each is the report of its own: ${by}`, async () => {
      for (const report of ['pl', 'trial-balance']) {
        const { data } = await read(report, `by=${by}`);
        const names = data.columns.map(({ name }: { name: string }) => name);
        const none = by === 'project' ? 'Sin proyecto' : 'Sin centro de coste';
        assert.deepEqual(names, ['NORTE NORTE', 'SUR SUR', none], report);
        const rows: Row[] = data.sections ?? data.rows;
        for (const { amounts, amount, balance } of rows) assert.equal(total(amounts), cents(amount ?? balance ?? 0));
        for (const [index, { id }] of data.columns.entries()) {
          if (id === null) continue;
          const alone = await read(report, `${member}=${id}`);
          const shown: Row[] = alone.data.sections ?? alone.data.rows;
          assert.equal(
            total(shown.map(({ amount, balance }) => amount ?? balance ?? 0)),
            total(rows.map(({ amounts }) => amounts[index] ?? 0)),
          );
        }
      }
    });
  }

  it('lead to the ledger of the same cost center, and agree with its profit', async () => {
    const parameters = `cost_center_id=${centers[0]}`;
    const { data, summary } = await read('trial-balance', parameters);
    for (const { drilldown, balance } of data.rows as Row[]) {
      if (!drilldown.includes('/ledger')) continue;
      assert.equal((await app.client.get(drilldown)).body.summary.balance, balance, drilldown);
    }
    const { summary: result } = await read('pl', parameters);
    assert.equal(cents(result.result), -cents(summary.balance));
    const { data: profit } = await read('profit-cost-center', '');
    const row = profit.rows.find((one: { cost_center_id: string }) => one.cost_center_id === centers[0]);
    assert.equal(cents(row.margin), cents(result.result));
  });

  it('list the ledgers of all accounts as each alone, also from the middle of one', async () => {
    const parameters = `cost_center_id=${centers[0]}`;
    const { data } = await read('general-ledger', `${parameters}&limit=500`);
    const byAccount = groupBy(data.rows as LedgerRow[], ({ account_id }) => account_id);
    assert.ok(byAccount.size > 2);
    for (const [account, rows] of byAccount) {
      const alone = await read('ledger', `${parameters}&account_id=${account}`);
      const lines = rows.slice(1).map(({ account_id, account_code, account_name, ...line }) => line);
      assert.deepEqual(lines, alone.data.rows);
      assert.equal(rows.at(-1)?.balance, alone.summary.balance);
    }
    const later = await read('general-ledger', `${parameters}&limit=3&page=2`);
    assert.deepEqual(later.data.rows, data.rows.slice(3, 6));
  });

  it('show entries of a cost center and a project in the journal, with all their lines', async () => {
    const all: JournalRow[] = (await read('journal', 'limit=500')).data.rows;
    const { data, summary } = await read('journal', `cost_center_id=${centers[0]}&project_id=${projects[1]}&limit=500`);
    const entries = new Set(data.rows.map(({ entry_id }: JournalRow) => entry_id));
    assert.ok(entries.size > 0);
    assert.deepEqual(
      data.rows,
      all.filter(({ entry_id }) => entries.has(entry_id)),
    );
    assert.equal(summary.debit, summary.credit);
    for (const id of entries) {
      const { lines } = (await app.client.get(`/api/journal-entries/${id}`)).body.data;
      assert.ok(lines.some((line: { costCenterId: string | null }) => line.costCenterId === centers[0]));
      assert.ok(lines.some((line: { projectId: string | null }) => line.projectId === projects[1]));
    }
    const file = await download(app, `/api/reports/journal?${RANGE}&cost_center_id=${centers[0]}&format=csv`);
    const page = await read('journal', `cost_center_id=${centers[0]}&limit=500`);
    assert.equal((await readCsv(file, ';')).length, page.data.rows.length);
  });

  it('refuse unknown ones, and those of the balance sheet', async () => {
    assertProblem(await app.client.get(`/api/reports/pl?${RANGE}&project_id=${centers[0]}`), 404, 'not_found');
    assert.equal((await app.client.get('/api/reports/balance-sheet?by=project')).status, 400);
  });
});
