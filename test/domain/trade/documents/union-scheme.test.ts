/** Who is a consumer of another member state, and what an invoice says of its tax (decision 0376). */
import assert from 'node:assert/strict';
import { EU_MEMBERS } from '../../../../domain/identifiers.ts';
import { UNION } from '../../../../domain/ledger/accounting/charts/taxes/union.ts';
import { decimal } from '../../../../domain/money.ts';
import { taxOperation } from '../../../../domain/trade/documents/operations.ts';
import { type Customer, consumptionState, unionSchemeText } from '../../../../domain/trade/documents/union-scheme.ts';

describe('the Union scheme', () => {
  it('taxes goods where they arrive, and services where the consumer is', () => {
    const state = (customer: Partial<Customer>, goods = true) =>
      consumptionState({ taxId: null, country: 'ES', billing: null, shipping: null, ...customer }, goods);
    assert.deepEqual([state({ country: 'FR' }), state({ country: 'FR' }, false)], ['FR', 'FR']);
    const sentOn = { country: 'FR', shipping: 'DE' };
    assert.deepEqual([state(sentOn), state(sentOn, false)], ['DE', 'FR']);
    assert.equal(state({ country: 'FR', billing: 'IT' }), 'IT');
    assert.deepEqual([state({ taxId: '12345678Z', shipping: 'PT' }), state({ taxId: '12345678Z' })], ['PT', null]);
    const business = { taxId: 'FR12345678901', country: 'FR' };
    assert.deepEqual(
      [state(business), state({ country: 'US' }), state({ country: 'FR', shipping: 'ES' })],
      [null, null, null],
    );
  });

  it('has operations of its own, by the tax', () => {
    const tax = { kind: 'vat', consumptionCountry: 'FR' } as const;
    const operations = [true, false].map((goods) => taxOperation('sales', tax, 'general', goods));
    assert.deepEqual(operations, ['oss_goods', 'oss_services']);
  });

  it('begins with a standard rate of each of the other states, and their reduced ones', () => {
    const standard = UNION.taxes.filter(({ rateKind }) => rateKind === 'standard');
    assert.deepEqual(standard.map(({ consumptionCountry }) => consumptionCountry).sort(), [...EU_MEMBERS].sort());
    for (const { consumptionCountry, rate } of UNION.taxes) {
      const highest = standard.find((tax) => tax.consumptionCountry === consumptionCountry)?.rate ?? '0';
      assert.ok(decimal(rate).lte(highest), consumptionCountry);
    }
    assert.equal(new Set(UNION.taxes.map(({ code }) => code)).size, UNION.taxes.length);
    const finland = UNION.taxes.filter(({ consumptionCountry }) => consumptionCountry === 'FI');
    assert.deepEqual(
      finland.map(({ name }) => name),
      ['IVA de Finlandia 25,5 %', 'IVA de Finlandia 10 %', 'IVA de Finlandia 13,5 %'],
    );
  });

  it('is named on invoices with the states', () => {
    assert.equal(unionSchemeText([], 'es'), null);
    assert.equal(
      unionSchemeText(['FR', 'DE', 'FR'], 'es'),
      'Régimen especial de ventanilla única (OSS): IVA de DE, FR',
    );
  });
});
