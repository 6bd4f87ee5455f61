/** Members of a group with another currency, or another fiscal year. */
import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { found, headingAmounts, openParent, take, trade } from './group.ts';

const YEAR = 'from=2026-01-01&to=2026-12-31';
const DAY = 'to=2026-12-31';

describe('members of a group with another currency', () => {
  const app = useApp();
  const group = use(async () => {
    const parent = await openParent(app);
    const subsidiary = await found(app, 'Filial', { currency: 'USD' });
    const investmentAccountId = parent.account('2403');
    await take(parent, subsidiary, { ownershipPercent: 80, investmentAccountId, acquiredEquity: 1000 });
    await parent.entry('2026-01-01', { '572': 5000, '2403': 900, '100': -5900 }, { kind: 'opening' });
    await subsidiary.entry('2026-01-01', { '572': 1500, '100': -1000, '113': -500 }, { kind: 'opening' });
    await subsidiary.entry('2026-03-15', { '572': 1100, '700': -1100 });
    return { parent, subsidiary };
  });
  const amounts = async (report: string, query: string) => {
    const { data, summary, warnings } = await group.parent.report(report, query);
    const { columns, sections } = data as { columns: Record<string, unknown>[]; sections: never[] };
    return { of: headingAmounts(sections), columns, summary, warnings };
  };

  it('are refused without a rate of their first day, which the refusal names', async () => {
    await group.parent.make('/api/exchange-rates', { currency: 'USD', date: '2026-02-01', rate: 3 });
    for (const name of ['balance-sheet', 'pl', 'trial-balance']) {
      const refused = await app.client.get(`/api/reports/consolidated-${name}?${DAY}`);
      assertProblem(refused, 409, 'invalid_transition');
      assert.match(refused.body.detail, /Filial .*USD .*2026-01-01/);
    }
  });

  it('have what they own at the rate of the day, results at averages of months, and the rest as translation difference', async () => {
    for (const [date, rate] of [
      ['2026-01-01', 1.25],
      ['2026-03-01', 1.2],
      ['2026-03-20', 1],
    ])
      await group.parent.make('/api/exchange-rates', { currency: 'USD', date, rate });
    const { of, columns, summary, warnings } = await amounts('consolidated-balance-sheet', DAY);
    assert.deepEqual(
      columns.map((column) => [column.currency, column.closing_rate, column.closing_rate_on]),
      [
        ['EUR', null, null],
        ['USD', 1, '2026-03-20'],
        [null, null, null],
      ],
    );
    assert.deepEqual(of.ACTIVO?.slice(0, 2), [5900, 2600]);
    assert.deepEqual(of['A-1.I'], [5900, 800, -800, 5900]);
    assert.deepEqual(of['A-1.VII'], [0, 1000, -200, 800]);
    // Paid 900 for 80 % of 1,000 USD at 1.25, or 800: 260 of goodwill, which is 325 at the rate of the last day.
    assert.deepEqual(of.goodwill, [0, 0, 325, 325]);
    assert.deepEqual(of.group_reserves, [0, 0, 320, 320]);
    // 2,600 less 1,200 of equity and 1,000 of result; 20 % of it are others', and 65 are of goodwill.
    assert.deepEqual(of.translation_difference, [0, 400, -15, 385]);
    assert.deepEqual(of.minorities, [0, 0, 520, 520]);
    const { assets, equity_and_liabilities } = summary as Record<string, number>;
    assert.equal(assets, equity_and_liabilities);
    assert.deepEqual(warnings, []);
    const { summary: balance } = await group.parent.report('consolidated-trial-balance', DAY);
    assert.deepEqual(balance, { amount: 0, amounts: [0, 0, 0] });
    const pl = await amounts('consolidated-pl', YEAR);
    assert.deepEqual(pl.of['1'], [0, 1000, 0, 1000]);
    assert.deepEqual(pl.summary, { result: 1000, parent_result: 800, minority_result: 200 });
  });

  it('show what is left between two companies at these rates', async () => {
    // The average of March is 1.1; what is owed is translated at 1: 242 receivable against 266.20 payable.
    await trade(group.parent, group.subsidiary, 200, 220);
    const pl = await amounts('consolidated-pl', YEAR);
    assert.equal(pl.of.differences, undefined);
    assert.deepEqual(pl.warnings, []);
    const { of, summary, warnings } = await amounts('consolidated-balance-sheet', DAY);
    assert.deepEqual(of.differences, [0, 0, 24.2, 24.2]);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['group_difference'],
    );
    const { assets, equity_and_liabilities } = summary as Record<string, number>;
    assert.equal(assets, equity_and_liabilities);
  });
});

describe('members of a group with another fiscal year', () => {
  const app = useApp();

  it("count in the parent's, from their own books of its days", async () => {
    const parent = await openParent(app);
    const subsidiary = await found(app, 'Filial', { fiscalYearStart: '07-01' });
    await take(parent, subsidiary, { joinedOn: '2025-07-01' });
    await subsidiary.entry('2025-10-01', { '572': 100, '700': -100 });
    await subsidiary.entry('2026-02-01', { '572': 50, '700': -50 });
    const pl = await parent.report('consolidated-pl', 'from=2026-01-01&to=2026-06-30');
    assert.deepEqual(pl.summary, { result: 50, parent_result: 50, minority_result: 0 });
    const { data, summary } = await parent.report('consolidated-balance-sheet', 'to=2026-06-30');
    const of = headingAmounts((data as { sections: never[] }).sections);
    assert.deepEqual(of['A-1.VII'], [0, 50, 0, 50]);
    assert.deepEqual(of.group_reserves, [0, 0, 100, 100]);
    assert.deepEqual(summary, { assets: 150, equity_and_liabilities: 150, result: 50 });
  });
});
