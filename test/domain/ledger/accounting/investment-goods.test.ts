import assert from 'node:assert/strict';
import {
  disposalDifference,
  type InvestmentGood,
  lastYear,
  yearlyDifference,
} from '../../../../domain/ledger/accounting/investment-goods.ts';

const LATHE: InvestmentGood = { acquired: 2026, years: 5, tax: '2100', percent: '80' };

describe('the regularisation of investment goods', () => {
  it('begins the year after the purchase, and ends with the last of its years', () => {
    const years = [2026, 2027, 2030, 2031].map((year) => yearlyDifference(LATHE, year, '50', 2));
    assert.deepEqual(years, ['0', '-126', '-126', '0']);
    assert.equal(lastYear({ ...LATHE, years: 10 }), 2035);
  });

  it('needs more than ten points', () => {
    assert.equal(yearlyDifference(LATHE, 2027, '90', 2), '0');
    assert.equal(yearlyDifference(LATHE, 2027, '91', 2), '46.2');
    assert.equal(yearlyDifference({ ...LATHE, years: 10 }, 2027, '91', 2), '23.1');
  });

  it('deducts the rest of the years when it is sold, up to the tax of the sale, or gives it back', () => {
    assert.equal(disposalDifference(LATHE, 2028, '1000', 2), '252');
    assert.equal(disposalDifference(LATHE, 2028, '210', 2), '210');
    assert.equal(disposalDifference(LATHE, 2028, null, 2), '-1008');
    assert.equal(disposalDifference(LATHE, 2026, null, 2), '-1680');
  });
});
