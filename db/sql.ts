import type { Db } from './database.ts';
import type { ScopedConnection } from './scoped-connection.ts';
import { type Bindings, positional, preparedStatement, type StatementMaker, valuesOf } from './statements.ts';

export type { Bindings } from './statements.ts';

/**
 * Runs a statement whose values are named `:name`. Casts such as `:date::date` are left alone, which Knex's own named
 * bindings take for identifiers.
 * @returns its rows
 * @throws TypeError when the statement names a value that is not given
 */
export async function query<Row>(db: Db, sql: string, bindings: Bindings): Promise<Row[]> {
  const { text, names } = positional(sql, () => '?');
  const result = (await db.raw(text, valuesOf(names, bindings) as never)) as { rows: Row[] };
  return result.rows;
}

/**
 * The same for the long statements that every document runs: each connection has PostgreSQL parse and plan them once, which
 * costs more than running them, and they go straight to the driver, since Knex would search their text for its own marks.
 * The text must be one of a few; what varies belongs into values.
 */
export async function prepared<Row>(db: Db, sql: string, bindings: Bindings): Promise<Row[]> {
  return await preparedAs<Row>(db, sql, bindings, { sql: () => sql, writesEvents: false });
}

/** The same for a statement that comes in forms: its text is made once for each. */
export async function preparedAs<Row>(db: Db, form: string, bindings: Bindings, maker: StatementMaker): Promise<Row[]> {
  const { writesEvents, ...statement } = preparedStatement(form, bindings, maker);
  const connection = (await db.client.acquireConnection()) as ScopedConnection;
  if (writesEvents) connection.noteEvents();
  return await connection.run<Row>(statement);
}
