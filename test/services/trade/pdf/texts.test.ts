import assert from 'node:assert/strict';
import { LANGUAGES } from '../../../../domain/locale/formats.ts';
import { TEXTS } from '../../../../services/trade/pdf/texts/index.ts';

/** Every text with its path, for example titles.SO. */
function entries(texts: object, path = ''): [string, unknown][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' ? entries(value, `${path}${key}.`) : [[path + key, value]],
  );
}

describe('texts of printed documents', () => {
  it('are the same in every language, and none is empty', () => {
    const keys = (language: (typeof LANGUAGES)[number]) => entries(TEXTS[language]).map(([key]) => key);
    for (const language of LANGUAGES) {
      assert.deepEqual(keys(language).sort(), keys('es').sort(), language);
      for (const [key, value] of entries(TEXTS[language])) assert.match(String(value), /\S/, `${language} ${key}`);
    }
  });

  it('differ between the languages where words do', () => {
    const same = entries(TEXTS.es).filter(([key, value]) => new Map(entries(TEXTS.en)).get(key) === value);
    assert.deepEqual(same.map(([key]) => key).sort(), ['account', 'bic', 'no', 'paymentMethods.cheque', 'total']);
  });
});
