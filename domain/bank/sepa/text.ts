/** Converts texts for SEPA messages to the Latin letters, digits and signs that every bank accepts. */

/** Letters that are not a base letter with an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
  '€': 'EUR',
  '&': '+',
  _: '-',
};

/**
 * Converts a text to the permitted characters: removes accents, and replaces other characters with blanks. The result
 * neither begins nor ends with a slash, nor contains two in a row: banks refuse these in ids, and read them as codes
 * elsewhere. Never longer than `max`.
 */
export function sepaText(text: string, max: number): string {
  const letters = [...text.slice(0, 4 * max)].map((sign) => LETTERS[sign] ?? sign).join('');
  return letters
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-zA-Z0-9/\-?:().,'+ ]+/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/^[/ ]+/, '')
    .slice(0, max)
    .replace(/[/ ]+$/, '');
}

/** Converts an id of up to 35 characters. */
export function sepaId(text: string): string {
  return sepaText(text, 35);
}
