/**
 * The grammar of lists: `field=value`, `field[gte|lte|gt|lt|ne|in|contains|empty]=…`, `sort=a,-b`, `q`, `page`, `limit`. Parsing accepts
 * only declared fields; running takes one round trip.
 */
import { ServiceError } from '../../domain/errors.ts';
import type { Reader } from '../database.ts';
import { type FieldType, LIST_OPERATORS, type Operator, parseValue, typeOperators } from './list-values.ts';

/** A field that lists may filter and sort by. */
export interface ListField {
  readonly type: FieldType;
  /** SQL of the value; the field's name in snake_case when absent. */
  readonly column?: string;
  /** SQL of the condition for an equal value, with one `?`, if it is more than a comparison; the field then has no other operators. */
  readonly condition?: string;
  /** The allowed words of a `choice`. */
  readonly choices?: readonly string[];
  /** Alternative names of choices. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Whether instants are stored as texts, in UTC with milliseconds. */
  readonly asText?: boolean;
  /** Its part in the index of custom fields. */
  readonly index?: IndexedField;
  /** Whether every row has a value, so that an ordinary index can sort by it. Otherwise missing values sort as the smallest. */
  readonly notNull?: boolean;
  /** SQL of a condition that rows with a number above 0 meet, if an index finds them. */
  readonly aboveZero?: string;
  /** Whether the value is in another table, which the list joins. */
  readonly joined?: boolean;
  readonly sortable?: boolean;
  readonly filterable?: boolean;
  /** Whether `q` searches it. */
  readonly searchable?: boolean;
}

/** A filterable custom field, and the form of its values in the table `custom_field_index`. */
export interface IndexedField {
  readonly fieldId: string;
  /** Beginnings of texts (ordered: complete texts that sort like their values), whole numbers, or numbers in millionths. */
  readonly holds: 'text' | 'ordered text' | 'whole' | 'millionths';
}

export interface ListDefinition {
  readonly fields: Readonly<Record<string, ListField>>;
  /** As in the parameter `sort`; ties are ordered by id. Empty: by id alone, newest first. */
  readonly defaultSort: string;
  /** SQL of the unique last sort key; `id` when absent. */
  readonly key?: string;
  readonly defaultLimit?: number;
  /** Whether it also takes `offset` instead of `page`. */
  readonly offsets?: boolean;
  /** Runs the text search by indexes; if it finds too much, the searchable fields of all rows are compared instead. */
  readonly search?: Search;
}

/** Finds the keys of the first rows that contain a text, among the rows of the unfiltered list. */
export type Search = (reader: Reader, text: SearchedText) => Promise<readonly string[]>;

export interface SearchedText {
  /** For `ilike`. */
  readonly pattern: string;
  /** Pattern of a part of the text that occurs in few others. */
  readonly part: string;
  readonly most: number;
}

export interface ListFilter {
  readonly field: string;
  readonly operator: Operator;
  /** One value; several for `in`; true or false for `empty`. */
  readonly values: readonly (string | number | boolean)[];
}

export interface ListQuery {
  readonly filters: readonly ListFilter[];
  readonly sort: readonly { readonly field: string; readonly descending: boolean }[];
  readonly q: string | undefined;
  readonly page: number;
  readonly limit: number;
  /** Rows before the first of the page. */
  readonly skipped: number;
  /** Where the page begins, as the client wrote it (`cursor.ts`); undefined if they ask by page. */
  readonly cursor?: string;
  /** Whether it equals a request without parameters, the most frequent one. */
  readonly isDefault: boolean;
}

export const MAX_LIMIT = 500;
const DEFAULT_LIMIT = 50;
export const MAX_PAGE = 1_000_000;
export const MAX_SEARCH = 200;
const RESERVED = new Set(['page', 'limit', 'sort', 'q', 'cursor']);

