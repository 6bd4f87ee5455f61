import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  decimal,
  decimalPlaces,
  isZero,
  parseDecimal,
  round,
  roundedNumber,
  sum,
  toNumber,
} from '../../domain/money.ts';

describe('money', () => {
  it('rounds half away from zero', () => {
    assert.deepEqual(
      (['0.005', '-0.005', '1.005', '2.5', '-2.5'] as const).map((value) =>
        round(value, value.startsWith('2') || value.startsWith('-2') ? 0 : 2),
      ),
      ['0.01', '-0.01', '1.01', '3', '-3'],
    );
  });

  it('rounds stored decimals alike, whether or not they have more digits than are shown', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.nat({ max: 6 }),
        fc.nat({ max: 6 }),
        (units, scale, places) => {
          const value = round(decimal(units).div(10 ** scale), 6);
          for (const stored of [value, decimal(value).toFixed(6)]) {
            assert.equal(roundedNumber(stored, places), toNumber(round(stored, places)));
          }
        },
      ),
    );
    assert.throws(() => toNumber('abc' as never));
  });

  it('tells zero by its digits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -200, max: 200 }),
        fc.nat({ max: 6 }),
        fc.nat({ max: 8 }),
        (units, scale, places) => {
          const value = decimal(units).div(10 ** scale);
          assert.equal(isZero(value.toFixed()), units === 0);
          assert.equal(isZero(value.toFixed(scale + places)), units === 0);
        },
      ),
    );
    assert.ok(isZero('-0.00') && isZero('00') && isZero('0.'));
  });

  it('takes a JSON number for the digits it is written with', () => {
    assert.equal(decimal(0.1).plus(0.2).toFixed(), '0.3');
    assert.equal(decimal(1e-7).toFixed(), '0.0000001');
    assert.equal(decimal(1e21).toFixed(), '1000000000000000000000');
  });

  it('refuses what is no number', () => {
    for (const value of ['', 'abc', '1,5']) assert.throws(() => parseDecimal(value));
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => decimal(value));
  });

  it('counts decimals without trailing zeros', () => {
    assert.deepEqual((['1', '1.50', '0.000001', 1e-7] as const).map(decimalPlaces), [0, 1, 6, 7]);
  });

  it('sums exactly, in any order, and survives the way to JSON and back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), (cents) => {
        const values = cents.map((cent) => decimal(cent).div(100).toFixed());
        const expected = decimal(cents.reduce((total, cent) => total + cent, 0))
          .div(100)
          .toFixed();
        assert.equal(sum(values).toFixed(), expected);
        assert.equal(sum([...values].reverse()).toFixed(), expected);
        for (const value of values) assert.equal(decimal(JSON.parse(JSON.stringify(toNumber(value)))).toFixed(), value);
      }),
    );
  });
});
