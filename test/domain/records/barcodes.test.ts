import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkDigit, isGtin } from '../../../domain/records/barcodes.ts';

describe('barcodes', () => {
  it('of goods end in their check digit', () => {
    for (const code of ['5901234123457', '96385074', '036000291452', '10012345678902']) assert.ok(isGtin(code), code);
    for (const code of ['5901234123458', '590123412345', 'ABC', '', '59012341234570', '５901234123457'])
      assert.ok(!isGtin(code), code);
  });

  it('with one wrong digit are found (property)', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(digits, fc.nat(12), fc.integer({ min: 1, max: 9 }), (twelve, place, more) => {
        const code = [...twelve, Number(checkDigit(twelve.join('')))];
        assert.ok(isGtin(code.join('')));
        code[place] = ((code[place] as number) + more) % 10;
        assert.ok(!isGtin(code.join('')));
      }),
    );
  });
});
