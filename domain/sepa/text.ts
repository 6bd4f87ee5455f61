/** Texts in SEPA messages: the Latin letters, digits and signs that every bank accepts. */

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

/** Converts a text to the permitted characters: accents are dropped, the rest becomes blanks. Never longer than `max`. */
export function sepaText(text: string, max: number): string {
  const letters = [...text.slice(0, 4 * max)].map((sign) => LETTERS[sign] ?? sign).join('');
  return letters
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-zA-Z0-9/\-?:().,'+ ]+/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
    .slice(0, max)
    .trimEnd();
}

/** Converts an id of up to 35 characters, which must neither begin nor end with a slash, nor contain two in a row. */
export function sepaId(text: string): string {
  return sepaText(text, 35)
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/^[/ ]+|[/ ]+$/g, '');
}
