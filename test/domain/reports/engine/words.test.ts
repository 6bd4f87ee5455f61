import assert from 'node:assert/strict';
import { DEPRECIATION_METHODS } from '../../../../domain/ledger/assets/types.ts';
import { WORDS, wordsFor } from '../../../../domain/reports/engine/words.ts';
import { TAX_OPERATIONS } from '../../../../domain/trade/documents/operations.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import { PAYMENT_METHODS } from '../../../../domain/trade/payments/types.ts';

describe('the words of reports', () => {
  it('name every tax operation, method of payment and depreciation, and type of document', () => {
    const known = (column: string) => new Set(Object.keys(WORDS[column] ?? {}));
    assert.deepEqual(known('regime'), new Set(TAX_OPERATIONS));
    assert.deepEqual(known('method'), new Set([...PAYMENT_METHODS, ...DEPRECIATION_METHODS]));
    const movements = ['stock_adjustment', 'stock_transfer', 'stock_assembly', 'landed_cost'];
    assert.deepEqual(
      known('document_type'),
      new Set([...DOC_TYPES.map((type) => DOCUMENT_TYPES[type].name), ...movements]),
    );
  });

  it('are those of the language', () => {
    assert.equal(wordsFor('regime', 'es')?.domestic, 'Interior');
    assert.equal(wordsFor('cost_method', 'en')?.average, 'Average cost');
    assert.equal(wordsFor('name', 'es'), undefined);
    assert.equal(wordsFor('constructor', 'es'), undefined);
  });
});
