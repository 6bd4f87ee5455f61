/** The profit and loss account against a budget (decision 0360). */
import assert from 'node:assert/strict';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openReports } from '../golden-quarter.ts';

interface Budgeted {
  readonly code: string;
  readonly amount: number;
  readonly budget: number;
  readonly variance: number;
  readonly percent: number | null;
  readonly amounts?: number[];
  readonly budgets?: number[];
  readonly variances?: number[];
  readonly drilldown: string;
}

interface Section extends Budgeted {
  readonly accounts: readonly Budgeted[];
  readonly beginnings: readonly Budgeted[];
  readonly children: readonly Section[];
}

const RANGE = 'from=2026-01-01&to=2026-03-31';
const shown = ({ code, amount, budget, variance, percent }: Budgeted) => [code, amount, budget, variance, percent];
const cents = (values: readonly number[]) => values.reduce((sum, value) => sum + Math.round(value * 100), 0);
const flat = (section: Section): Section[] => [section, ...section.children.flatMap(flat)];

describe('the profit and loss account against a budget', () => {
  const app = useApp();
  const books = use(() => openReports(app));
  let budget: string;
  const read = async (query = '') => {
    const { data, summary, warnings } = await books.report('pl', `${RANGE}&budget_id=${budget}${query}`);
    const { sections, ...rest } = data as { sections: Section[]; budget_name: string };
    return { ...rest, sections, all: sections.flatMap(flat), summary: summary as Record<string, number>, warnings };
  };

  before(async () => {
    await books.entry('2026-01-10', { '572': 1000, '700': -1000 });
    await books.entry('2026-02-10', { '621': 150, '626': 30, '572': -180 });
    budget = (await books.make('/api/budgets', { name: 'First', fiscalYear: 2026 })).id;
    for (const [account, month, amount] of [
      ['700', '2026-01-01', 800],
      ['62', '2026-02-01', 100],
      ['62', '2026-03-01', 60],
      ['626', '2026-02-01', 40],
      ['640', '2026-04-01', 999],
      ['640', '2026-03-01', 500],
      ['60', '2026-01-01', 10],
      ['6', '2026-01-01', 5],
      ['43', '2026-01-01', 7],
    ] as const)
      await books.make('/api/budget-lines', { budgetId: budget, account, month, amount });
  });

  it('stands beside headings and accounts, and beginnings of accounts', async () => {
    const { all, summary, warnings, budget_name: name } = await read();
    const heading = (code: string) => all.find((one) => one.code === code) as Section;
    assert.deepEqual(shown(heading('1')), ['1', 1000, 800, 200, 25]);
    assert.deepEqual(shown(heading('7')), ['7', -180, -200, 20, 10]);
    assert.deepEqual(heading('7').accounts.map(shown), [
      ['621', -150, 0, -150, null],
      ['626', -30, -40, 10, 25],
    ]);
    assert.deepEqual(
      heading('7').beginnings.map(({ code, budget }) => [code, budget]),
      [['62', -160]],
    );
    assert.equal((await app.client.get(heading('7').beginnings[0]?.drilldown as string)).status, 200);
    // Staff costs have a budget alone; 60 is all of supplies, 6 is of several headings.
    assert.deepEqual(heading('6').accounts.map(shown), [['640', 0, -500, 500, 100]]);
    assert.deepEqual([heading('4').budget, heading('0').budget], [-10, -5]);
    assert.deepEqual([name, summary.result, summary.result_budget], ['First', 820, 85]);
    assert.deepEqual(shown(heading('D')), ['D', 820, 85, 735, 864.71]);
    assert.deepEqual(warnings, []);
  });

  it('has columns that add up to the whole', async () => {
    for (const by of ['month', 'quarter']) {
      for (const { amount, amounts = [], budget, budgets = [], variance, variances = [] } of (await read(`&by=${by}`))
        .all) {
        assert.deepEqual(
          [cents(amounts), cents(budgets), cents(variances)],
          [amount, budget, variance].map((one) => cents([one])),
        );
      }
    }
  });

  it('counts what it has for a project alone', async () => {
    const project = (await books.make('/api/projects', { code: 'P', name: 'P' })).id;
    const line = { budgetId: budget, account: '700', month: '2026-02-01', amount: 300, projectId: project };
    await books.make('/api/budget-lines', line);
    const { summary } = await read(`&project_id=${project}`);
    assert.deepEqual([summary.result, summary.result_budget], [0, 300]);
    assert.equal((await read()).summary.result_budget, 385);
  });

  it('comes in files', async () => {
    const path = `/api/reports/pl?${RANGE}&budget_id=${budget}&format=csv`;
    const rows = await readCsv(await download(app, path), ';');
    assert.deepEqual(Object.keys(rows[0] as object).slice(2), [
      'Importe',
      'Presupuesto',
      'Desviación',
      'Porcentaje',
      'Un año antes',
    ]);
    const months = await readCsv(await download(app, `${path}&by=month`), ';');
    assert.deepEqual(Object.keys(months[0] as object).slice(2, 4), ['01/2026', '01/2026 presupuesto']);
    const year = `/api/reports/pl?from=2026-01-01&to=2026-12-31&budget_id=${budget}&by=month&format=csv`;
    const [wide] = await readCsv(await download(app, year), ';');
    assert.deepEqual(Object.keys(wide as object).slice(-5), [
      '12/2026',
      'Total',
      'Presupuesto',
      'Desviación',
      'Porcentaje',
    ]);
    const excel = await download(app, `/api/reports/pl?${RANGE}&budget_id=${budget}&by=quarter&format=excel`);
    assert.equal(excel.status, 200);
  });

  it('warns of positions of several types', async () => {
    await books.make('/api/accounts', { code: '6999', name: 'Odd', type: 'asset', parentId: null });
    const { warnings } = await read();
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['budget_of_several_types'],
    );
  });

  it('refuses columns of projects, and budgets that do not exist', async () => {
    for (const by of ['project', 'cost_center']) {
      const refused = await app.client.get(`/api/reports/pl?budget_id=${budget}&by=${by}`);
      assertProblem(refused, 400, 'invalid_parameter');
    }
    const unknown = '01890000-0000-7000-8000-000000000000';
    for (const name of ['pl', 'budget']) {
      assertProblem(await app.client.get(`/api/reports/${name}?budget_id=${unknown}`), 404, 'not_found');
    }
  });
});
