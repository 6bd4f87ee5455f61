/** The statement of changes in equity over HTTP (decision 0361). */
import assert from 'node:assert/strict';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openReports } from '../golden-quarter.ts';

interface Row {
  readonly code: string;
  readonly kind: string;
  readonly amounts: number[];
  readonly total: number;
  readonly accounts: readonly { code: string; column: string; amount: number; drilldown: string }[];
  readonly drilldown: string | null;
}

describe('the statement of changes in equity', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const read = async (year: number) => {
    const { data, summary } = await books.report('equity-changes', `year=${year}`);
    const { columns, rows } = data as { columns: { code: string }[]; rows: Row[] };
    const row = (code: string) => rows.find((one) => one.code === code) as Row;
    const at = (code: string, column: string) => row(code).amounts[columns.findIndex((one) => one.code === column)];
    return { columns, rows, row, at, summary: summary as Record<string, number> };
  };
  const equity = async (year: number) => {
    const { data } = await books.report('balance-sheet', `from=${year}-01-01&to=${year}-12-31`);
    const [, { children }] = (
      data as { sections: { children: { code: string; amount: number; previous: number }[] }[] }
    ).sections as [never, { children: { code: string; amount: number; previous: number }[] }];
    const [own] = children;
    return [own?.amount, own?.previous];
  };

  before(async () => {
    await books.make('/api/periods/generate', { year: 2025 });
    await books.entry('2025-01-01', { '572': 1000, '100': -1000 }, { kind: 'opening' });
    await books.entry('2025-06-01', { '572': 300, '705': -300 });
    await books.make('/api/fiscal-years/2025/close');
    await books.entry('2026-05-01', { '129': 300, '112': -30, '113': -150, '526': -120 });
    await books.entry('2026-06-01', { '572': 500, '100': -400, '110': -100 });
    await books.entry('2026-07-01', { '113': 20, '400': -20 });
    await books.entry('2026-08-01', { '629': 80, '572': -80 });
  });

  it('goes from one balance sheet to the next', async () => {
    const { row, at, summary } = await read(2026);
    assert.deepEqual(
      [await equity(2025), await equity(2026)],
      [
        [1300, 0],
        [1580, 1300],
      ],
    );
    assert.deepEqual([row('A').total, row('C').total, row('E').total], [0, 1300, 1580]);
    assert.deepEqual(summary, { equity: 1580, previous_equity: 1300, result: -80 });
    assert.deepEqual([at('B.I', 'A-1.VII'), at('B.IV', 'A-1.I.1'), at('C.I', 'A-1.III')], [300, 1000, -20]);
    assert.deepEqual([at('D.III.1', 'A-1.I.1'), at('D.III.1', 'A-1.II'), at('D.III.3', 'A-1.VII')], [400, 100, -120]);
    assert.deepEqual([at('D.IV', 'A-1.III'), at('D.IV', 'A-1.VII'), row('D.IV').total], [180, -180, 0]);
    assert.deepEqual([at('E', 'A-1.III'), at('E', 'A-1.VII')], [160, -80]);
  });

  it('leads to the ledgers, the balance sheet and the profit and loss account', async () => {
    const { rows, row } = await read(2026);
    assert.deepEqual(
      row('D.III.3').accounts.map(({ code, column, amount }) => [code, column, amount]),
      [['129', 'A-1.VII', -120]],
    );
    for (const { accounts, drilldown } of rows)
      for (const path of [...accounts.map((one) => one.drilldown), ...(drilldown === null ? [] : [drilldown])])
        assert.equal((await app.client.get(path)).status, 200, path);
    assert.equal((await app.client.get(row('D.I').drilldown as string)).body.summary.result, -80);
  });

  it('is the same when the second year is closed, which has a third', async () => {
    const before = await read(2026);
    await books.make('/api/fiscal-years/2026/close');
    assert.deepEqual((await read(2026)).rows, before.rows);
    const after = await read(2027);
    assert.deepEqual([after.row('C').amounts, after.row('E').total], [before.row('E').amounts, 1580]);
    assert.equal(after.rows.filter(({ kind, total }) => kind === 'other' && total !== 0).length, 0);
  });

  it('comes as a file, and refuses years that there are not', async () => {
    const rows = await readCsv(await download(app, '/api/reports/equity-changes?year=2026&format=csv'), ';');
    assert.deepEqual([rows.length, Object.values(rows.at(-1) as object).at(-1)], [21, '1580']);
    assertProblem(await app.client.get('/api/reports/equity-changes?year=12'), 400, 'invalid_parameter');
  });
});
