import assert from 'node:assert/strict';
import fc from 'fast-check';
import { normalizeBic, normalizeIban, normalizeTaxId } from '../../domain/identifiers.ts';

/** A VAT number of each member of the Union, with its prefix. */
const EU: Readonly<Record<string, string>> = {
  ...{ AT: 'ATU13585627', BE: 'BE0403019261', BG: 'BG175074752', CY: 'CY10259033P', CZ: 'CZ25123891' },
  ...{ DE: 'DE136695976', DK: 'DK13585628', EE: 'EE100931558', GR: 'EL094259216', FI: 'FI20774740' },
  ...{ FR: 'FR40303265045', HR: 'HR33392005961', HU: 'HU12892312', IE: 'IE6433435F', IT: 'IT00743110157' },
  ...{ LT: 'LT119511515', LU: 'LU15027442', LV: 'LV40003521600', MT: 'MT11679112', NL: 'NL004495445B01' },
  ...{ PL: 'PL8567346215', PT: 'PT501964843', RO: 'RO18547290', SE: 'SE123456789701', SI: 'SI50223054' },
  ...{ SK: 'SK2022749619', XI: 'XI980780684' },
};

describe('identifiers', () => {
  it('knows Spanish tax ids of persons, foreigners, companies and public bodies', () => {
    for (const valid of [
      ...['12345678Z', '00000000T', '54362315K', 'X1234567L', 'X2482300W', 'Y1234567X', 'Z1234567R'],
      ...['K1234567L', 'L1234567L', 'M1234567L', 'B12345674', 'A58818501', 'B64717838', 'J99216582'],
      ...['Q2826000H', 'P2807900B', 'N0032484H', 'W8265365J'],
    ]) {
      assert.equal(normalizeTaxId('ES', valid), valid);
      assert.equal(normalizeTaxId('ES', ` es-${valid.toLowerCase()} `), valid);
    }
    for (const wrong of [
      ...['12345678A', '00000000A', 'X1234567A', 'X2482300A', 'Y1234567Z', 'M1234567A', 'B12345678', 'B64717839'],
      ...['Q28260008', 'Q2826000C', '1234567Z', '123456789', 'B1234567', 'A5881850', '', 'B12345674X'],
      ...['I12345674', 'I12345678', 'O1234567L', 'T12345678', 'ESESB12345674'],
    ]) {
      assert.equal(normalizeTaxId('ES', wrong), null, wrong);
    }
    assert.equal(normalizeTaxId('ES', ' b-12.345.674 '), 'B12345674');
    assert.equal(normalizeTaxId('ES', 'B1234567D'), 'B12345674', 'the letter for the same control digit');
  });

  it('takes one letter for each number of a person', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), (number) => {
        const digits = String(number).padStart(8, '0');
        const valid = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter(
          (letter) => normalizeTaxId('ES', digits + letter) !== null,
        );
        assert.equal(valid.length, 1);
      }),
    );
  });

  it('checks VAT numbers by their country and keeps them with their prefix, given with it or not', () => {
    assert.equal(Object.keys(EU).length, 27);
    for (const [country, number] of Object.entries(EU)) {
      assert.equal(normalizeTaxId(country, number), number);
      assert.equal(normalizeTaxId(country, number.slice(2)), number);
      assert.equal(normalizeTaxId(country, number.toLowerCase().replace(/^../, '$& ')), number);
      const mistyped = number.replace(/(?<=^.{5})\d/, (digit) => String((Number(digit) + 1) % 10));
      assert.equal(normalizeTaxId(country, mistyped), null, mistyped);
      assert.equal(normalizeTaxId(country, country), null);
    }
    for (const wrong of ['DE136695977', 'FR136695976', '136695977', 'DEDE136695976']) {
      assert.equal(normalizeTaxId('DE', wrong), null, wrong);
    }
    assert.equal(normalizeTaxId('GR', 'GR094259216'), 'EL094259216');
    assert.equal(normalizeTaxId('GB', 'XI 980 7806 84'), 'XI980780684');
    assert.equal(normalizeTaxId('GB', 'XI980780685'), null);
  });

  it('keeps tax ids of other countries as text', () => {
    assert.equal(normalizeTaxId('GB', 'GB 999 9999 73'), 'GB999999973');
    assert.equal(normalizeTaxId('CH', 'che-123.456.788 mwst'), 'CHE123456788MWST');
    assert.equal(normalizeTaxId('MX', 'ñ&a010101aaa'), 'Ñ&A010101AAA');
    assert.equal(normalizeTaxId('US', ' - '), null);
    assert.equal(normalizeTaxId('US', '9'.repeat(31)), null);
  });

  it('keeps every tax id in a form that is its own', () => {
    const countries = fc.constantFrom('ES', 'US', 'GB', ...Object.keys(EU));
    const likely = fc.string({ unit: fc.constantFrom(...'0123456789ABUXLESI+* .-'), maxLength: 14 });
    fc.assert(
      fc.property(countries, fc.oneof(likely, fc.string({ unit: 'binary' })), (country, text) => {
        const id = normalizeTaxId(country, text);
        if (id !== null) assert.equal(normalizeTaxId(country, id), id);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds every single wrong digit of an IBAN', () => {
    const iban = 'ES9121000418450200051332';
    for (const valid of [iban, 'ES7921000813610123456789', 'DE89370400440532013000', 'GB29NWBK60161331926819']) {
      assert.equal(normalizeIban(valid), valid);
    }
    assert.equal(normalizeIban(' es91 2100 0418 4502 0005 1332 '), iban);
    for (const wrong of ['ES912100041845020005133', 'ES0000000000000000000000', 'ZZ89370400440532013000', '', 'ES']) {
      assert.equal(normalizeIban(wrong), null, wrong);
    }
    fc.assert(
      fc.property(fc.integer({ min: 2, max: iban.length - 1 }), fc.integer({ min: 1, max: 9 }), (place, added) => {
        const digit = (Number(iban[place]) + added) % 10;
        assert.equal(normalizeIban(iban.slice(0, place) + digit + iban.slice(place + 1)), null);
      }),
    );
  });

  it('knows a BIC', () => {
    assert.equal(normalizeBic('caixesbb'), 'CAIXESBB');
    assert.equal(normalizeBic('CAIXESBBXXX'), 'CAIXESBBXXX');
    for (const wrong of ['CAIXESB', 'CAIXZZBB', 'CAIXESBBXX', '']) assert.equal(normalizeBic(wrong), null, wrong);
  });
});
