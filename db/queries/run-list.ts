/** Runs a parsed list query in one round trip: the page and the total together. */
import type { Db, Reader } from '../database.ts';
import { isUuid } from '../ids.ts';
import { PLAIN, type RowForm } from '../row-forms.ts';
import { runOn } from '../sql.ts';
import type { Statement } from '../statement.ts';
import { preparedText } from '../statements.ts';
import { fieldColumn, filterConditions, foundKeys, searchCondition } from './conditions.ts';
import { afterCursor, cursorAt, cursorColumns, readCursor, writeCursor } from './cursor.ts';
import { type Conditions, type Fragment, fragment, joined, toFragments, toStatement, where } from './fragments.ts';
import type { ListDefinition, ListQuery, Search } from './list.ts';

export interface Pagination {
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
  readonly has_more: boolean;
  /** Where the next page begins, if the client asks by cursor; null after the last one. */
  readonly next_cursor?: string | null;
}

/** A row of a page with the number of matching rows; even an empty page has one such row. */
interface Paged<Row> {
  readonly row: Row;
  readonly total: number;
}

export interface ListResult<Row> {
  readonly rows: Row[];
  readonly pagination: Pagination;
}

/** Source of the rows of a list. */
export interface ListSource {
  /** The table, or several with their joins. */
  readonly from: string | Fragment;
  /** The table alone, if each of its rows occurs once in `from`: without the joins, its indexes can count. */
  readonly table?: string;
  /** Conditions of all rows. */
  readonly where?: Conditions;
  /** SQL of the selected columns; defaults to all. */
  readonly columns?: readonly string[];
  /** Form of the rows of a page; defaults to objects with all columns. */
  readonly form?: RowForm;
  /** SQL of the total number of rows, if it is known without counting. */
  readonly count?: string;
  /** Replaces the search of the list, if it depends on these rows. */
  readonly search?: Search;
}

/** Returns the page of a list query, and the number of matching rows. */
export async function runList<Row>(
  reader: Reader,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
): Promise<ListResult<Row>> {
  const keys = await searched(reader, definition, query, source);
  if (query.cursor !== undefined) return await pageAfter<Row>(reader, definition, query, source, keys);
  if (keys !== undefined && query.filters.length === 0) {
    const rows = await pageByKeys<Row>(reader, definition, query, source, keys);
    const pagination = paginated(query, keys.length);
    // Fewer if one was deleted meanwhile; the remaining ones are then counted.
    if (rows.length === pageLength(query, keys.length)) return { rows, pagination };
  }
  const statement = pageStatement(definition, query, source, keys);
  const form = pageForm(source.form ?? PLAIN);
  const found = await runOn<Paged<Row>>(reader, { ...statement, form });
  const pagination = paginated(query, found[0]?.total ?? 0);
  return { rows: found.slice(0, pageLength(query, pagination.total)).map(({ row }) => row), pagination };
}

/** Returns the page after a cursor. Its keys are read first, with what they sort by, so that the next cursor fits the page exactly. */
async function pageAfter<Row>(
  reader: Reader,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
  found: Keys,
): Promise<ListResult<Row>> {
  const { limit } = query;
  const cursor = readCursor(definition, query, query.cursor ?? '');
  const after = cursor === null ? [] : afterCursor(definition, query, cursor);
  const { form: _, ...plain } = source;
  const ordered = {
    ...plain,
    columns: cursorColumns(definition, query),
    where: [...toFragments(source.where ?? []), ...after],
  };
  const statement = joined([
    fragment('with page as ('),
    allRows(definition, query, ordered, found),
    fragment(` limit ${limit + 1}) select page.*, total.count::integer as total_count from (`),
    total(definition, query, source, found),
    fragment(') as total left join page on true'),
  ]);
  const read = await runOn<Record<string, unknown>>(reader, toStatement(statement));
  const keyed = read.filter(({ sort_key: key }) => key !== null);
  const page = keyed.slice(0, limit);
  const last = page.at(-1);
  const hasMore = keyed.length > limit && last !== undefined;
  const keys = page.map(({ sort_key: key }) => String(key));
  const rows = await rowsByKeys<Row>(reader, definition, query, source, keys);
  const next = hasMore ? writeCursor(query, cursorAt(query, last)) : null;
  const pagination = { total: Number(read[0]?.total_count ?? 0), page: 1, per_page: limit, has_more: hasMore };
  return { rows, pagination: { ...pagination, next_cursor: next } };
}

