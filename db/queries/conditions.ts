/** SQL conditions of a list: filters and text search. */

import type { Knex } from 'knex';
import { isDay } from '../../domain/days.ts';
import type { Db } from '../database.ts';
import { columnName } from '../models/columns.ts';
import type { IndexedField, ListDefinition, ListField, ListFilter } from './list.ts';
import { TIME_ZONE } from './time-zone.ts';

type Builder = Knex.QueryBuilder;
type Value = string | number | boolean;

function fieldOf(definition: ListDefinition, name: string): ListField {
  return definition.fields[name] as ListField; // The parser accepts only declared ones.
}

/** SQL of a field's value. */
export function columnOf(definition: ListDefinition, name: string): string {
  return fieldOf(definition, name).column ?? `"${columnName(name)}"`;
}

const COMPARISONS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
type Comparison = (typeof COMPARISONS)[keyof typeof COMPARISONS];

/** A condition on the index table. Those of one field that has one value in each record are put together. */
interface Narrowing {
  readonly index: IndexedField;
  readonly condition: string;
  readonly values: readonly Value[];
}

/** Adds the filters. */
export function applyFilters(builder: Builder, definition: ListDefinition, filters: readonly ListFilter[]): void {
  const ranges = new Map<string, Narrowing[]>();
  for (const filter of filters) {
    const { index, type } = fieldOf(definition, filter.field);
    const narrowing = index === undefined ? [] : narrowings(fieldOf(definition, filter.field), index, filter);
    if (type === 'choices') for (const one of narrowing) whereIndexed(builder, definition, [one]);
    else ranges.set(filter.field, [...(ranges.get(filter.field) ?? []), ...narrowing]);
    applyFilter(builder, definition, filter);
  }
  for (const together of ranges.values()) whereIndexed(builder, definition, together);
}

function applyFilter(builder: Builder, definition: ListDefinition, { field, operator, values }: ListFilter): void {
  const column = columnOf(definition, field);
  const declared = fieldOf(definition, field);
  const { type, condition } = declared;
  const value = values[0] as Value;
  if (condition !== undefined) {
    builder.whereRaw(condition, [value]);
    return;
  }
  if (type === 'choices' && operator !== 'empty') {
    builder.where((any) => {
      for (const choice of values) any.orWhereRaw(`${column} @> to_jsonb(?::text)`, [choice]);
    });
    return;
  }
  switch (operator) {
    case 'empty': {
      const isEmpty = type === 'text' ? `coalesce(${column}, '') = ''` : `${column} is null`;
      builder.whereRaw(value === true ? isEmpty : `not (${isEmpty})`);
      break;
    }
    case 'contains':
      builder.whereRaw(`${column} ilike ?`, [pattern(String(value))]);
      break;
    case 'in':
      builder.whereRaw(`${column} in (${values.map(() => '?').join(', ')})`, values as Value[]);
      break;
    case 'ne':
      builder.whereRaw(`${column} is distinct from ?`, [value]);
      break;
    default:
      for (const { sign, bound } of comparisons(declared, COMPARISONS[operator], value)) {
        builder.whereRaw(`${column} ${sign} ${bound}`, [value]);
      }
  }
}

/**
 * A date means the whole day, in the tenant's zone, when instants are compared: up to it includes it, after it begins with the next one.
 */
