/** Runs a parsed list query in one round trip: the page and the total together. */
import type { Knex } from 'knex';
import type { Db } from '../database.ts';
import { applyFilters, applySearch, columnOf, foundKeys } from './conditions.ts';
import type { ListDefinition, ListQuery } from './list.ts';

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

/** Where the rows of a list come from. */
export interface ListSource {
  /** Rows before filtering: `from`, joins and fixed conditions, without selected columns. */
  readonly from: Builder;
  /** SQL of what a row holds (default: everything). */
  readonly columns?: readonly string[];
  /** SQL of how many rows there are in all, where that is known without counting them. */
  readonly count?: string;
}

/** The page that a list query asks for, and how many rows match. */
export async function runList<Row>(
  db: Db,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
): Promise<ListResult<Row>> {
  const keys = await searched(db, definition, query);
  const isWhole = query.filters.length === 0 && query.q === undefined;
  const count =
    isWhole && source.count !== undefined
      ? db.raw(source.count)
      : matchingRows(definition, query, source, keys).select(db.raw('count(*)'));
  const page = pageRows(db, definition, query, source, keys);
  const found = (await db
    .with('page', page)
    .select('page.*', db.raw('total.count as total_count'))
    .from(db.raw('(?) as total left join page on true', [count]))) as (Row & { total_count: number; id: unknown })[];
  return result(query, found);
}

/** The rows of the page. Later pages find their keys first, so that nothing else is read of the rows before them. */
function pageRows(db: Db, definition: ListDefinition, query: ListQuery, source: ListSource, found: Keys): Builder {
  const matching = matchingRows(definition, query, source, found);
  const skipped = (query.page - 1) * query.limit;
  if (skipped === 0) return inOrder(db, definition, query, matching, source).limit(query.limit);
  const key = definition.key ?? 'id';
  const keys = inOrder(db, definition, query, matching, { ...source, columns: [key] });
  const rows = source.from.clone().whereRaw(`${key} in (?)`, [keys.limit(query.limit).offset(skipped)]);
  return inOrder(db, definition, query, rows, source);
}

/** The first matching rows of a list query, in its order; its page is ignored. */
export async function firstRows<Row>(
  db: Db,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
  most: number,
): Promise<Row[]> {
  const matching = matchingRows(definition, query, source, await searched(db, definition, query));
  return (await inOrder(db, definition, query, matching, source).limit(most)) as Row[];
}

/** Rows per fetch: few round trips, little memory even for long rows, each far within the statement timeout. */
const BATCH = 200;

/**
 * All matching rows of a list query, in its order, read by a cursor on demand; its page is ignored.
 * @param db a snapshot (`Database.snapshot`), since a cursor lives in a transaction
 */
export async function* streamList<Row>(
  db: Db,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
): AsyncGenerator<Row[]> {
  const matching = matchingRows(definition, query, source, await searched(db, definition, query));
  const rows = inOrder(db, definition, query, matching, source);
  // All rows are wanted: the plan should be the cheapest for the whole, not for the first of them.
  await db.raw('set local cursor_tuple_fraction = 1');
  await db.raw('declare list no scroll cursor for ?', [rows]);
  for (;;) {
    const { rows: batch } = (await db.raw(`fetch ${BATCH} from list`)) as { rows: Row[] };
    if (batch.length > 0) yield batch;
    if (batch.length < BATCH) return;
  }
}

/** The keys of what the text search finds, where these are known. */
type Keys = readonly string[] | undefined;

async function searched(db: Db, definition: ListDefinition, { q }: ListQuery): Promise<Keys> {
  return q === undefined ? undefined : await foundKeys(db, definition, q);
}

function matchingRows(definition: ListDefinition, query: ListQuery, { from }: ListSource, found: Keys): Builder {
  const matching = from.clone();
  applyFilters(matching, definition, query.filters);
  if (found !== undefined) matching.whereRaw(`${definition.key ?? 'id'} = any(?::uuid[])`, [[...found]]);
  else if (query.q !== undefined) applySearch(matching, definition, query.q);
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
    const nulls = definition.fields[field]?.notNull === true ? '' : ` nulls ${descending ? 'last' : 'first'}`;
    rows.orderByRaw(`${columnOf(definition, field)} ${descending ? 'desc' : 'asc'}${nulls}`);
  }
  const last = (query.sort.at(-1)?.descending ?? true) ? 'desc' : 'asc';
  return rows.orderByRaw(`${definition.key ?? 'id'} ${last}`);
}

/** A page of rows that are all at hand. */
export function pageOf<Row>(all: readonly Row[], page: number, limit: number): ListResult<Row> {
  const rows = all.slice((page - 1) * limit, page * limit);
  return { rows, pagination: { total: all.length, page, per_page: limit, has_more: page * limit < all.length } };
}

/** Even an empty page returns one row, for the total. */
function result<Row>(query: ListQuery, found: (Row & { total_count: number })[]): ListResult<Row> {
  const total = found[0]?.total_count ?? 0;
  const before = (query.page - 1) * query.limit;
  const length = Math.max(0, Math.min(query.limit, total - before));
  const rows = found.slice(0, length).map(({ total_count: _, ...row }) => row as unknown as Row);
  const pagination = { total, page: query.page, per_page: query.limit, has_more: before + length < total };
  return { rows, pagination };
}
