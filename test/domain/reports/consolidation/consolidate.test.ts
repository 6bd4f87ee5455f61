import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CHARTS, chartNamed } from '../../../../domain/ledger/accounting/charts/index.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import type { PlacedCompany } from '../../../../domain/reports/consolidation/companies.ts';
import { consolidate } from '../../../../domain/reports/consolidation/consolidate.ts';
import type { GroupAccount } from '../../../../domain/reports/consolidation/items.ts';
import { OwnLines } from '../../../../domain/reports/consolidation/own-accounts.ts';
import { groupResult, groupSheet } from '../../../../domain/reports/consolidation/statements.ts';
import { translate, translationLines } from '../../../../domain/reports/consolidation/translation.ts';
import { groupTrialBalance } from '../../../../domain/reports/consolidation/trial-balance.ts';

const account = (code: string, type: GroupAccount['type']): GroupAccount => ({ code, name: code, type });
/** Assets and debts by their balance among them. */
const ACCOUNTS = [
  account('5523', 'asset'),
  account('430', 'asset'),
  account('400', 'liability'),
  account('100', 'equity'),
  account('600', 'expense'),
  account('700', 'income'),
];

const cents = fc.integer({ min: -100_000, max: 100_000 }).map((value) => decimal(value).div(100).toFixed());

/** A company whose books balance: the last account takes the rest. */
function company(amounts: readonly Decimal[], mutual: readonly Decimal[], other: number): PlacedCompany {
  const balances = [...amounts, sum(amounts).neg().toFixed()];
  const accounts = ACCOUNTS.map((each, index) => {
    const amount = balances[index] as Decimal;
    return { account: each, end: amount, year: amount, period: amount };
  });
  return {
    ownershipPercent: '75.5',
    accounts,
    mutual: mutual.map((amount, index) => {
      const own = accounts[index] as (typeof accounts)[number];
      return { account: own.account, end: amount, year: amount, period: amount, other, own };
    }),
    investment: ACCOUNTS[1] as GroupAccount,
    acquiredEquity: '100',
    rates: null,
  };
}

const books = (other: number) =>
  fc
    .tuple(fc.array(cents, { minLength: 5, maxLength: 5 }), fc.array(cents, { minLength: 6, maxLength: 6 }))
    .map(([amounts, mutual]) => company(amounts, mutual, other));

const RATES = { closing: '1.0837', joined: '1.3', months: { '2026-01-01': '1.17', '2025-01-01': '0.9' } } as const;

/** The same company with another currency; half of its results are of the year before. */
function foreign(company: PlacedCompany): PlacedCompany {
  const accounts = company.accounts.map((one) => ({
    ...one,
    months: [
      { month: '2026-01-01', year: one.year, period: one.period, earlier: '0' as const },
      { month: '2025-01-01', year: '0' as const, period: '0' as const, earlier: one.end },
    ],
  }));
  const translated = accounts.map((one) => ({ account: one.account, ...translate(one, RATES, 2) }));
  const lines = translationLines(accounts, translated, RATES, 2, new OwnLines('es'));
  return { ...company, accounts: [...translated, ...lines], rates: RATES };
}

const members = fc.tuple(books(0), fc.boolean()).map(([member, isForeign]) => (isForeign ? foreign(member) : member));

describe('consolidation', () => {
  it('has sums that agree with their parts, whatever the books say', () => {
    fc.assert(
      fc.property(books(1), members, cents, fc.constantFrom(...CHARTS), (parent, member, adjusted, { code }) => {
        const chart = chartNamed(code);
        const whole = { ...parent, ownershipPercent: '100', investment: null, acquiredEquity: null } as PlacedCompany;
        const entered = { end: adjusted, year: adjusted, period: adjusted };
        const against = { end: decimal(adjusted).neg().toFixed(), year: '0', period: '0' } as const;
        const adjustments = [
          { account: ACCOUNTS[4] as GroupAccount, ...entered },
          { account: ACCOUNTS[1] as GroupAccount, ...against },
        ];
        const group = consolidate({ companies: [whole, member], adjustments }, 2, 'es');
        const [assets, liabilities] = groupSheet(group.sheet, chart, 'es');
        assert.deepEqual(assets.amounts, liabilities.amounts);
        const results = groupResult(group.result, 3, chart, 'es');
        for (const { amounts } of [assets, liabilities, ...results])
          assert.equal(sum(amounts.slice(0, -1)).toFixed(), amounts.at(-1));
        const rows = groupTrialBalance(group.trialBalance, 3);
        for (const column of [0, 1, 2, 3])
          assert.equal(sum(rows.map(({ amounts }) => amounts[column] as Decimal)).toFixed(), '0');
        // What is eliminated of income and expense changes no result, but for what was entered.
        assert.ok(decimal(results.at(-1)?.amounts[2] ?? '1').eq(decimal(adjusted).neg()));
      }),
      { numRuns: 60 },
    );
  });
});
