/** Reads the values of a table: texts in the format that suits all of them, and Excel's own numbers and times. */

import { isDay } from '../../days.ts';
import type { TableCell } from '../../records/tables/cells.ts';
import type { TableConventions } from '../../records/tables/conventions.ts';
import { readNumber } from '../../records/tables/numbers.ts';
import { readDay } from '../../records/tables/times.ts';

/** The company's own table format, tried first. */
export type TableHints = Pick<TableConventions, 'dateFormat' | 'decimalSign'>;

const DATE_FORMATS = ['dd/MM/yyyy', 'MM/dd/yyyy', 'yyyy/MM/dd'] as const;

/** Reads a cell; undefined if it contains something else. */
export type CellReader = (cell: TableCell) => string | undefined;

/** Builds a reader of dates in the format that fits all texts, otherwise in the company's. Empty texts are ignored. */
export function dayReader(cells: readonly TableCell[], { dateFormat }: TableHints): CellReader {
  const reader = (format: string) => (text: string) => readDay(withoutTime(text), { dateFormat: format });
  const ofText = firstFitting([dateFormat, ...DATE_FORMATS].map(reader), textsAmong(cells));
  return (cell) => (isTime(cell) ? wallDay(cell.wall) : typeof cell === 'string' ? ofText(cell.trim()) : undefined);
}

/**
 * Builds a reader of numbers with the decimal separator that fits all texts, otherwise the company's. Empty texts are
 * ignored.
 */
export function numberReader(cells: readonly TableCell[], { decimalSign }: TableHints): CellReader {
  const reader = (sign: ',' | '.') => (text: string) => {
    const read = readNumber(withoutCurrency(text), { decimalSign: sign } as TableConventions);
    return read === '-0' ? '0' : read;
  };
  const signs = [decimalSign, decimalSign === ',' ? ('.' as const) : (',' as const)];
  const ofText = firstFitting(signs.map(reader), textsAmong(cells));
  const ofNumber = reader('.');
  return (cell) =>
    typeof cell === 'number' ? ofNumber(String(cell)) : typeof cell === 'string' ? ofText(cell.trim()) : undefined;
}

/** The text of a cell; for a failed formula, its error. */
export function cellText(cell: TableCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'object') return String(cell).trim();
  return isTime(cell) ? (wallDay(cell.wall) ?? '') : cell.failed;
}

function textsAmong(cells: readonly TableCell[]): string[] {
  return cells.flatMap((cell) => (typeof cell === 'string' ? cell.trim() : []));
}

function isTime(cell: TableCell): cell is { readonly wall: number } {
  return typeof cell === 'object' && cell !== null && 'wall' in cell;
}

/** Excel can display any number as a time, even beyond the calendar. */
function wallDay(wall: number): string | undefined {
  const time = new Date(wall);
  const day = Number.isNaN(time.getTime()) ? '' : time.toISOString().slice(0, 10);
  return isDay(day) ? day : undefined;
}

type Reader = (text: string) => string | undefined;

/** Parses each different text once: tables have many rows, but few different dates and amounts. */
function firstFitting(readers: readonly Reader[], texts: readonly string[]): Reader {
  const given = new Set(texts);
  given.delete('');
  const known = readers.map(memoize);
  return known.find((read) => [...given].every((text) => read(text) !== undefined)) ?? (known[0] as Reader);
}

function memoize(read: Reader): Reader {
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
