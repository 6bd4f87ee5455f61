/** Runs a parsed list query in one round trip: the page and the total together. */
import type { Knex } from 'knex';
import { isDay } from '../../domain/days.ts';
import type { Db } from '../database.ts';
import type { ListDefinition, ListField, ListFilter, ListQuery } from './list.ts';
import { TIME_ZONE } from './time-zone.ts';

export interface Pagination {
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
  readonly has_more: boolean;
}

export interface ListResult<Row> {
  readonly rows: Row[];
  readonly pagination: Pagination;
}

type Builder = Knex.QueryBuilder;
type Value = string | number | boolean;

/** Where the rows of a list come from. */
export interface ListSource {
  /** Rows before filtering: `from`, joins and fixed conditions, without selected columns. */
  readonly from: Builder;
  /** SQL of what a row holds (default: everything). */
  readonly columns?: readonly string[];
}

/** The page that a list query asks for, and how many rows match. */
export async function runList<Row>(
  db: Db,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
): Promise<ListResult<Row>> {
  const matching = matchingRows(definition, query, source);
  const count = matching.clone().select(db.raw('count(*)'));
  const page = inOrder(db, definition, query, matching, source);
  page.limit(query.limit).offset((query.page - 1) * query.limit);
  const found = (await db
    .with('page', page)
    .select('page.*', db.raw('total.count as total_count'))
    .from(db.raw('(?) as total left join page on true', [count]))) as (Row & { total_count: number; id: unknown })[];
  return result(query, found);
}

/** Rows fetched at a time: few round trips, little memory even for long rows, each far within the statement's time. */
const BATCH = 200;

/**
 * All rows that a list query matches, in its order, whatever its page: read by a cursor as they are asked for.
 * @param db a snapshot (`Database.snapshot`), since a cursor lives in a transaction
 */
export async function* streamList<Row>(
  db: Db,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
): AsyncGenerator<Row[]> {
  const rows = inOrder(db, definition, query, matchingRows(definition, query, source), source);
  // All rows are wanted: the plan should be the cheapest for the whole, not for the first of them.
  await db.raw('set local cursor_tuple_fraction = 1');
  await db.raw('declare list no scroll cursor for ?', [rows]);
  for (;;) {
    const { rows: batch } = (await db.raw(`fetch ${BATCH} from list`)) as { rows: Row[] };
    if (batch.length > 0) yield batch;
    if (batch.length < BATCH) return;
  }
}

function matchingRows(definition: ListDefinition, query: ListQuery, { from }: ListSource): Builder {
  const matching = from.clone();
  for (const filter of query.filters) applyFilter(matching, definition, filter);
  if (query.q !== undefined) applySearch(matching, definition, query.q);
  return matching;
}

function inOrder(
  db: Db,
  definition: ListDefinition,
  query: ListQuery,
  rows: Builder,
  { columns = ['*'] }: ListSource,
): Builder {
  rows.select(columns.map((column) => db.raw(column)));
  for (const { field, descending } of query.sort) {
    rows.orderByRaw(`${columnOf(definition, field)} ${descending ? 'desc nulls last' : 'asc nulls first'}`);
  }
  const last = (query.sort.at(-1)?.descending ?? true) ? 'desc' : 'asc';
  return rows.orderByRaw(`${definition.key ?? 'id'} ${last}`);
}

/** One row comes even for an empty page, since the total is always there. */
function result<Row>(query: ListQuery, found: (Row & { total_count: number })[]): ListResult<Row> {
  const total = found[0]?.total_count ?? 0;
  const before = (query.page - 1) * query.limit;
  const length = Math.max(0, Math.min(query.limit, total - before));
  const rows = found.slice(0, length).map(({ total_count: _, ...row }) => row as unknown as Row);
  const pagination = { total, page: query.page, per_page: query.limit, has_more: before + length < total };
  return { rows, pagination };
}

function fieldOf(definition: ListDefinition, name: string): ListField {
  return definition.fields[name] as ListField; // the parser lets only declared ones through
}

function columnOf(definition: ListDefinition, name: string): string {
  return fieldOf(definition, name).column ?? `"${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function applyFilter(builder: Builder, definition: ListDefinition, { field, operator, values }: ListFilter): void {
  const column = columnOf(definition, field);
  const { type, condition } = fieldOf(definition, field);
  const value = values[0] as Value;
  if (condition !== undefined) {
    builder.whereRaw(condition, [value]);
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
    case 'eq':
      if (type === 'instant' && isDay(String(value))) {
        builder.whereRaw(`${column} >= ${startOfDay(0)} and ${column} < ${startOfDay(1)}`, [value, value]);
      } else builder.whereRaw(`${column} = ?`, [value]);
      break;
    default:
      if (type === 'instant' && isDay(String(value))) {
        // A day is meant whole, in the tenant's zone: up to it includes it, after it begins with the next one.
        const whole = operator === 'lte' || operator === 'gt';
        const comparison = operator === 'lte' || operator === 'lt' ? '<' : '>=';
        builder.whereRaw(`${column} ${comparison} ${startOfDay(whole ? 1 : 0)}`, [value]);
      } else builder.whereRaw(`${column} ${COMPARISONS[operator]} ?`, [value]);
  }
}

/** SQL of the first instant of a day (or of the day after), in the tenant's time zone. */
function startOfDay(daysLater: 0 | 1): string {
  return `((?::date + ${daysLater})::timestamp at time zone ${TIME_ZONE})`;
}

function applySearch(builder: Builder, definition: ListDefinition, q: string): void {
  const columns = Object.keys(definition.fields).filter((name) => fieldOf(definition, name).searchable === true);
  builder.where((either) => {
    for (const name of columns) either.orWhereRaw(`${columnOf(definition, name)} ilike ?`, [pattern(q)]);
    if (columns.length === 0) either.whereRaw('false');
  });
}

/** What `ilike` takes for "contains", with its own signs taken literally. */
function pattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
