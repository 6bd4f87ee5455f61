/** Detects the date and number format of a table: the one in which all of its values make sense. */
import type { TableConventions } from '../tables/conventions.ts';
import { readNumber } from '../tables/numbers.ts';
import { readDay } from '../tables/times.ts';

/** The company's own format of tables; tried first. */
export type TableHints = Pick<TableConventions, 'dateFormat' | 'decimalSign'>;

const DATE_FORMATS = ['dd/MM/yyyy', 'MM/dd/yyyy', 'yyyy/MM/dd'] as const;

/** Reads dates in the format that fits all texts, else in the company's. Empty texts are ignored. */
export function dayReader(texts: readonly string[], { dateFormat }: TableHints): (text: string) => string | undefined {
  const reader = (format: string) => (text: string) => readDay(withoutTime(text), { dateFormat: format });
  return firstFitting([dateFormat, ...DATE_FORMATS].map(reader), texts);
}

/** Reads numbers with the decimal separator that fits all texts, else the company's. Empty texts are ignored. */
export function numberReader(
  texts: readonly string[],
  { decimalSign }: TableHints,
): (text: string) => string | undefined {
  const reader = (sign: ',' | '.') => (text: string) => {
    const read = readNumber(withoutCurrency(text), { decimalSign: sign } as TableConventions);
    return read === '-0' ? '0' : read;
  };
  return firstFitting([decimalSign, decimalSign === ',' ? ('.' as const) : (',' as const)].map(reader), texts);
}

type Reader = (text: string) => string | undefined;

/** Tables have many rows, but few different dates and amounts: each text is parsed once. */
function firstFitting(readers: readonly Reader[], texts: readonly string[]): Reader {
  const given = new Set(texts);
  given.delete('');
  const known = readers.map(memoized);
  return known.find((read) => [...given].every((text) => read(text) !== undefined)) ?? (known[0] as Reader);
}

function memoized(read: Reader): Reader {
  const known = new Map<string, string | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, read(text));
    return known.get(text);
  };
}

function withoutTime(text: string): string {
  return text.slice(0, 40).replace(/[T ]\d{1,2}:\d{2}(:\d{2})?.*$/, '');
}

/** Handles "1.234,50 €", "EUR 12.00", and a sign after the digits ("12,00-"). */
function withoutCurrency(text: string): string {
  const plain = text
    .slice(0, 60)
    .replaceAll(/€|\b[A-Z]{3}\b/g, '')
    .trim();
  return plain.endsWith('-') ? `-${plain.slice(0, -1).trim()}` : plain;
}
