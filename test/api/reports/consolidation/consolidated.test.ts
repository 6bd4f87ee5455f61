/** Consolidated statements: columns that agree with the companies' own, eliminations, and their sum. */
import assert from 'node:assert/strict';
import { descendants } from '../../../../domain/reports/accounting/headings.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { headingAmounts, openGroup, trade } from './group.ts';

const YEAR = 'from=2026-01-01&to=2026-12-31';
const DAY = 'to=2026-12-31';

interface Row {
  readonly code: string;
  readonly amount: number;
  readonly amounts: number[];
  readonly drilldowns: (string | null)[];
}

interface Listed {
  readonly accounts: readonly { readonly code: string; readonly name: string }[];
  readonly children: readonly Listed[];
}

describe('consolidated reports', () => {
  const app = useApp();
  const group = use(async () => {
    const opened = await openGroup(app, { ownershipPercent: 80 });
    const { parent, subsidiary, member } = opened;
    const { body } = await parent.client.patch(`/api/group-companies/${member.id}`, {
      investmentAccountId: parent.account('2403'),
      acquiredEquity: 1000,
    });
    assert.equal(body.data?.acquiredEquity, 1000, JSON.stringify(body));
    await parent.entry('2026-01-01', { '572': 5000, '2403': 900, '100': -5900 }, { kind: 'opening' });
    await subsidiary.entry('2026-01-01', { '572': 1500, '100': -1000, '113': -500 }, { kind: 'opening' });
    await parent.invoice('sales', '2026-02-01', 700);
    await subsidiary.invoice('sales', '2026-02-01', 300);
    await trade(parent, subsidiary, 200);
    return opened;
  });

  it('take the investment from an account of assets alone', async () => {
    const { parent, member } = group;
    const investmentAccountId = parent.account('100');
    const { status, body } = await parent.client.patch(`/api/group-companies/${member.id}`, { investmentAccountId });
    assert.deepEqual(
      [status, body.errors[0].pointer, body.errors[0].code],
      [422, '/investmentAccountId', 'wrong_type'],
    );
  });

  it('have a balance sheet in which the columns are those of the companies', async () => {
    const { data, summary, warnings } = await group.parent.report('consolidated-balance-sheet', DAY);
    const { columns, sections } = data as { columns: { name: string }[]; sections: Listed[] };
    assert.deepEqual(
      columns.slice(1).map(({ name }) => name),
      ['Filial', 'Eliminaciones'],
    );
    const amounts = headingAmounts(sections as never);
    for (const [column, company] of [group.parent, group.subsidiary].entries()) {
      const own = await company.report('balance-sheet', YEAR);
      assert.equal(amounts.ACTIVO?.[column], (own.summary as { assets: number }).assets);
    }
    // Paid 900 for 80 % of 1,000: 100 of goodwill. 80 % of 500 earned since; 20 % of 1,500, and of the year's 300 − 200.
    assert.deepEqual(amounts.goodwill, [0, 0, 100, 100]);
    assert.deepEqual(amounts.group_reserves, [0, 0, 400, 400]);
    assert.deepEqual(amounts.minorities, [0, 0, 320, 320]);
    assert.deepEqual(amounts['A-1.VII'], [900, 100, -20, 980]);
    assert.deepEqual(amounts['A-1.I'], [5900, 1000, -1000, 5900]);
    assert.deepEqual(amounts['B.II.1'], [1089, 363, -242, 1210]);
    assert.deepEqual(amounts['A.IV'], [900, 0, -900, 0]);
    assert.equal(amounts.differences, undefined);
    for (const { accounts } of sections.flatMap((section) => descendants(section))) {
      const codes = accounts.map(({ code, name }) => `${code} ${name}`);
      assert.equal(new Set(codes).size, codes.length, codes.join());
    }
    const { assets, equity_and_liabilities } = summary as Record<string, number>;
    assert.equal(assets, equity_and_liabilities);
    assert.deepEqual(warnings, []);
  });

  it('have a profit and loss account without what they sell each other', async () => {
    const { data, summary } = await group.parent.report('consolidated-pl', YEAR);
    const amounts = headingAmounts((data as { sections: never[] }).sections);
    assert.deepEqual(amounts['1'], [900, 300, -200, 1000]);
    assert.deepEqual(amounts['4'], [0, -200, 200, 0]);
    assert.deepEqual(amounts.D, [900, 100, 0, 1000]);
    assert.deepEqual(summary, { result: 1000, parent_result: 980, minority_result: 20 });
    const own = await group.subsidiary.report('pl', YEAR);
    assert.equal((own.summary as { result: number }).result, amounts.D?.[1]);
  });

  it('have a trial balance whose columns balance, also in files', async () => {
    const { data, summary } = await group.parent.report('consolidated-trial-balance', DAY);
    const { rows } = data as { rows: Row[] };
    assert.deepEqual(summary, { amount: 0, amounts: [0, 0, 0] });
    const customers = rows.find(({ code }) => code === '430');
    assert.deepEqual(customers?.amounts, [1089, 363, -242]);
    for (const { amount, amounts } of rows)
      assert.equal(
        amounts.reduce((all, one) => all + one, 0),
        amount,
      );
    const path = `/api/reports/consolidated-trial-balance?${DAY}&format=csv&header=names`;
    const file = await readCsv(await download(app, path), ';');
    assert.equal(file.length, rows.length);
    // Words that stand for codes are for programs.
    const goodwill = file.find(({ name }) => name === 'Fondo de comercio de consolidación');
    assert.equal(goodwill?.code, '');
    const { drilldowns } = rows.find(({ code }) => code === 'goodwill') as unknown as { drilldowns: string[] };
    const { body: terms } = await group.parent.client.get(drilldowns.at(-1) as string);
    assert.equal(terms.data[0].acquiredEquity, 1000);
  });

  it('lead from each column to the books of its company', async () => {
    const { data } = await group.parent.report('consolidated-trial-balance', DAY);
    const { rows } = data as { rows: Row[] };
    const drilldowns = rows.find(({ code }) => code === '430')?.drilldowns ?? [];
    assert.equal(drilldowns[2], null);
    for (const [column, { client }] of [group.parent, group.subsidiary].entries()) {
      const { status, body } = await client.get(drilldowns[column] ?? '');
      assert.equal(status, 200, JSON.stringify(body));
    }
    const { data: sheet } = await group.parent.report('consolidated-balance-sheet', DAY);
    assert.match(
      JSON.stringify(sheet),
      /"drilldowns":\["\/api\/reports\/ledger\?account_id=[^"]*from=2026-01-01&to=2026-12-31"/,
    );
    const [several] = rows.filter(({ code }) => code === 'minorities');
    assert.deepEqual(several?.drilldowns, [null, null, '/api/group-companies']);
  });

  it('show what the books of two companies say otherwise of each other, and agree all the same', async () => {
    await trade(group.subsidiary, group.parent, 50, 40);
    const { data, summary, warnings } = await group.parent.report('consolidated-balance-sheet', DAY);
    const amounts = headingAmounts((data as { sections: never[] }).sections);
    // 60.50 receivable against 48.40 payable.
    assert.deepEqual(amounts.differences, [0, 0, 12.1, 12.1]);
    const { assets, equity_and_liabilities } = summary as Record<string, number>;
    assert.equal(assets, equity_and_liabilities);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['group_difference'],
    );
    const pl = await group.parent.report('consolidated-pl', YEAR);
    const results = headingAmounts((pl.data as { sections: never[] }).sections);
    assert.deepEqual(results.differences, [0, 0, 10, 10]);
    assert.deepEqual(results.D, [860, 150, 0, 1010]);
  });
});
