/** Indirect taxes of Spain's territories: who charges which, and what their companies begin with. */
import assert from 'node:assert/strict';
import { DE_SKR04 } from '../../../../../domain/ledger/accounting/charts/de-skr04.ts';
import { ES_PGC } from '../../../../../domain/ledger/accounting/charts/es-pgc.ts';
import { ES_PGC_PYMES } from '../../../../../domain/ledger/accounting/charts/es-pgc-pymes.ts';
import { generalTaxes, withTaxSet } from '../../../../../domain/ledger/accounting/charts/taxes/index.ts';
import { hasRegime, TAX_SETS, taxSetFor } from '../../../../../domain/trade/documents/tax-sets.ts';
import { VAT_REGIMES } from '../../../../../domain/trade/documents/vat.ts';

describe('tax sets', () => {
  it('are those of a postal code in Spain', () => {
    const codes = ['35001', '38003', '51001', '52006', '28001', '3500', '', null, '35 001'];
    assert.deepEqual(
      codes.map((code) => taxSetFor('ES', code)),
      ['igic', 'igic', 'ipsi', 'ipsi', 'vat', 'vat', 'vat', 'vat', 'vat'],
    );
    assert.equal(taxSetFor('FR', '35000'), 'vat');
  });

  it('have rates of their own, on accounts of Spanish charts', () => {
    const rates = (set: 'igic' | 'ipsi') =>
      withTaxSet(ES_PGC_PYMES, set, 'ES').taxes.flatMap(({ kind, rate }) => (kind === 'vat' ? [rate] : []));
    assert.deepEqual(rates('igic'), ['0', '3', '5', '7', '9.5', '15', '20']);
    assert.deepEqual(rates('ipsi'), ['0.5', '1', '2', '3', '4', '8', '10']);
    for (const chart of [ES_PGC_PYMES, ES_PGC]) {
      for (const set of TAX_SETS) {
        const { accounts, taxes } = withTaxSet(chart, set, 'ES');
        const codes = new Map(accounts.map((account) => [account.code, account]));
        assert.equal(codes.size, accounts.length);
        assert.equal(new Set(taxes.map(({ code }) => code)).size, taxes.length);
        for (const { parent } of accounts) assert.ok(parent === null || codes.has(parent), parent ?? '');
        for (const { accounts: own } of taxes)
          for (const code of Object.values(own)) assert.equal(codes.get(code)?.isHeading, false, code);
      }
    }
  });

  it('have no accounts in charts of other countries, where those of the company serve', () => {
    const { accounts, taxes } = withTaxSet(DE_SKR04, 'igic', 'ES');
    assert.equal(accounts, DE_SKR04.accounts);
    assert.ok(taxes.every((tax) => Object.keys(tax.accounts).length === 0));
  });

  it('have a general rate, except IPSI', () => {
    assert.deepEqual([generalTaxes('igic'), generalTaxes('ipsi'), generalTaxes('vat')[0]], [['IGIC7'], [], 'IVA21']);
  });

  it('know no trade within the Union and no equivalence surcharge, which are of VAT', () => {
    const regimes = VAT_REGIMES;
    const left = (set: (typeof TAX_SETS)[number]) => regimes.filter((regime) => hasRegime(set, regime));
    assert.deepEqual(left('vat'), regimes);
    assert.deepEqual(left('igic'), ['general', 'export', 'reverse_charge', 'agricultural', 'exempt', 'not_subject']);
    assert.deepEqual(left('ipsi'), ['general', 'export', 'reverse_charge', 'exempt', 'not_subject']);
  });
});