function comparisons(field: ListField, sign: Comparison, value: Value): { sign: Comparison; bound: string }[] {
  if (field.type !== 'instant') return [{ sign, bound: '?' }];
  const written = (sql: string) =>
    field.asText ? `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql;
  const [start, end] = [written(startOfDay(0)), written(startOfDay(1))];
  if (!isDay(String(value))) return [{ sign, bound: written('?::timestamptz') }];
  switch (sign) {
    case '=':
      return [
        { sign: '>=', bound: start },
        { sign: '<', bound: end },
      ];
    case '<=':
      return [{ sign: '<', bound: end }];
    case '>':
      return [{ sign: '>=', bound: end }];
    default:
      return [{ sign, bound: start }];
  }
}

/** SQL of the first instant of a day (or of the day after), in the tenant's time zone. */
function startOfDay(daysLater: 0 | 1): string {
  return `((?::date + ${daysLater})::timestamp at time zone ${TIME_ZONE})`;
}

/** How long texts in the index are at most, as the migration has it. */
const INDEXED = 200;
const MAX_BIGINT = '9000000000000000000';

/**
 * What the index has for a filter: perhaps too many rows, never too few, since the value itself is compared too. The index rounds numbers
 * down and truncates texts.
 */
function narrowings(field: ListField, index: IndexedField, { operator, values }: ListFilter): Narrowing[] {
  const isNumber = index.holds === 'whole' || index.holds === 'millionths';
  const isChoice = field.type === 'choices' && operator === 'contains';
  if (operator === 'in' || isChoice || (operator === 'eq' && field.type !== 'instant')) {
    const bound = isNumber ? numberBound(index) : `left(?::text, ${INDEXED})`;
    const condition = `${isNumber ? 'number' : 'text'}_value in (${values.map(() => bound).join(', ')})`;
    return [{ index, condition, values: values.map(String) }];
  }
  if (operator === 'ne' || operator === 'empty' || operator === 'contains' || index.holds === 'text') return [];
  const value = values[0] as Value;
  return comparisons(field, COMPARISONS[operator as keyof typeof COMPARISONS], value).map(({ sign, bound }) => ({
    index,
    condition: isNumber
      ? `number_value ${sign.startsWith('>') ? '>=' : '<='} ${numberBound(index)}`
      : `text_value ${sign} ${bound}`,
    values: [value],
  }));
}

function numberBound({ holds }: IndexedField): string {
  const scale = holds === 'whole' ? 1 : 1_000_000;
  return `least(greatest(floor(?::numeric * ${scale}), -${MAX_BIGINT}), ${MAX_BIGINT})::bigint`;
}

function whereIndexed(builder: Builder, { key = 'id' }: ListDefinition, together: readonly Narrowing[]): void {
  const [first] = together;
  if (first === undefined) return;
  const conditions = together.map(({ condition }) => condition).join(' and ');
  const rows = `select row_id from custom_field_index where field_id = ?::uuid and ${conditions}`;
  builder.whereRaw(`${key} in (${rows})`, [first.index.fieldId, ...together.flatMap(({ values }) => values)]);
}

/** Adds the text search. */
export function applySearch(builder: Builder, definition: ListDefinition, q: string): void {
  const columns = Object.keys(definition.fields).filter((name) => fieldOf(definition, name).searchable === true);
  builder.where((either) => {
    for (const name of columns) either.orWhereRaw(`${columnOf(definition, name)} ilike ?`, [pattern(q)]);
    if (columns.length === 0) either.whereRaw('false');
  });
}

/** Pattern of `ilike` for "contains", with its special characters escaped. */
function pattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** More than anybody reads, and few enough to be looked up one by one. */
const MOST_FOUND = 1000;

/** The keys of the rows that contain a text, where an index finds them and they are few. */
export async function foundKeys(db: Db, definition: ListDefinition, q: string): Promise<readonly string[] | undefined> {
  const part = rarePart(q);
  if (definition.search === undefined || part.length < TRIGRAM) return undefined;
  const keys = await definition.search(db, { pattern: pattern(q), part: pattern(part), most: MOST_FOUND + 1 });
  return keys.length > MOST_FOUND ? undefined : keys;
}

/** Indexes of texts know parts of three characters. */
const TRIGRAM = 3;
/** Few enough that an index of trigrams looks up three of them, and enough to be rare. */
const PART = 5;

/** The end of the text's last word or number: in codes the beginning is what many have in common. */
function rarePart(text: string): string {
  return /([\p{L}\p{N}]{3,})[^\p{L}\p{N}]*$/u.exec(text)?.[1]?.slice(-PART) ?? text;
}
