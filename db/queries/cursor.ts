/**
 * Cursors of lists: a page begins after a certain row, wherever that is by then, so that rows which come or go meanwhile neither hide nor
 * repeat others. A cursor has the values by which the list sorts, of the last row of the page before.
 */
import { isDay } from '../../domain/days.ts';
import { ServiceError } from '../../domain/errors.ts';
import { isUuid } from '../ids.ts';
import { fieldColumn } from './conditions.ts';
import { both, either, type Fragment, fragment } from './fragments.ts';
import type { ListDefinition, ListQuery } from './list.ts';
import type { FieldType } from './list-values.ts';

/** A place in a list. */
export interface Cursor {
  /** Values of the sort keys as PostgreSQL writes them; null for none. */
  readonly values: readonly (string | null)[];
  /** Value of the unique last sort key. */
  readonly key: string;
}

export const MAX_CURSOR = 4000;

/** PostgreSQL types of what lists sort by. */
const TYPES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  number: 'numeric',
  integer: 'bigint',
  boolean: 'boolean',
  date: 'date',
  instant: 'timestamptz',
  uuid: 'uuid',
  choice: 'text',
  choices: 'jsonb',
};

/** The order of a list, which a cursor belongs to. */
function orderName({ sort }: Pick<ListQuery, 'sort'>): string {
  return sort.map(({ field, descending }) => `${descending ? '-' : ''}${field}`).join(',');
}

/** Writes a cursor as clients carry it. */
export function writeCursor(query: Pick<ListQuery, 'sort'>, { values, key }: Cursor): string {
  return Buffer.from(JSON.stringify([orderName(query), key, ...values])).toString('base64url');
}

/**
 * Reads a cursor.
 * @param text empty for the beginning
 * @returns null for the beginning
 * @throws ServiceError invalid_parameter unless it is one of a list in the same order
 */
export function readCursor(definition: ListDefinition, query: Pick<ListQuery, 'sort'>, text: string): Cursor | null {
  if (text === '') return null;
  const parts = fromJson(Buffer.from(text, 'base64url').toString());
  const [order, key, ...values]: unknown[] = Array.isArray(parts) ? parts : [];
  const areTexts = values.every((value) => value === null || typeof value === 'string');
  if (typeof order !== 'string' || typeof key !== 'string' || !areTexts) {
    refuse('must be empty, or next_cursor of the page before');
  }
  if (order !== orderName(query) || values.length !== query.sort.length) {
    refuse(`is of a list sorted by ${order}: begin again with an empty cursor, or sort in the same way`);
  }
  const texts = values as (string | null)[];
  const fits = texts.every((value, index) => value === null || isWritten(sortType(definition, query, index), value));
  if (!fits || key.includes('\0')) refuse('must be empty, or next_cursor of the page before');
  return { values: texts, key };
}

/** Values of each type as PostgreSQL writes them. */
const WRITTEN: Readonly<Record<string, RegExp>> = {
  numeric: /^-?\d{1,30}(\.\d{1,20})?$/,
  bigint: /^-?\d{1,18}$/,
  boolean: /^(true|false)$/,
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  timestamptz: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) [0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,6})?\+00$/,
};

function isWritten(type: string, value: string): boolean {
  if (value.includes('\0')) return false;
  if (type === 'uuid') return isUuid(value);
  if (type === 'jsonb') return fromJson(value) !== undefined;
  if (type === 'date' || type === 'timestamptz')
    return WRITTEN[type]?.test(value) === true && isDay(value.slice(0, 10));
  return WRITTEN[type]?.test(value) ?? true;
}

/** The PostgreSQL type of a sort key. */
function sortType(definition: ListDefinition, { sort }: Pick<ListQuery, 'sort'>, index: number): string {
  const declared = definition.fields[sort[index]?.field ?? ''];
  return declared?.asText === true ? 'text' : TYPES[declared?.type ?? 'text'];
}

/** The value of a JSON text; undefined if it is none. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** SQL of the sort keys of a row and its key, all as texts. */
export function cursorColumns(definition: ListDefinition, { sort }: Pick<ListQuery, 'sort'>): string[] {
  const columns = sort.map(({ field }, index) => `(${fieldColumn(definition, field)})::text as sort_${index}`);
  return [...columns, `(${definition.key ?? 'id'})::text as sort_key`];
}

/** The cursor of a row that was read with `cursorColumns`. */
export function cursorAt({ sort }: Pick<ListQuery, 'sort'>, row: Readonly<Record<string, unknown>>): Cursor {
  return { values: sort.map((_, index) => (row[`sort_${index}`] ?? null) as string | null), key: String(row.sort_key) };
}

/** Condition for the rows after a cursor, in the order that `inOrder` of run-list.ts gives them: missing values are the smallest. */
export function afterCursor(definition: ListDefinition, { sort }: Pick<ListQuery, 'sort'>, cursor: Cursor): Fragment[] {
  const keys = sort.map(({ field, descending }, index): SortKey => {
    const type = sortType(definition, { sort }, index);
    return { column: `(${fieldColumn(definition, field)})`, type, descending, value: cursor.values[index] ?? null };
  });
  const key = definition.key ?? 'id';
  // The key of rows without ids of their own is a text.
  const keyed = isUuid(cursor.key) ? { column: key, type: 'uuid' } : { column: `(${key})::text`, type: 'text' };
  const all = [...keys, { ...keyed, descending: sort.at(-1)?.descending ?? true, value: cursor.key }];
  const alternatives = all.map((key, index) => {
    const before = all.slice(0, index).map(isSame);
    return both([...before, comesAfter(key)]);
  });
  return [...bound(definition, sort[0], keys[0]), either(alternatives)];
}

/** A bound on the first sort key, at which an index begins; none where missing values come after it. */
function bound(
  definition: ListDefinition,
  by: ListQuery['sort'][number] | undefined,
  key: SortKey | undefined,
): Fragment[] {
  if (by === undefined || key === undefined || key.value === null) return [];
  if (!by.descending) return [compared(key, '>=')];
  return definition.fields[by.field]?.notNull === true ? [compared(key, '<=')] : [];
}

interface SortKey {
  readonly column: string;
  readonly type: string;
  readonly descending: boolean;
  readonly value: string | null;
}

function compared({ column, type, value }: SortKey, sign: '<' | '>' | '>=' | '<=' | '='): Fragment {
  return fragment(`${column} ${sign} ?::text::${type}`, value);
}

function isSame(key: SortKey): Fragment {
  return key.value === null ? fragment(`${key.column} is null`) : compared(key, '=');
}

function comesAfter(key: SortKey): Fragment {
  const { column, descending, value } = key;
  if (value === null) return fragment(descending ? 'false' : `${column} is not null`);
  return descending ? either([compared(key, '<'), fragment(`${column} is null`)]) : compared(key, '>');
}

function refuse(message: string): never {
  throw new ServiceError('invalid_parameter', `cursor ${message}`);
}
