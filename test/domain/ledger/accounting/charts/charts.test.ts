/** Each chart is a tree with an account for every role, and its taxes, groups and forms fit it. */
import assert from 'node:assert/strict';
import { DEFAULT_PARTNER_GROUPS } from '../../../../../domain/access/companies/defaults.ts';
import { ACCOUNT_GROUPS, type AccountType } from '../../../../../domain/ledger/accounting/charts/chart.ts';
import { CHART_CODES, CHARTS, chartFor, chartNamed } from '../../../../../domain/ledger/accounting/charts/index.ts';
import { GENERAL_VAT } from '../../../../../domain/ledger/accounting/charts/taxes/index.ts';
import { ACCOUNT_ROLES, type AccountRole } from '../../../../../domain/ledger/accounting/roles.ts';

const ROLES = Object.keys(ACCOUNT_ROLES) as AccountRole[];
const TAXED = ['ES', 'FR', 'PT', 'DE', 'IT'];

/** Types that the accounts of a role may have; those of other roles are assets, liabilities or both by chart. */
const TYPES: Partial<Record<AccountRole, AccountType>> = {
  ...{ receivable: 'asset', payable: 'liability', payableServices: 'liability', payableAssets: 'liability' },
  ...{ salesGoods: 'income', salesServices: 'income', salesReturns: 'income', purchaseReturns: 'expense' },
  ...{ purchaseGoods: 'expense', purchaseServices: 'expense', outputTax: 'liability', inputTax: 'asset' },
  ...{ bank: 'asset', cash: 'asset', bankCharges: 'expense', writeOffLoss: 'expense', writeOffGain: 'income' },
  ...{ exchangeLoss: 'expense', exchangeGain: 'income', stock: 'asset', stockVariation: 'expense' },
  ...{ wages: 'expense', severance: 'expense', employerContributions: 'expense', yearResult: 'equity' },
  ...{ costVariance: 'expense', wagesPayable: 'liability', socialSecurityPayable: 'liability' },
};

describe('charts of accounts', () => {
  it('have codes of their own, the first of a country for its companies', () => {
    assert.equal(new Set(CHART_CODES).size, CHARTS.length);
    assert.deepEqual(
      ['ES', 'FR', 'PT', 'DE', 'US'].map((country) => chartFor(country).code),
      ['es-pgc-pymes', 'fr-pcg', 'pt-snc', 'de-skr04', 'neutral'],
    );
    assert.equal(chartNamed(undefined).code, 'es-pgc-pymes');
    for (const chart of CHARTS) assert.equal(chartNamed(chart.code), chart);
  });

  for (const chart of CHARTS) {
    const byCode = new Map(chart.accounts.map((account) => [account.code, account]));

    it(`${chart.code} is a tree of unique codes with headings above accounts`, () => {
      assert.equal(byCode.size, chart.accounts.length);
      const seen = new Set<string>();
      for (const { code, name, type, parent } of chart.accounts) {
        assert.match(name, /^\S.*\S$/, code);
        assert.ok(['asset', 'liability', 'equity', 'income', 'expense'].includes(type), code);
        assert.match(code, /^[0-9]{1,8}$/);
        assert.ok(parent === null ? code.length === 1 : seen.has(parent) && code.startsWith(parent), code);
        seen.add(code);
      }
    });

    it(`${chart.code} has an account of the right type for each role`, () => {
      for (const role of ROLES) {
        const account = byCode.get(chart.roles[role]);
        assert.equal(account?.isHeading, false, `${role} ${chart.roles[role]}`);
        assert.equal(account.type, TYPES[role] ?? account.type, role);
      }
      for (const { receivable, payable } of DEFAULT_PARTNER_GROUPS) {
        for (const role of [receivable, payable]) assert.ok(role === null || byCode.has(chart.roles[role]));
      }
    });

    it(`${chart.code} has taxes on its accounts, with a general one, and groups that begin accounts`, () => {
      for (const country of TAXED) {
        const taxes = chart.taxes(country);
        assert.equal(new Set(taxes.map(({ code }) => code)).size, taxes.length);
        assert.ok(taxes.some(({ code }) => GENERAL_VAT.includes(code)));
        for (const { accounts } of taxes) {
          for (const code of Object.values(accounts)) assert.equal(byCode.get(code)?.isHeading, false, code);
        }
      }
      const codes = [...byCode.keys()];
      for (const group of ACCOUNT_GROUPS) {
        for (const beginning of chart.groups[group]) {
          const known = codes.some((code) => code.startsWith(beginning));
          assert.ok(known || chart.code === 'neutral', `${group} ${beginning}`);
        }
      }
    });
  }
});
