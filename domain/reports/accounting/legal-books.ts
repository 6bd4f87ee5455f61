/**
 * Books that a company presents to the Registro Mercantil within four months of a year's close: article 27 of the Código de Comercio,
 * article 18 of Ley 14/2013, Instrucción of the DGRN of 12 February 2015 (decision 0372).
 */
import { dayInMonth, monthsAfter } from '../../days.ts';
import type { Language } from '../../locale/formats.ts';
import type { Texts } from '../engine/texts.ts';

/** Kinds of books, named like their reports. */
export type BookKind = 'journal' | 'inventories-and-accounts';

/** Part of a file that comes in several, from 1. */
export interface FilePart {
  readonly number: number;
  readonly count: number;
}

/** The year of the books, and the company whose they are. */
export interface BookYear {
  readonly year: number;
  readonly taxId: string;
  readonly language: Language;
}

const WORDS: Readonly<Record<BookKind | 'all' | 'of', Texts>> = {
  journal: { en: 'journal', es: 'diario' },
  'inventories-and-accounts': { en: 'inventories-and-accounts', es: 'inventarios-y-cuentas-anuales' },
  all: { en: 'books', es: 'libros' },
  of: { en: 'of', es: 'de' },
};
const MONTHS_TO_PRESENT = 4;

/** The last day to present the books. @param close the last day of the year */
export function presentBy(close: string): string {
  return dayInMonth(monthsAfter(close, MONTHS_TO_PRESENT), Number(close.slice(8)));
}

/**
 * The number of a year's book in the series of its kind, of which each year has one.
 * @param firstYear of the books; null if they are empty
 */
export function bookNumber(year: number, firstYear: number | null): number {
  return Math.max(1, year - (firstYear ?? year) + 1);
}

/** The name of a book's file without its extension, in ASCII whatever the company is called: B12345674-2025-diario-1-de-3. */
export function bookFileName(of: BookYear, kind: BookKind, part: FilePart): string {
  const { number, count } = part;
  return named(of, [WORDS[kind][of.language], ...(count === 1 ? [] : [number, WORDS.of[of.language], count])]);
}

/** The name of the archive without its extension. */
export function booksFileName(of: BookYear, isClosed: boolean): string {
  return named(of, [WORDS.all[of.language], ...(isClosed ? [] : ['provisional'])]);
}

function named({ taxId, year }: BookYear, words: readonly (string | number)[]): string {
  const company = taxId.replaceAll(/[^A-Za-z0-9]/g, '');
  return [...(company === '' ? [] : [company]), year, ...words].join('-');
}