/** Parses the parameters of a list. @throws ServiceError invalid_parameter naming the bad one and the allowed values */
export function parseListQuery(definition: ListDefinition, parameters: Readonly<Record<string, unknown>>): ListQuery {
  const text = (name: string): string | undefined =>
    parameters[name] === undefined ? undefined : String(parameters[name]);
  const q = text('q')?.trim();
  if (q !== undefined && q.length > MAX_SEARCH) refuse(`q must have at most ${MAX_SEARCH} characters`);
  const { defaultSort, defaultLimit = DEFAULT_LIMIT, offsets = false } = definition;
  const names = Object.keys(parameters).filter((name) => !RESERVED.has(name) && !(offsets && name === 'offset'));
  const sort = text('sort') ?? defaultSort;
  const limit = whole('limit', text('limit'), defaultLimit, MAX_LIMIT);
  const offset = offsets ? text('offset') : undefined;
  if (offset !== undefined && text('page') !== undefined) refuse('offset and page cannot be given together');
  const skipped =
    offset === undefined
      ? (whole('page', text('page'), 1, MAX_PAGE) - 1) * limit
      : whole('offset', offset, 0, MAX_PAGE, 0);
  const cursor = text('cursor');
  if (cursor !== undefined && (text('page') !== undefined || offset !== undefined)) {
    refuse('cursor cannot be given together with page or offset');
  }
  return {
    ...(cursor === undefined ? {} : { cursor }),
    filters: names.map((name) => parseFilter(definition, name, String(parameters[name]))),
    sort: parseSort(definition, sort),
    q: q === '' ? undefined : q,
    page: Math.floor(skipped / limit) + 1,
    limit,
    skipped,
    isDefault:
      cursor === undefined &&
      names.length === 0 &&
      !q &&
      sort === defaultSort &&
      skipped === 0 &&
      limit === defaultLimit,
  };
}

/** The operators of a list field. */
export function fieldOperators({ type, condition }: ListField): readonly Operator[] {
  return condition === undefined ? typeOperators(type) : ['eq'];
}

/** The fields by which a list can be filtered. */
export function filterableFields(definition: ListDefinition): string[] {
  return Object.keys(definition.fields).filter((name) => definition.fields[name]?.filterable !== false);
}

/** The fields by which a list can be sorted. */
export function sortableFields(definition: ListDefinition): string[] {
  return Object.keys(definition.fields).filter((name) => definition.fields[name]?.sortable !== false);
}

function parseFilter(definition: ListDefinition, name: string, value: string): ListFilter {
  const [, field = '', given = 'eq'] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(name) ?? [];
  const declared = Object.hasOwn(definition.fields, field) ? definition.fields[field] : undefined;
  if (declared === undefined || declared.filterable === false) {
    refuse(
      `${name} is not a filter of this list; it takes page, limit, sort, q, ${filterableFields(definition).join(', ')}`,
    );
  }
  const allowed = fieldOperators(declared);
  // Some generated clients write a plain value as name[]=value.
  const operator = LIST_OPERATORS.find((known) => known === (given || 'eq'));
  if (operator === undefined || !allowed.includes(operator)) {
    const operators = allowed.filter((known) => known !== 'eq').join(', ');
    refuse(`${name}: ${field} takes ${operators === '' ? 'no operators' : `the operators ${operators}`}`);
  }
  return { field, operator, values: parseValues(declared, operator, name, value) };
}

function parseValues(field: ListField, operator: Operator, name: string, value: string): (string | number | boolean)[] {
  if (operator === 'empty') return [parseValue({ type: 'boolean' }, name, value)];
  if (operator === 'contains' && field.type !== 'choices') return [value];
  return (operator === 'in' ? value.split(',') : [value]).map((entry) => parseValue(field, name, entry.trim()));
}

function parseSort(definition: ListDefinition, value: string): ListQuery['sort'] {
  const allowed = sortableFields(definition);
  if (value === '' && definition.defaultSort === '') return [];
  return value.split(',').map((entry) => {
    const descending = entry.startsWith('-');
    const field = descending ? entry.slice(1) : entry;
    if (!allowed.includes(field)) refuse(`sort: "${field}" is not a field to sort by; use ${allowed.join(', ')}`);
    return { field, descending };
  });
}

function whole(name: string, value: string | undefined, fallback: number, max: number, min = 1): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    refuse(`${name} must be a whole number from ${min} to ${max}`);
  }
  return number;
}

function refuse(message: string): never {
  throw new ServiceError('invalid_parameter', message);
}
