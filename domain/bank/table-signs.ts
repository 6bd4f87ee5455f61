/** The column that says which side an unsigned amount is on: D/H, Debe/Haber, C/D, Cargo/Abono, + and −. */
import { badStatement } from './statement.ts';

/** 1 for money that came in, -1 for money that went out. */
export type Side = 1 | -1;

const DEBITS = [
  'd',
  'debe',
  'debito',
  'debit',
  'dbit',
  'dr',
  'deudor',
  'cargo',
  'adeudo',
  'gasto',
  'salida',
  'retirada',
];
const CREDITS = ['h', 'haber', 'credito', 'credit', 'crdt', 'cr', 'a', 'acreedor', 'abono', 'ingreso', 'entrada'];
const SIDES: ReadonlyMap<string, Side> = new Map([
  ...DEBITS.map((word): [string, Side] => [word, -1]),
  ...CREDITS.map((word): [string, Side] => [word, 1]),
  ...(['+'] as const).map((sign): [string, Side] => [sign, 1]),
  ...['-', '−', '–'].map((sign): [string, Side] => [sign, -1]),
]);
/** A charge (cargo) beside A, a credit beside D. */
const AMBIGUOUS = 'c';
const MINUS = ['-', '−', '–'];

/** Whether texts are those of such a column, and some of them may tell that money went out. */
export function tellSides(texts: Iterable<string>): boolean {
  let out = false;
  for (const text of texts) {
    const word = wordOf(text);
    if (word === '' && text.trim() === '') continue;
    if (word !== AMBIGUOUS && !SIDES.has(word)) return false;
    out ||= SIDES.get(word) !== 1;
  }
  return out;
}

/**
 * Reads the column's texts. Where minus is the only sign, nothing means plus; where there is no text at all, only below a title of signs.
 * @param title of the column, which tells what a C is when no other letter does
 * @returns undefined for a text that is neither side
 * @throws BadStatement unclear_sign when C may be either
 */
export function sideReader(texts: readonly string[], title: string, line: number): (text: string) => Side | undefined {
  const words = new Set(texts.map(wordOf));
  const signs = words.size > 1 || /^([+\-−–]|sign)/i.test(title.trim());
  const onlyMinus = signs && [...words].every((word) => word === '' || MINUS.includes(word));
  const ofC = words.has(AMBIGUOUS) ? sideOfC(words, wordOf(title), line) : undefined;
  return (text) => {
    const word = wordOf(text);
    if (word === AMBIGUOUS) return ofC;
    return word === '' && onlyMinus ? 1 : SIDES.get(word);
  };
}

function sideOfC(words: ReadonlySet<string>, title: string, line: number): Side {
  const beside = (some: readonly string[]) => some.some((word) => words.has(word));
  const [charges, credits] = [beside(['a', 'abono', 'h', 'haber']), beside(['d', 'debe', 'debito', 'debit', 'dr'])];
  if (charges !== credits) return charges ? -1 : 1;
  if (!charges && /^(cargo|abono|ca$|ac$)/.test(title)) return -1;
  if (!charges && /^(cd|dc|cr|dr|credit|debit)/.test(title)) return 1;
  throw badStatement('unclear_sign', 'has C, which may be a charge (cargo) or a credit', line, 'sign');
}

/** Without accents, case, blanks and punctuation; a sign of one character as it is. */
function wordOf(text: string): string {
  const plain = text.slice(0, 40).trim();
  if (/^[+\-−–]$/.test(plain)) return plain;
  return plain
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}