async function rowsByKeys<Row>(
  reader: Reader,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
  keys: readonly string[],
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const key = definition.key ?? 'id';
  // As text no index finds them.
  const chosen = keys.every(isUuid)
    ? fragment(`${key} = any(?::uuid[])`, keys)
    : fragment(`(${key})::text = any(?::text[])`, keys);
  const rows = joined([
    fragment(selected(source)),
    from(source),
    where(source.where, [chosen]),
    fragment(inOrder(definition, query)),
  ]);
  return await runOn<Row>(reader, { ...toStatement(rows), form: source.form ?? PLAIN });
}

/** Returns a page of rows whose keys, and therefore number, are known. */
async function pageByKeys<Row>(
  reader: Reader,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
  keys: readonly string[],
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const statement = toStatement(pageRows(definition, query, source, keys));
  return await runOn<Row>(reader, { ...statement, form: source.form ?? PLAIN });
}

function paginated({ page, limit, skipped }: Pick<ListQuery, 'page' | 'limit' | 'skipped'>, total: number): Pagination {
  return { total, page, per_page: limit, has_more: skipped + limit < total };
}

/** Number of rows on the page. */
function pageLength({ limit, skipped }: ListQuery, total: number): number {
  return Math.max(0, Math.min(limit, total - skipped));
}

const pageForms = new WeakMap<RowForm, RowForm>();

/** Rows of a form, with the total in an additional last column. */
function pageForm(form: RowForm): RowForm {
  const known = pageForms.get(form);
  if (known !== undefined) return known;
  const made: RowForm = (columns) => {
    const last = columns.length - 1;
    const make = form(columns.slice(0, last));
    return (values): Paged<unknown> => ({ row: make(values), total: Number(values[last]) });
  };
  pageForms.set(form, made);
  return made;
}

/** The statement that `runList` runs. Even an empty page has one row, for the total. */
export function pageStatement(
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
  keys?: Keys,
): Statement {
  const statement = toStatement(
    joined([
      fragment('with page as ('),
      pageRows(definition, query, source, keys),
      fragment(') select page.*, total.count as total_count from ('),
      total(definition, query, source, keys),
      fragment(') as total left join page on true'),
    ]),
  );
  // Without values there is only one plan, for all companies.
  return query.isDefault && statement.values?.length === 0 ? preparedText(statement.text) : statement;
}

/** SQL of the number of matching rows. */
function total(definition: ListDefinition, query: ListQuery, source: ListSource, found: Keys): Fragment {
  if (isWhole(query) && source.count !== undefined) return fragment(source.count);
  const isOfTable =
    (query.q === undefined || found !== undefined) &&
    query.filters.every(({ field }) => definition.fields[field]?.joined !== true);
  const from = isOfTable ? (source.table ?? source.from) : source.from;
  return joined([fragment('select count(*)'), matchingRows(definition, query, { ...source, from }, found)]);
}

function isWhole({ filters, q }: ListQuery): boolean {
  return filters.length === 0 && q === undefined;
}

/** SQL of the rows of the page. Later pages find their keys first, so that only keys of earlier rows are read. */
function pageRows(definition: ListDefinition, query: ListQuery, source: ListSource, found: Keys): Fragment {
  const { skipped } = query;
  if (skipped === 0) return joined([allRows(definition, query, source, found), fragment(` limit ${query.limit}`)]);
  const key = definition.key ?? 'id';
  const keys = allRows(definition, query, { ...source, columns: [key] }, found);
  return joined([
    fragment(selected(source)),
    from(source),
    where(source.where, [
      joined([fragment(`${key} in (`), keys, fragment(` limit ${query.limit} offset ${skipped})`)]),
    ]),
    fragment(inOrder(definition, query)),
  ]);
}

