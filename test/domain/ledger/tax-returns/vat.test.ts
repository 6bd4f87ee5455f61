/** VAT by kind and rate. */
import assert from 'node:assert/strict';
import { vatRows, vatSummary } from '../../../../domain/ledger/tax-returns/vat.ts';
import { taxTotal } from '../../../helpers/tax-totals.ts';

describe('VAT of a period', () => {
  const rows = vatRows([
    taxTotal('output', 1000, { operation: 'surcharge' }),
    taxTotal('surcharge', 1000, { operation: 'surcharge', rate: '5.2' }),
    taxTotal('output', 400, { operation: 'intra_eu_goods', use: 'current' }),
    taxTotal('output', 100, { operation: 'intra_eu_goods', use: 'none' }),
    taxTotal('input', 400, { operation: 'intra_eu_goods' }),
    taxTotal('input', 100, { operation: 'intra_eu_goods', use: 'none' }),
    taxTotal('input', -50, { rate: '10', rectifying: true }),
    taxTotal('withholding', 300, { rate: '15' }),
  ]);

  it('has a row for each tax, rate and operation, with the surcharge beside its tax', () => {
    const shown = rows.map(({ kind, operation, use, rectifying, base, amount, surcharge }) =>
      [kind, operation, use, rectifying, base, amount, surcharge].join(' '),
    );
    // 21 % of 1,000 with 5.2 % of it; 21 % of 500 that the company owes itself, of which 100 are for nothing that it could deduct.
    assert.deepEqual(shown, [
      'repercutido intra_eu_goods  false 500 105 0',
      'repercutido surcharge  false 1000 210 52',
      'soportado intra_eu_goods current false 400 84 0',
      'soportado intra_eu_goods none false 100 21 0',
      'soportado domestic current true -50 -5 0',
    ]);
  });

  it('adds up tax charged, deducted and lost', () => {
    // 210 + 105 + 52 − (84 − 5) = 288
    const { repercutido, soportado, notDeductible, balance } = vatSummary(rows);
    assert.deepEqual(repercutido, { base: '1500', amount: '315', surcharge: '52' });
    assert.deepEqual(soportado, { base: '350', amount: '79', surcharge: '0' });
    assert.deepEqual([notDeductible.amount, balance], ['21', '288']);
  });
});
