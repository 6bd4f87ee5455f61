/** The book of inventories and annual accounts over HTTP (decision 0327). */
import assert from 'node:assert/strict';
import { download, readWorkbook } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openReports } from '../golden-quarter.ts';

interface Part {
  readonly from: string;
  readonly to: string;
  readonly data: unknown;
  readonly summary: Record<string, number>;
}
interface Inventory {
  readonly rows: { code: string; balance_debit: number; balance_credit: number; drilldown: string }[];
  readonly totals: { balance_debit: number; balance_credit: number };
}
interface Book {
  readonly opening_balances: Inventory;
  readonly trial_balances: (Part & { name: string })[];
  readonly inventory: Inventory;
  readonly stock_drilldown: string;
  readonly balance_sheet: Part;
  readonly pl: Part;
  readonly equity_changes: Part;
  readonly cash_flow_statement: Part | null;
}

describe('the book of inventories and annual accounts', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const read = async (year: number) => {
    const { data, summary, warnings } = await books.report('inventories-and-accounts', `year=${year}`);
    const book = data as Book;
    return { book, summary: summary as Record<string, number>, warnings: warnings.map(({ code }) => code) };
  };
  const balances = ({ rows }: Inventory) =>
    rows.map(({ code, balance_debit, balance_credit }) => [code, balance_debit - balance_credit]);

  before(async () => {
    await books.make('/api/periods/generate', { year: 2025 });
    await books.entry('2025-01-01', { '572': 1000, '100': -1000 }, { kind: 'opening' });
    await books.entry('2025-06-01', { '572': 300, '705': -300 });
    await books.make('/api/fiscal-years/2025/close');
    await books.entry('2026-05-01', { '572': 500, '705': -500 });
    await books.entry('2026-08-01', { '629': 80, '400': -80 });
  });

  it('goes from the opening entry to the inventory, with the result of a year that is open', async () => {
    const { book, summary, warnings } = await read(2026);
    assert.deepEqual(balances(book.opening_balances), [
      ['100', -1000],
      ['129', -300],
      ['572', 1300],
    ]);
    assert.deepEqual(balances(book.inventory), [
      ['100', -1000],
      ['129', -300],
      ['129', -420],
      ['400', -80],
      ['572', 1800],
    ]);
    assert.deepEqual(book.inventory.totals, { balance_debit: 1800, balance_credit: 1800 });
    assert.deepEqual(summary, { assets: 1800, equity_and_liabilities: 1800, result: 420 });
    assert.deepEqual(warnings, ['year_not_closed']);
    for (const path of [book.stock_drilldown, ...book.inventory.rows.map(({ drilldown }) => drilldown)])
      assert.equal((await app.client.get(path)).status, 200, path);
  });

  it('has the trial balance of each quarter that has begun, and the annual accounts, as their reports', async () => {
    const { book } = await read(2026);
    assert.deepEqual(
      book.trial_balances.map(({ name, from, to }) => [name, from, to]),
      [
        ['T1 2026', '2026-01-01', '2026-03-31'],
        ['T2 2026', '2026-04-01', '2026-06-30'],
        ['T3 2026', '2026-07-01', '2026-09-30'],
        ['T4 2026', '2026-10-01', '2026-12-31'],
      ],
    );
    const reports = [
      ['trial-balance', 'type=8col&', book.trial_balances[1]],
      ['balance-sheet', '', book.balance_sheet],
      ['pl', '', book.pl],
      ['cash-flow-statement', '', book.cash_flow_statement],
    ] as const;
    for (const [name, query, part] of reports) {
      const { data, summary } = await books.report(name, `${query}from=${part?.from}&to=${part?.to}`);
      assert.deepEqual([part?.data, part?.summary], [data, summary], name);
    }
    assert.deepEqual(book.equity_changes.data, (await books.report('equity-changes', 'year=2026')).data);
    assert.deepEqual((await read(2027)).book.trial_balances.length, 1);
  });

  it('is the same once the year is closed, without the warning', async () => {
    const open = await read(2026);
    await books.make('/api/fiscal-years/2026/close');
    const closed = await read(2026);
    assert.deepEqual([closed.book, closed.warnings], [open.book, []]);
    assert.deepEqual(balances((await read(2027)).book.opening_balances), [
      ['100', -1000],
      ['129', -720],
      ['400', -80],
      ['572', 1800],
    ]);
  });

  it('has a sheet for each part in the order of the book, and refuses years that there are not', async () => {
    const path = '/api/reports/inventories-and-accounts?year=2026&format=excel';
    const workbook = await readWorkbook(await download(app, path));
    assert.deepEqual(
      workbook.worksheets.map(({ name }) => name),
      [
        'Balance inicial',
        ...[1, 2, 3, 4].map((quarter) => `Sumas y saldos T${quarter} 2026`),
        'Inventario de cierre',
        'Balance de situación',
        'Cuenta de pérdidas y ganancias',
        'Cambios en el patrimonio neto',
        'Estado de flujos de efectivo',
      ],
    );
    assertProblem(await app.client.get('/api/reports/inventories-and-accounts?year=12'), 400, 'invalid_parameter');
  });
});