/** Returns the first matching rows of a list query, in its order; its page is ignored. */
export async function firstRows<Row>(
  reader: Reader,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
  most: number,
): Promise<Row[]> {
  const rows = allRows(definition, query, source, await searched(reader, definition, query, source));
  return await runOn<Row>(reader, toStatement(joined([rows, fragment(` limit ${most}`)])));
}

/** Rows per fetch: few round trips, little memory even for long rows, and well within the statement timeout. */
const BATCH = 200;

/**
 * Yields all matching rows of a list query, in its order, read by a cursor on demand; its page is ignored.
 * @param db a snapshot (`Database.snapshot`), since a cursor lives in a transaction
 */
export async function* streamList<Row>(
  db: Db,
  definition: ListDefinition,
  query: ListQuery,
  source: ListSource,
): AsyncGenerator<Row[]> {
  const rows = allRows(definition, query, source, await searched(db, definition, query, source));
  // All rows are read: the plan must be the cheapest for the whole, not for the first rows.
  await runOn(db, { text: 'set local cursor_tuple_fraction = 1' });
  await runOn(db, toStatement(joined([fragment('declare list no scroll cursor for '), rows])));
  for (;;) {
    const batch = await runOn<Row>(db, { text: `fetch ${BATCH} from list` });
    if (batch.length > 0) yield batch;
    if (batch.length < BATCH) return;
  }
}

/** Keys of the rows that the text search finds, if known. */
type Keys = readonly string[] | undefined;

async function searched(
  reader: Reader,
  definition: ListDefinition,
  { q }: ListQuery,
  source: ListSource,
): Promise<Keys> {
  const search = source.search ?? definition.search;
  return q === undefined || search === undefined ? undefined : await foundKeys(reader, search, q);
}

function allRows(definition: ListDefinition, query: ListQuery, source: ListSource, found: Keys): Fragment {
  const matching = matchingRows(definition, query, source, found);
  return joined([fragment(selected(source)), matching, fragment(inOrder(definition, query))]);
}

function matchingRows(definition: ListDefinition, query: ListQuery, source: ListSource, found: Keys): Fragment {
  const filtered = filterConditions(definition, query.filters);
  return joined([from(source), where(source.where, filtered, foundBy(definition, query, found))]);
}

function foundBy(definition: ListDefinition, { q }: ListQuery, found: Keys): Fragment[] {
  if (found !== undefined) return [fragment(`${definition.key ?? 'id'} = any(?::uuid[])`, found)];
  return q === undefined ? [] : [searchCondition(definition, q)];
}

function from(source: ListSource): Fragment {
  return joined([fragment(' from '), typeof source.from === 'string' ? fragment(source.from) : source.from]);
}

function selected({ columns = ['*'] }: ListSource): string {
  return `select ${columns.join(', ')}`;
}

function inOrder(definition: ListDefinition, { sort }: ListQuery): string {
  const keys = sort.map(({ field, descending }) => {
    const nulls = definition.fields[field]?.notNull === true ? '' : ` nulls ${descending ? 'last' : 'first'}`;
    return `${fieldColumn(definition, field)} ${descending ? 'desc' : 'asc'}${nulls}`;
  });
  const last = (sort.at(-1)?.descending ?? true) ? 'desc' : 'asc';
  return ` order by ${[...keys, `${definition.key ?? 'id'} ${last}`].join(', ')}`;
}

/** Returns a page of rows that are all in memory. */
export function pageResult<Row>(all: readonly Row[], page: number, limit: number): ListResult<Row> {
  const rows = all.slice((page - 1) * limit, page * limit);
  return { rows, pagination: paginated({ page, limit, skipped: (page - 1) * limit }, all.length) };
}
