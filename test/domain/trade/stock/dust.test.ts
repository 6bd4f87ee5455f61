import assert from 'node:assert/strict';
import type { Decimal } from '../../../../domain/money.ts';
import { isDust } from '../../../../domain/trade/stock/dust.ts';

describe('dust', () => {
  const dust = (quantities: readonly Decimal[], decimals?: number) => quantities.filter((one) => isDust(one, decimals));

  it('rounds to nothing at the decimals of the unit, and is not nothing', () => {
    assert.deepEqual(dust(['0', '0.000001', '-0.000001', '0.0004', '0.0005', '-0.0005', '1'], 3), [
      '0.000001',
      '-0.000001',
      '0.0004',
    ]);
    assert.deepEqual(dust(['0.000004', '0.00004', '0.0004'], 5), ['0.000004']);
  });

  it('is less than half a thousandth in units of pieces too: half a piece is not dust', () => {
    assert.deepEqual(dust(['0.5', '0.1', '0.004', '0.000333'], 0), ['0.000333']);
    assert.deepEqual(dust(['0.004', '0.000333']), ['0.000333']);
  });
});
