import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expandRange, MAX_SERIALS } from '../../../../domain/trade/stock/serial-numbers.ts';

describe('ranges of serial numbers', () => {
  it('count the digits at the end', () => {
    assert.deepEqual(expandRange({ from: 'A-0098', to: 'A-0101' }), ['A-0098', 'A-0099', 'A-0100', 'A-0101']);
    assert.deepEqual(expandRange({ from: '7', to: '7' }), ['7']);
    assert.deepEqual(expandRange({ from: 'X12Y09', to: 'X12Y10' }), ['X12Y09', 'X12Y10']);
  });

  it('are none without digits, with another beginning or length, backwards, or too long', () => {
    for (const [from, to] of [
      ['A', 'B'],
      ['A1', 'B2'],
      ['A9', 'A10'],
      ['A1', 'A'],
      ['', ''],
    ] as const)
      assert.equal(expandRange({ from, to }), 'form', `${from} to ${to}`);
    assert.equal(expandRange({ from: 'A2', to: 'A1' }), 'order');
    assert.equal(expandRange({ from: '0000', to: '1000' }), 'many');
    assert.equal((expandRange({ from: '0000', to: '0999' }) as string[]).length, MAX_SERIALS);
  });

  it('are as long as they say, all different, and of one length (property)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 999 }), (first, more) => {
        const text = (value: number) => `S${String(value).padStart(12, '0')}`;
        const numbers = expandRange({ from: text(first), to: text(first + more) }) as string[];
        assert.equal(new Set(numbers).size, more + 1);
        assert.ok(numbers.every((number) => number.length === 13));
      }),
    );
  });
});
