/**
 * Converts values to and from table cells in CSV: `readCell` reads what `writeCell` wrote as the same value. Excel stores numbers, dates
 * and booleans natively; texts, lists and JSON are written as here.
 */
import { type Decimal, toNumber } from '../../money.ts';
import type { TableConventions } from './conventions.ts';
import { readNumber, writeNumber } from './numbers.ts';
import { protectText, unprotectText } from './texts.ts';
import { readDay, readInstant, writeDay, writeInstant } from './times.ts';

/**
 * The content of a cell in a file: nothing, a text, or one of Excel's native values: numbers, booleans, times (local time, in milliseconds
 * of a UTC clock) and failed formulas.
 */
export type TableCell = null | string | number | boolean | { readonly wall: number } | { readonly failed: string };

/** `texts` is a list of texts; `json` any other structure. */
export type CellKind = 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'instant' | 'texts' | 'json';

export type CellResult = { readonly value: unknown } | { readonly fault: 'invalid_type' | 'invalid_format' };

/** Formats a value as the text of a cell; empty for null. */
export function writeCell(kind: CellKind, value: unknown, conventions: TableConventions): string {
  if (value === null || value === undefined) return '';
  switch (kind) {
    case 'number':
    case 'integer':
      return writeNumber(value as number | Decimal, conventions);
    case 'boolean':
      return value === true ? 'true' : 'false';
    case 'date':
      return writeDay(String(value), conventions);
    case 'instant':
      return writeInstant(String(value), conventions);
    default:
      return writeText(kind, value);
  }
}

/** Formats a text, list or JSON, protected against being read as a formula. */
export function writeText(kind: 'text' | 'texts' | 'json', value: unknown): string {
  if (kind === 'texts') return protectText(joinTexts(value as readonly unknown[]));
  return protectText(typeof value === 'string' && kind === 'text' ? value : JSON.stringify(value));
}

/**
 * Reads the value of a cell; null for an empty one. Numbers become JSON numbers, exact to 15 digits.
 * @returns the value, or why the text does not fit the kind
 */
export function readCell(kind: CellKind, cell: string, conventions: TableConventions): CellResult {
  if (cell === '') return { value: null };
  switch (kind) {
    case 'text':
      return { value: unprotectText(cell) };
    case 'texts':
      return { value: splitTexts(unprotectText(cell)) };
    case 'json':
      return readJson(unprotectText(cell));
    case 'boolean':
      return readBoolean(cell);
    case 'date':
      return orFault(readDay(cell, conventions), 'invalid_format');
    case 'instant':
      return orFault(readInstant(cell, conventions), 'invalid_format');
    default: {
      const number = readNumber(cell, conventions);
      return orFault(number === undefined ? undefined : toNumber(number), 'invalid_type');
    }
  }
}

function orFault(value: unknown, fault: 'invalid_type' | 'invalid_format'): CellResult {
  return value === undefined ? { fault } : { value };
}

/** Words for booleans in the API, in everyday use, and in Spanish and English spreadsheets. */
const TRUTH: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, sí: true, si: true, s: true, verdadero: true, '1': true },
  ...{ false: false, no: false, n: false, falso: false, '0': false },
};

function readBoolean(cell: string): CellResult {
  const word = cell.trim().toLowerCase();
  return Object.hasOwn(TRUTH, word) ? { value: TRUTH[word] } : { fault: 'invalid_type' };
}

function readJson(cell: string): CellResult {
  try {
    return { value: JSON.parse(cell) as unknown };
  } catch {
    return { fault: 'invalid_format' }; // The caller says where.
  }
}

/** Joins texts with bars; escapes bars and backslashes with a backslash. */
function joinTexts(texts: readonly unknown[]): string {
  return texts.map((text) => String(text).replaceAll(/[\\|]/g, '\\$&')).join('|');
}

function splitTexts(cell: string): string[] {
  const texts = [''];
  for (const [piece] of cell.matchAll(/\\[\\|]|[\s\S]/gu)) {
    if (piece === '|') texts.push('');
    else texts[texts.length - 1] += piece.length === 2 && piece.startsWith('\\') ? piece.slice(1) : piece;
  }
  return texts;
}
