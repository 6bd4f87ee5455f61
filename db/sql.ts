import type { Db, Reader } from './database.ts';
import { scopedConnection } from './lazy-knex.ts';
import type { Statement } from './statement.ts';
import { type Bindings, boundValues, positional, preparedStatement } from './statements.ts';

export type { Bindings } from './statements.ts';

/**
 * Runs a statement whose values are named `:name`. Casts such as `:date::date` are left alone.
 * PostgreSQL plans it each time, for these values and this company: right where the best plan depends on them, as for reports and lists.
 * @returns its rows
 * @throws TypeError when the statement names a value that is not given
 */
export async function query<Row>(reader: Reader, sql: string, bindings: Bindings): Promise<Row[]> {
  const { text, names } = positional(sql, (place) => `$${place}`);
  return await runOn<Row>(reader, { text, values: boundValues(names, bindings) });
}

/**
 * The same, but each connection has PostgreSQL parse and plan the statement once, which often costs more than running it. Its plan must
 * be right for all companies, and its text one of a few; what varies belongs into values.
 */
export async function prepared<Row>(reader: Reader, sql: string, bindings: Bindings): Promise<Row[]> {
  return await runOn<Row>(
    reader,
    preparedStatement(sql, bindings, () => sql),
  );
}

/** The same for a statement that writes or comes in forms: its text is made once for each. */
export async function preparedAs<Row>(
  trx: Db,
  bindings: Bindings,
  { form, make, contested }: { form: string; make: () => string; contested: readonly string[] },
): Promise<Row[]> {
  return await runOn<Row>(trx, { ...preparedStatement(form, bindings, make), contested });
}

/** Must be called when a transaction has written to the outbox. @param urgent whether somebody waits for its result */
export async function noteEvents(trx: Db, urgent: boolean): Promise<void> {
  (await scopedConnection(trx)).noteEvents(urgent);
}

/** Runs a statement as the driver takes it, past Knex, which would search its text for its own marks. */
export async function runOn<Row>(reader: Reader, statement: Statement): Promise<Row[]> {
  return await ('run' in reader ? reader : await scopedConnection(reader)).run<Row>(statement);
}
