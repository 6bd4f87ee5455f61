/** Balance sheet and profit and loss account over HTTP (decision 0172). */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Section } from '../../../../domain/reports/engine/sections.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { enterGoldenQuarter, openReports, sectionAmounts } from '../golden-quarter.ts';

const NOW = new Date('2027-02-10T09:00:00Z');

describe('the annual accounts of a quarter', () => {
  const app = useApp({ clock: { now: NOW } });
  const books = use(() => enterGoldenQuarter(app));

  it('have the profit and loss account by its headings', async () => {
    const { data, summary } = await books.report('pl', 'from=2026-01-01&to=2026-03-31');
    // 1: 8,000 sold less 500 credited; 4: 6,000 bought less 2,400 still in stock; 6: wages 1,700 + 637.64; 7: rent 1,000.
    const result = 562.36;
    assert.deepEqual(sectionAmounts((data as { sections: never }).sections), {
      ...{ A: result, '1': 7500, '4': -3600, '6': -2337.64, '7': -1000, C: result, D: result },
    });
    assert.deepEqual(summary, { income: 7500, expense: 6937.64, result, previous_result: 0 });
    const { categories } = data as { categories: { account_code: string; amount: number }[] };
    assert.deepEqual(
      categories.map(({ account_code, amount }) => [account_code, amount]),
      [
        ['600', 6000],
        ['640', 1700],
        ['621', 1000],
        ['642', 637.64],
        ['610', -2400],
      ],
    );
  });

  it('have the balance sheet, whose sides are equal', async () => {
    const { data, summary } = await books.report('balance-sheet', 'from=2026-01-01&to=2026-03-31');
    const [assets, liabilities] = (data as { sections: never[] }).sections;
    // Bank: 20,000 − 1,367.09 + 9,680 − 6,050 − 766.55; customers: 9,680 − 9,680 − 605; VAT borne: 1,050 + 210 + 210.
    assert.deepEqual(sectionAmounts([assets as never]), {
      ...{ ACTIVO: 24761.36, B: 24761.36, 'B.I': 2400, 'B.II': 865, 'B.II.1': -605, 'B.II.3': 1470, 'B.VI': 21496.36 },
    });
    // Suppliers: 6,050 − 6,050 + 1,000; other creditors: 1,020 (rent) + 394 (withheld) + 1,785 (VAT charged).
    assert.deepEqual(sectionAmounts([liabilities as never]), {
      ...{ PASIVO: 24761.36, A: 20562.36, 'A-1': 20562.36, 'A-1.I': 20000, 'A-1.I.1': 20000, 'A-1.VII': 562.36 },
      ...{ C: 4199, 'C.IV': 4199, 'C.IV.1': 1000, 'C.IV.2': 3199 },
    });
    assert.deepEqual(summary, { assets: 24761.36, equity_and_liabilities: 24761.36, result: 562.36 });
  });

  it('link each figure to the ledger of its account', async () => {
    const { data } = await books.report('pl', 'from=2026-01-01&to=2026-03-31');
    const [operating] = (data as { sections: { children: { accounts: { code: string; drilldown: string }[] }[] }[] })
      .sections;
    const sales = operating?.children[0]?.accounts ?? [];
    assert.deepEqual(
      sales.map(({ code }) => code),
      ['700', '708'],
    );
    const ledger = `/api/reports/ledger?account_id=${books.account('700')}&from=2026-01-01&to=2026-03-31`;
    assert.equal(sales[0]?.drilldown, ledger);
  });

  it('come as a file with the headings in their order', async () => {
    const response = await download(app, '/api/reports/pl?from=2026-01-01&to=2026-03-31&format=csv');
    const rows = await readCsv(response, ';');
    assert.equal(
      Object.values(rows[0] as object)
        .join('|')
        .includes('A) RESULTADO DE EXPLOTACIÓN'),
      true,
    );
    assert.equal(rows.length, 2 + 12 + 6 + 3);
  });

  it('have each amount of their headings in files, as they are and by months', async () => {
    for (const report of ['pl?', 'pl?by=month&', 'balance-sheet?', 'balance-sheet?by=month&', 'cash-flow-statement?']) {
      const path = `/api/reports/${report}from=2026-01-01&to=2026-03-31`;
      const { body } = await app.client.get(path);
      const rows = await readCsv(await download(app, `${path}&format=csv`), ';');
      const cells = rows.map((row) => Object.values(row).map(amountIn));
      for (const [index, { amount }] of headings(body.data.sections).entries())
        assert.ok(cells[index]?.includes(amount), `${report}: ${amount}`);
    }
  });

  it('refuse periods that end before they begin, and parameters that they do not know', async () => {
    for (const name of ['pl', 'balance-sheet']) {
      const backwards = await app.client.get(`/api/reports/${name}?from=2026-03-31&to=2026-01-01`);
      assertProblem(backwards, 400, 'invalid_parameter');
      assertProblem(await app.client.get(`/api/reports/${name}?frm=2026-01-01`), 400, 'invalid_parameter');
    }
  });
});

/** The headings of sections in the order of files. */
function headings(sections: readonly Section[]): Section[] {
  return sections.flatMap((section) => [section, ...headings(section.children)]);
}

/** A cell of a Spanish file as a number. */
function amountIn(cell: string): number {
  return Number(cell.replaceAll('.', '').replace(',', '.'));
}

interface Columns {
  readonly columns: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  readonly sections: readonly Section[];
}

