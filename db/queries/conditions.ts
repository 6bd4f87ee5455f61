/** SQL conditions of a list: filters and text search. */
import { isDay } from '../../domain/days.ts';
import type { Reader } from '../database.ts';
import { columnName } from '../models/columns.ts';
import { either, type Fragment, fragment } from './fragments.ts';
import type { IndexedField, ListDefinition, ListField, ListFilter, Search } from './list.ts';
import { TIME_ZONE } from './time-zone.ts';

type Value = string | number | boolean;

function declaredField(definition: ListDefinition, name: string): ListField {
  return definition.fields[name] as ListField; // The parser accepts only declared ones.
}

/** SQL of a field's value. */
export function fieldColumn(definition: ListDefinition, name: string): string {
  return declaredField(definition, name).column ?? `"${columnName(name)}"`;
}

const COMPARISONS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
type Comparison = (typeof COMPARISONS)[keyof typeof COMPARISONS];

/** A condition on the index table. Conditions on one field with one value per record are combined. */
interface Narrowing {
  readonly index: IndexedField;
  readonly condition: string;
  readonly values: readonly Value[];
}

/** Conditions that rows must meet to match the filters. */
export function filterConditions(definition: ListDefinition, filters: readonly ListFilter[]): Fragment[] {
  const conditions: Fragment[] = [];
  const ranges = new Map<string, Narrowing[]>();
  for (const filter of filters) {
    const field = declaredField(definition, filter.field);
    const narrowing = field.index === undefined ? [] : narrowings(field, field.index, filter);
    if (field.type === 'choices') conditions.push(...narrowing.map((one) => indexed(definition, [one])));
    else ranges.set(filter.field, [...(ranges.get(filter.field) ?? []), ...narrowing]);
    conditions.push(...operatorConditions(definition, filter));
    if (field.aboveZero !== undefined && isAboveZero(filter)) conditions.push(fragment(field.aboveZero));
  }
  const together = [...ranges.values()].filter((range) => range.length > 0);
  return [...conditions, ...together.map((range) => indexed(definition, range))];
}

/** Whether only numbers above 0 match. */
function isAboveZero({ operator, values }: ListFilter): boolean {
  if (operator === 'gt') return Number(values[0]) >= 0;
  return ['eq', 'in', 'gte'].includes(operator) && values.every((value) => Number(value) > 0);
}

function operatorConditions(definition: ListDefinition, { field, operator, values }: ListFilter): Fragment[] {
  const column = fieldColumn(definition, field);
  const declared = declaredField(definition, field);
  const { type, condition } = declared;
  const value = values[0] as Value;
  if (condition !== undefined) return [fragment(condition, value)];
  if (type === 'choices' && operator !== 'empty') {
    return [either(values.map((choice) => fragment(`${column} @> to_jsonb(?::text)`, choice)))];
  }
  switch (operator) {
    case 'empty': {
      const isEmpty = type === 'text' ? `coalesce(${column}, '') = ''` : `${column} is null`;
      return [fragment(value === true ? isEmpty : `not (${isEmpty})`)];
    }
    case 'contains':
      return [fragment(`${column} ilike ?`, containing(String(value)))];
    case 'in':
      return [fragment(`${column} in (${values.map(() => '?').join(', ')})`, ...values)];
    case 'ne':
      return [fragment(`${column} is distinct from ?`, value)];
    default:
      return comparisons(declared, COMPARISONS[operator], value).map(({ sign, bound }) =>
        fragment(`${column} ${sign} ${bound}`, value),
      );
  }
}

/**
 * A date compared with instants means the whole day in the tenant's zone: "up to" includes it, "after" begins with the next day.
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

/** Maximum length of texts in the index, as in the migration. */
const INDEXED = 200;
const MAX_BIGINT = '9000000000000000000';

/**
 * Conditions on the index for a filter. They may match too many rows, never too few, and the value itself is compared afterwards: the
 * index rounds numbers down and truncates texts.
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

function indexed({ key = 'id' }: ListDefinition, together: readonly Narrowing[]): Fragment {
  const conditions = together.map(({ condition }) => condition).join(' and ');
  const rows = `select row_id from custom_field_index where field_id = ?::uuid and ${conditions}`;
  const fields = together.slice(0, 1).map(({ index }) => index.fieldId);
  return fragment(`${key} in (${rows})`, ...fields, ...together.flatMap(({ values }) => values));
}

/** The condition that rows must meet to be found by a text. */
export function searchCondition(definition: ListDefinition, q: string): Fragment {
  const columns = Object.keys(definition.fields).filter((name) => declaredField(definition, name).searchable === true);
  return either(columns.map((name) => fragment(`${fieldColumn(definition, name)} ilike ?`, containing(q))));
}

/** Pattern of `ilike` for "contains", with its special characters escaped. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** More rows than anybody reads, and few enough to be looked up one by one. */
const MAX_FOUND = 1000;

/** Returns the keys of the rows that contain a text, if an index finds them and there are few. */
export async function foundKeys(reader: Reader, search: Search, q: string): Promise<readonly string[] | undefined> {
  const part = rarePart(q);
  if (part.length < TRIGRAM) return undefined;
  const found = await search(reader, { pattern: containing(q), part: containing(part), most: MAX_FOUND + 1 });
  const keys = [...new Set(found)];
  return keys.length > MAX_FOUND ? undefined : keys;
}

/** Text indexes contain parts of three characters. */
export const TRIGRAM = 3;
/** Short enough for a lookup of three trigrams, and long enough to be rare. */
const PART = 5;

/** The end of the text's last word or number, because many codes begin alike. */
export function rarePart(text: string): string {
  return /([\p{L}\p{N}]{3,})[^\p{L}\p{N}]*$/u.exec(text)?.[1]?.slice(-PART) ?? text;
}
