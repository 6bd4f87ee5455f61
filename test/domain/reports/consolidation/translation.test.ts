import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PlacedAccount, PlacedCompany } from '../../../../domain/reports/consolidation/companies.ts';
import { investmentItems } from '../../../../domain/reports/consolidation/investment.ts';
import type { GroupAccount } from '../../../../domain/reports/consolidation/items.ts';
import { OwnLines } from '../../../../domain/reports/consolidation/own-accounts.ts';
import {
  type ForeignAccount,
  translate,
  translationLines,
} from '../../../../domain/reports/consolidation/translation.ts';

const RATES = { closing: '1', joined: '1.25', months: { '2025-06-01': '2', '2026-01-01': '1.1' } } as const;
const LINES = new OwnLines('en');

function account(code: string, type: GroupAccount['type'], end: `${number}`, more: Partial<ForeignAccount> = {}) {
  return { account: { code, name: code, type }, end, year: '0', period: '0', months: [], ...more } as ForeignAccount;
}

/** It has earned 100 in the group before this year, and 1,100 since. */
const ACCOUNTS = [
  account('572', 'asset', '2600'),
  account('400', 'liability', '-400'),
  account('100', 'equity', '-1000'),
  account('113', 'equity', '-100'),
  account('700', 'income', '-1100', {
    year: '-1100',
    period: '-1100',
    months: [
      { month: '2025-06-01', year: '0', period: '0', earlier: '-100' },
      { month: '2026-01-01', year: '-1100', period: '-1100', earlier: '0' },
    ],
  }),
];

function translated(): PlacedAccount[] {
  const amounts = ACCOUNTS.map((one) => ({ account: one.account, ...translate(one, RATES, 2) }));
  return [...amounts, ...translationLines(ACCOUNTS, amounts, RATES, 2, LINES)];
}

describe('the translation of books in another currency', () => {
  it('has a rate for each kind of account, and a difference by which they balance', () => {
    assert.deepEqual(
      translated().map(({ account: { code }, end, year }) => [code, end, year]),
      [
        ['572', '2600', '0'],
        ['400', '-400', '0'],
        ['100', '-800', '0'],
        ['113', '-80', '0'],
        ['700', '-1000', '-1000'],
        // 100 were worth 50 when they were earned, not 80.
        ['group_reserves', '30', '0'],
        ['translation_difference', '-350', '0'],
      ],
    );
  });

  it('takes results of years that are not closed at the rate of the first day, less the difference to their months', () => {
    const open = account('700', 'income', '-1200', ACCOUNTS[4]);
    assert.deepEqual(translate({ ...open, end: '-1200' }, RATES, 2), { end: '-1080', year: '-1000', period: '-1000' });
  });

  it('fails rather than take another rate for a month', () => {
    const months = [{ month: '2026-02-01', year: '1', period: '1' }] as const;
    assert.throws(() => translate(account('700', 'income', '1', { year: '1', months }), RATES, 2), /2026-02-01/);
  });

  it("gives minorities their share of the difference, and has goodwill at the last day's rate", () => {
    const investment = { code: '2403', name: '2403', type: 'asset' } as const;
    const own = { ownershipPercent: '100', mutual: [], investment: null, acquiredEquity: null, rates: null } as const;
    const parent: PlacedCompany = {
      ...own,
      accounts: [{ account: investment, end: '1000', year: '0', period: '0' }],
    };
    const rates = { ...own, rates: RATES, investment, ownershipPercent: '80', acquiredEquity: '800' } as const;
    const member: PlacedCompany = { ...rates, accounts: translated() };
    const { items } = investmentItems(member, parent, { column: 2, places: 2, lines: LINES });
    const amount = (code: string) => items.filter((item) => item.account.code === code).map((item) => item.amount);
    // 1,000 paid for 80 % of 800; 80 % of the 50 earned earlier; 20 % of net assets of 2,200.
    assert.deepEqual(amount('goodwill'), ['450']);
    assert.deepEqual(amount('group_reserves'), ['-30', '-40']);
    assert.deepEqual(amount('translation_difference'), ['-20']);
    assert.deepEqual(amount('minorities'), ['-440']);
  });
});
