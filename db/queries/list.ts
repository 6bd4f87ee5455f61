/**
 * The grammar of lists: `field=value`, `field[gte|lte|gt|lt|ne|in|contains|empty]=…`, `sort=a,-b`, `q`, `page`, `limit`. Parsing knows only
 * the declared fields; running takes one round trip.
 */
import { ServiceError } from '../../domain/errors.ts';
import type { Reader } from '../database.ts';
import { type FieldType, LIST_OPERATORS, type Operator, parseValue, typeOperators } from './list-values.ts';

/** A field that lists may filter and sort by. */
export interface ListField {
  readonly type: FieldType;
  /** SQL of the value; the field's name in snake_case when absent. */
  readonly column?: string;
  /** SQL of what an equal value means, with one `?`, where it is more than a comparison; it then has no other operators. */
  readonly condition?: string;
  /** The allowed words of a `choice`. */
  readonly choices?: readonly string[];
  /** Choices that stand for others. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Instants that are kept as texts, in UTC with milliseconds. */
  readonly asText?: boolean;
  /** What the index of custom fields has of it. */
  readonly index?: IndexedField;
  /** Whether every row has a value: in its order an ordinary index then serves. Otherwise missing values count as the least. */
  readonly notNull?: boolean;
  /** SQL of what rows fulfil whose number is above 0, where an index finds those. */
  readonly aboveZero?: string;
  /** Whether the value is in another table, which the list joins. */
  readonly joined?: boolean;
  readonly sortable?: boolean;
  readonly filterable?: boolean;
  /** Whether `q` searches it. */
  readonly searchable?: boolean;
}

/** A filterable custom field: which of its values the table `custom_field_index` holds, and how. */
export interface IndexedField {
  readonly fieldId: string;
  /** The beginnings of texts (ordered: whole ones that sort as their values do), whole numbers, or numbers in millionths. */
  readonly holds: 'text' | 'ordered text' | 'whole' | 'millionths';
}

export interface ListDefinition {
  readonly fields: Readonly<Record<string, ListField>>;
  /** As in the parameter `sort`; rows that tie are ordered by id. Empty: by id alone, newest first. */
  readonly defaultSort: string;
  /** SQL of the unique last sort key; `id` when absent. */
  readonly key?: string;
  readonly defaultLimit?: number;
  /** Whether it also takes `offset` instead of `page`. */
  readonly offsets?: boolean;
  /** Finds by indexes what the text search finds; when that is much, the searchable fields of all rows are compared. */
  readonly search?: Search;
}

/** Finds the keys of the first rows that contain a text, among those that the list has without filters. */
export type Search = (reader: Reader, text: SearchedText) => Promise<readonly string[]>;

export interface SearchedText {
  /** For `ilike`. */
  readonly pattern: string;
  /** Pattern of a part of the text that few others have. */
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
  /** Whether it is what a request without parameters asks for, as most do. */
  readonly isDefault: boolean;
}

export const MAX_LIMIT = 500;
const DEFAULT_LIMIT = 50;
export const MAX_PAGE = 1_000_000;
export const MAX_SEARCH = 200;
const RESERVED = new Set(['page', 'limit', 'sort', 'q']);

/** Reads the parameters of a list. @throws ServiceError invalid_parameter naming the bad one and what is allowed */
export function parseListQuery(definition: ListDefinition, parameters: Readonly<Record<string, unknown>>): ListQuery {
  const text = (name: string): string | undefined =>
    parameters[name] === undefined ? undefined : String(parameters[name]);
  const q = text('q')?.trim();
  if (q !== undefined && q.length > MAX_SEARCH) refuse(`q has at most ${MAX_SEARCH} characters`);
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
  return {
    filters: names.map((name) => parseFilter(definition, name, String(parameters[name]))),
    sort: parseSort(definition, sort),
    q: q === '' ? undefined : q,
    page: Math.floor(skipped / limit) + 1,
    limit,
    skipped,
    isDefault: names.length === 0 && !q && sort === defaultSort && skipped === 0 && limit === defaultLimit,
  };
}

/** The operators that a list field takes. */
export function operatorsOfField({ type, condition }: ListField): readonly Operator[] {
  return condition === undefined ? typeOperators(type) : ['eq'];
}

/** The fields that a list filters by. */
export function filterableFields(definition: ListDefinition): string[] {
  return Object.keys(definition.fields).filter((name) => definition.fields[name]?.filterable !== false);
}

/** The fields that a list sorts by. */
export function sortableFields(definition: ListDefinition): string[] {
  return Object.keys(definition.fields).filter((name) => definition.fields[name]?.sortable !== false);
}

function parseFilter(definition: ListDefinition, name: string, value: string): ListFilter {
  const [, field = '', given = 'eq'] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(name) ?? [];
  const declared = Object.hasOwn(definition.fields, field) ? definition.fields[field] : undefined;
  if (declared === undefined || declared.filterable === false) {
    refuse(
      `${name} is no filter of this list; it takes page, limit, sort, q, ${filterableFields(definition).join(', ')}`,
    );
  }
  const allowed = operatorsOfField(declared);
  const operator = LIST_OPERATORS.find((known) => known === given);
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
    if (!allowed.includes(field)) refuse(`sort: "${field}" is no field to sort by; use ${allowed.join(', ')}`);
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
