/** Converts cells to members of a body. */
import type { FieldError } from '../../../domain/errors.ts';
import { readCell } from '../../../domain/records/tables/cells.ts';
import type { TableConventions } from '../../../domain/records/tables/conventions.ts';
import { instantAtWallTime } from '../../../domain/records/tables/times.ts';
import type { ImportColumn } from './columns.ts';
import type { SourceCell } from './source.ts';

type Fault = Pick<FieldError, 'code' | 'message'>;
export type Read = { readonly value: unknown } | { readonly fault: Fault };

/** Numbers in JSON notation, whatever the company's locale. */
const JSON_NUMBERS: Pick<TableConventions, 'decimalSign'> = { decimalSign: '.' };

/**
 * Reads the value of a cell for its column; null if empty. Texts are read in the company's conventions, numbers and dates also in JSON
 * notation. Excel's native values are converted to the column's type.
 */
export function readValue(
  { kind, mayBeEmpty }: ImportColumn,
  cell: SourceCell | undefined,
  conventions: TableConventions,
): Read {
  if (cell === null || cell === undefined) return { value: null };
  if (typeof cell === 'string') {
    if (cell === '') return { value: mayBeEmpty ? '' : null };
    const read = readCell(kind, cell, conventions);
    if (!('fault' in read)) return read;
    const other =
      kind === 'number' || kind === 'integer' ? readCell(kind, cell, { ...conventions, ...JSON_NUMBERS }) : read;
    return 'fault' in other ? { fault: { code: other.fault, message: `must be ${WORDS[kind] ?? 'a value'}` } } : other;
  }
  if (typeof cell === 'object' && 'failed' in cell) {
    return { fault: { code: 'invalid_type', message: `is a formula that fails (${cell.failed})` } };
  }
  const value = typed(kind, cell, conventions);
  return value === undefined
    ? { fault: { code: 'invalid_type', message: `must be ${WORDS[kind] ?? 'a value'}` } }
    : { value };
}

const WORDS: Readonly<Record<string, string>> = {
  number: 'a number',
  integer: 'a number',
  boolean: 'true or false',
  date: 'an existing date',
  instant: 'an existing time',
};

/** Converts a native value of Excel; undefined if the column cannot have such a value. */
function typed(
  kind: string,
  cell: number | boolean | { readonly wall: number },
  conventions: TableConventions,
): unknown {
  if (typeof cell === 'object') {
    const time = new Date(cell.wall);
    // Excel can format any number as a time, even one beyond all calendars.
    if (Number.isNaN(time.getTime())) return undefined;
    const iso = time.toISOString();
    if (kind === 'date' || kind === 'text')
      return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : kind === 'text' ? iso : undefined;
    return kind === 'instant' ? instantAtWallTime(cell.wall, conventions.timezone) : undefined;
  }
  if (kind === 'text') return String(cell);
  if (kind === 'boolean') return cell === true || cell === 1 ? true : cell === false || cell === 0 ? false : undefined;
  return typeof cell === 'number' && (kind === 'number' || kind === 'integer') ? cell : undefined;
}