/** Sections with the amounts of one column. */
function withColumn(sections: readonly Section[], index: number): never {
  const of = (section: Section): Section => ({
    ...section,
    amount: section.amounts?.[index] ?? 0,
    children: section.children.map(of),
  });
  return sections.map(of) as never;
}

describe('the annual accounts of a year', () => {
  const app = useApp({ clock: { now: NOW } });
  const books = use(() => openReports(app));
  const year = (of: number) => `from=${of}-01-01&to=${of}-12-31`;
  const sheet = async (of: number) => (await books.report('balance-sheet', year(of))) as never as Sheet;
  const account = async (of: number) => (await books.report('pl', year(of))) as never as Account;

  before(async () => {
    await books.make('/api/periods/generate', { year: 2025 });
    await books.entry('2025-01-01', { '572': 1000, '100': -1000 }, { kind: 'opening' });
    await books.entry('2025-06-01', { '572': 300, '705': -300 });
    await books.entry('2026-06-01', { '572': 500, '705': -500 });
    await books.entry('2026-07-01', { '629': 80, '572': -80 });
  });

  it('show results of earlier years that are not closed apart', async () => {
    const { data, summary } = await sheet(2026);
    // 2025 made 300 and is not closed; 2026 makes 500 − 80.
    const shown = sectionAmounts(data.sections);
    assert.deepEqual(
      [shown['A-1.V'], shown['A-1.VII'], summary.assets, summary.equity_and_liabilities],
      [300, 420, 1720, 1720],
    );
    assert.deepEqual(sectionAmounts(data.sections, 'previous')['A-1.VII'], 300);
  });

  it('are the same before and after closing, reopening and closing again', async () => {
    const before = [await sheet(2025), await account(2025)].map(({ data, summary }) => ({ data, summary }));
    const closing = () => books.make('/api/fiscal-years/2025/close');
    for (const change of [closing, () => books.make('/api/fiscal-years/2025/reopen'), closing]) {
      await change();
      const after = [await sheet(2025), await account(2025)].map(({ data, summary }) => ({ data, summary }));
      assert.deepEqual(after, before);
    }
    // Then 129 has what 2025 made, beside the result of 2026.
    const { data } = await sheet(2026);
    const shown = sectionAmounts(data.sections);
    assert.deepEqual([shown['A-1.V'], shown['A-1.VII'], data.result.amount], [undefined, 720, 420]);
  });

  it('stand beside the year before, and agree with each other in both', async () => {
    const [balance, profit] = [await sheet(2026), await account(2026)];
    assert.deepEqual([profit.summary.result, profit.summary.previous_result], [420, 300]);
    assert.deepEqual([balance.data.result.amount, balance.data.result.previous], [420, 300]);
    assert.equal(balance.data.previous_to, '2025-12-31');
  });

  it('stand side by side for the quarters of years, which agree with the accounts of each', async () => {
    const span = 'from=2025-04-01&to=2026-12-31';
    const [balance, profit] = [
      await books.report('balance-sheet', `${span}&by=quarter`),
      await books.report('pl', `${span}&by=quarter`),
    ];
    const { columns, sections } = balance.data as never as Columns;
    assert.deepEqual([columns.length, columns[0]?.name, columns.at(-1)?.name], [7, 'T2 2025', 'T4 2026']);
    for (const [index, { from, to }] of columns.entries()) {
      const single = (await books.report('balance-sheet', `from=${from}&to=${to}`)) as never as Sheet;
      assert.deepEqual(sectionAmounts(withColumn(sections, index)), sectionAmounts(single.data.sections));
      const of = (await books.report('pl', `from=${from}&to=${to}`)) as never as Account;
      const result = (profit.data as never as Columns).sections.at(-1)?.amounts?.[index];
      assert.equal(result, of.summary.result);
    }
  });

  it('show each month in files, with a total where there is one', async () => {
    const path = '/api/reports/pl?from=2026-06-01&to=2026-07-31&by=month&format=csv';
    const rows = await readCsv(await download(app, path), ';');
    assert.deepEqual(Object.keys(rows[0] as object).slice(-3), ['06/2026', '07/2026', 'Total']);
    assert.deepEqual(Object.values(rows.at(-1) as object).slice(-3), ['500', '-80', '420']);
    const sheet = '/api/reports/balance-sheet?from=2026-06-01&to=2026-07-31&by=month&format=csv';
    const [assets] = await readCsv(await download(app, sheet), ';');
    assert.deepEqual(Object.entries(assets as object).slice(-2), [
      ['30/06/2026', '1800'],
      ['31/07/2026', '1720'],
    ]);
  });

  it('are zero for a year without data', async () => {
    const { data, summary } = await sheet(1999);
    assert.deepEqual(
      [sectionAmounts(data.sections), summary],
      [{}, { assets: 0, equity_and_liabilities: 0, result: 0 }],
    );
    assert.deepEqual((await account(1999)).summary, { income: 0, expense: 0, result: 0, previous_result: 0 });
    assert.equal((await app.client.get('/api/reports/balance-sheet?from=0001-01-01&to=0001-01-01')).status, 200);
    assert.equal((await app.client.get('/api/reports/pl?from=0001-01-01&to=9999-12-31')).status, 200);
  });
});

interface Sheet {
  readonly data: {
    readonly previous_to: string;
    readonly sections: Parameters<typeof sectionAmounts>[0];
    readonly result: { readonly amount: number; readonly previous: number };
  };
  readonly summary: { readonly assets: number; readonly equity_and_liabilities: number; readonly result: number };
}

interface Account {
  readonly data: { readonly sections: Parameters<typeof sectionAmounts>[0] };
  readonly summary: { readonly result: number; readonly previous_result: number };
}
