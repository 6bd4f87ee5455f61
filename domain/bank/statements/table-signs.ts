/** Reads the column with the side of unsigned amounts: D/H, Debe/Haber, C/D, Cargo/Abono, + and −. */
import { badStatement } from './statement.ts';

/** 1 for incoming, -1 for outgoing money. */
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
/** Means a charge (cargo) beside A, a credit beside D. */
const AMBIGUOUS = 'c';
const MINUS = ['-', '−', '–'];

/** Whether texts could be those of such a column, with at least one that can mean outgoing money. */
export function mayBeSides(texts: Iterable<string>): boolean {
  let out = false;
  for (const text of texts) {
    const word = normalizeWord(text);
    if (word === '' && text.trim() === '') continue;
    if (word !== AMBIGUOUS && !SIDES.has(word)) return false;
    out ||= SIDES.get(word) !== 1;
  }
  return out;
}

/**
 * Builds a reader of the column's texts. An empty text means plus where minus is the only sign; if all are empty, only
 * below a title of signs.
 * @param title of the column, which decides the meaning of C if no other letter does
 * @returns undefined for a text that is neither side
 * @throws BadStatement unclear_sign when C is ambiguous
 */
export function sideReader(texts: readonly string[], title: string, line: number): (text: string) => Side | undefined {
  const words = new Set(texts.map(normalizeWord));
  const signs = words.size > 1 || /^([+\-−–]|sign)/i.test(title.trim());
  const onlyMinus = signs && [...words].every((word) => word === '' || MINUS.includes(word));
  const ofC = words.has(AMBIGUOUS) ? meaningOfC(words, normalizeWord(title), line) : undefined;
  return (text) => {
    const word = normalizeWord(text);
    if (word === AMBIGUOUS) return ofC;
    return word === '' && onlyMinus ? 1 : SIDES.get(word);
  };
}

function meaningOfC(words: ReadonlySet<string>, title: string, line: number): Side {
  const beside = (some: readonly string[]) => some.some((word) => words.has(word));
  const [charges, credits] = [beside(['a', 'abono', 'h', 'haber']), beside(['d', 'debe', 'debito', 'debit', 'dr'])];
  if (charges !== credits) return charges ? -1 : 1;
  if (!charges && /^(cargo|abono|ca$|ac$)/.test(title)) return -1;
  if (!charges && /^(cd|dc|cr|dr|credit|debit)/.test(title)) return 1;
  throw badStatement('unclear_sign', 'has C, which may be a charge (cargo) or a credit', line, 'sign');
}

/** Removes accents, case, blanks and punctuation; a single sign is kept. */
function normalizeWord(text: string): string {
  const plain = text.slice(0, 40).trim();
  if (/^[+\-−–]$/.test(plain)) return plain;
  return plain
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}
