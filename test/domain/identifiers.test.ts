import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isIban, isSpanishTaxId, normalizeTaxId, withoutSpanishPrefix } from '../../domain/identifiers.ts';

describe('identifiers', () => {
  it('knows tax ids of persons, foreigners, companies and public bodies', () => {
    for (const valid of [
      '12345678Z',
      'X1234567L',
      'Y1234567X',
      'Z1234567R',
      'B12345674',
      'A58818501',
      'Q2826000H',
      'ESB12345674',
    ]) {
      assert.ok(isSpanishTaxId(valid), valid);
    }
    for (const wrong of [
      '12345678A',
      'X1234567A',
      'B12345678',
      'Q28260008',
      '1234567Z',
      'B1234567',
      '',
      'B12345674X',
      'I12345674',
    ]) {
      assert.ok(!isSpanishTaxId(wrong), wrong);
    }
    assert.equal(normalizeTaxId(' b-12.345.674 '), 'B12345674');
    assert.deepEqual(['ESB12345674', 'B12345674', 'ES1'].map(withoutSpanishPrefix), ['B12345674', 'B12345674', 'ES1']);
  });

  it('takes one letter for each number of a person', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), (number) => {
        const digits = String(number).padStart(8, '0');
        const valid = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((letter) => isSpanishTaxId(digits + letter));
        assert.equal(valid.length, 1);
      }),
    );
  });

  it('finds every single wrong digit of an IBAN', () => {
    const iban = 'ES9121000418450200051332';
    assert.ok(isIban(iban));
    assert.ok(isIban('DE89370400440532013000'));
    assert.ok(!isIban('ES912100041845020005133'));
    fc.assert(
      fc.property(fc.integer({ min: 2, max: iban.length - 1 }), fc.integer({ min: 1, max: 9 }), (place, added) => {
        const digit = (Number(iban[place]) + added) % 10;
        assert.ok(!isIban(iban.slice(0, place) + digit + iban.slice(place + 1)));
      }),
    );
  });
});
