import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { parseDecimal } from '../../../domain/money.ts';

const SPANISH = { locale: 'es-ES', dateFormat: 'dd/MM/yyyy', decimalPrecision: 2, quantityPrecision: 2 };
/** Without the spaces that do not break. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('formats of a reader', () => {
  it('write exactly what binary numbers cannot hold', () => {
    const { amount } = formatsFor(SPANISH, null);
    assert.equal(amount('12345678901234.565'), '12.345.678.901.234,57');
    assert.equal(amount('-0.005'), '-0,01');
    assert.equal(amount('-0.004'), '0,00');
    assert.equal(amount('1234.5'), '1.234,50');
  });

  it('keep every digit of an amount', () => {
    const { amount } = formatsFor({ ...SPANISH, decimalPrecision: 6 }, null);
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (millionths) => {
        const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0');
        const value = `${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
        assert.equal(amount(parseDecimal(value).toFixed(6)).replaceAll('.', '').replace(',', '.'), value);
      }),
    );
  });

  it('give prices the decimals they need, from those of amounts up to six, and quantities no more than they have', () => {
    const { price, quantity } = formatsFor(SPANISH, null);
    assert.deepEqual((['1', '1.5', '0.1250', '1.000001'] as const).map(price), ['1,00', '1,50', '0,125', '1,000001']);
    assert.deepEqual((['2', '2.50', '1000.25'] as const).map(quantity), ['2', '2,5', '1.000,25']);
    assert.equal(formatsFor({ ...SPANISH, decimalPrecision: 0 }, null).price('3'), '3');
  });

  it('write percentages and money as the language does', () => {
    const [spanish, english] = [formatsFor(SPANISH, null), formatsFor(SPANISH, 'en')];
    assert.equal(plain(spanish.percent('5.2')), '5,2 %');
    assert.equal(english.percent('33.3333'), '33.3333%');
    assert.equal(plain(spanish.money('1234.5', 'EUR')), '1.234,50 €');
    assert.equal(english.money('-1234.5', 'EUR'), '-€1,234.50');
    assert.equal(english.country('DE'), 'Germany');
    assert.equal(spanish.country('no country'), 'no country');
  });

  it("use the company's form of days for its own language, else one that cannot be misread", () => {
    const day = (locale: string, dateFormat: string, reader: string | null) =>
      formatsFor({ ...SPANISH, locale, dateFormat }, reader).day('2026-02-03');
    assert.equal(day('es-ES', 'dd/MM/yyyy', null), '03/02/2026');
    assert.equal(day('es-ES', 'yyyy-MM-dd', 'es'), '2026-02-03');
    assert.equal(day('en-US', 'MM/dd/yy', null), '02/03/26');
    assert.equal(day('es-ES', 'dd/MM/yyyy', 'en'), '03 Feb 2026');
    assert.equal(day('es-ES', 'dd/MM/yyyy', 'de'), '03.02.2026');
  });

  it('are those of the reader, else of the company; without texts in a language they are English', () => {
    const language = (reader: string | null, locale = 'es-ES') => formatsFor({ ...SPANISH, locale }, reader).language;
    assert.equal(language(null), 'es');
    assert.equal(language('not a language'), 'es');
    assert.equal(language('ca'), 'es');
    assert.equal(language('en-US'), 'en');
    assert.equal(language(null, 'fr-FR'), 'en');
    assert.equal(formatsFor(SPANISH, 'de').amount('1234.5'), '1.234,50');
    assert.equal(plain(formatsFor({ ...SPANISH, locale: 'fr-FR' }, null).amount('1234.5')), '1 234,50');
    assert.equal(formatsFor(SPANISH, 'ar-EG').quantity('12'), '12');
  });
});
