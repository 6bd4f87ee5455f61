import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toAmount } from '../../../../services/trade/search/search.ts';

describe('the amount in a search', () => {
  it('is read with a point or a comma, and with or without groups of thousands', () => {
    for (const [text, amount] of [
      ['121', '121.0'],
      ['121.5', '121.5'],
      ['121,50', '121.50'],
      ['1.234,50 €', '1234.50'],
      ['1,234.50', '1234.50'],
      ['1.234', '1234.0'],
      ['-12,1', '-12.1'],
    ]) {
      assert.equal(toAmount(String(text)), amount);
    }
  });

  it('is not read where there is none', () => {
    for (const text of ['SINV2026-1', 'oranges', '12 boxes', '1.2.3', '', '.5', "1'; drop", '1e5'])
      assert.equal(toAmount(text), null);
  });
});
