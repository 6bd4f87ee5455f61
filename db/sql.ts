import type { Db, Reader } from './database.ts';
import { scopedConnection } from './lazy-knex.ts';
import type { Statement } from './statement.ts';
import { type Bindings, boundValues, positional, preparedStatement } from './statements.ts';

export type { Bindings } from './statements.ts';

/**
 * Runs a statement whose values are named `:name`. Casts such as `:date::date` are left alone.
 * PostgreSQL plans it each time, for these values and this company. Use it if the best plan depends on them, as for reports and lists.
 * @returns its rows
 * @throws TypeError if a value named by the statement is missing
 */
export async function query<Row>(reader: Reader, sql: string, bindings: Bindings): Promise<Row[]> {
  const { text, names } = positional(sql, (place) => `$${place}`);
  return await runOn<Row>(reader, { text, values: boundValues(names, bindings) });
}

/**
 * The same, but PostgreSQL parses and plans the statement once per connection, which often costs more than running it. One plan must suit
 * all companies, and there must be few texts; whatever varies belongs in the values.
 */
export async function prepared<Row>(reader: Reader, sql: string, bindings: Bindings): Promise<Row[]> {
  return await runOn<Row>(
    reader,
    preparedStatement(sql, bindings, () => sql),
  );
}

/** The same for a statement that writes or has several forms; its text is built once per form. */
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

/** Runs a statement of the driver without Knex, which would search its text for placeholders. */
export async function runOn<Row>(reader: Reader, statement: Statement): Promise<Row[]> {
  return await ('run' in reader ? reader : await scopedConnection(reader)).run<Row>(statement);
}
