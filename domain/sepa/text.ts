/** Texts in SEPA messages: the Latin letters, digits and signs that every bank takes. */

/** Letters that are no base letter with an accent. */
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

/** A text in the permitted signs: accents are left off, what has no equivalent becomes a blank. Never longer than `max`. */
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

/** The same for an id of up to 35 signs, which must neither begin nor end with a slash, nor have two in a row. */
export function sepaId(text: string): string {
  return sepaText(text, 35)
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/^[/ ]+|[/ ]+$/g, '');
}
