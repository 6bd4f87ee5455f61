import type { Db } from './database.ts';

export type Bindings = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/**
 * Runs a statement whose values are named `:name`. Casts such as `:date::date` are left alone, which Knex's own named
 * bindings take for identifiers.
 * @returns the rows
 * @throws TypeError when the statement names a value that is not given
 */
export async function query<Row>(db: Db, sql: string, bindings: Bindings): Promise<Row[]> {
  const values: unknown[] = [];
  const positional = sql.replace(/(?<!:):([a-zA-Z]\w*)/g, (_, name: string) => {
    if (!Object.hasOwn(bindings, name)) throw new TypeError(`The statement needs a value for ${name}`);
    values.push(bindings[name]);
    return '?';
  });
  const result = (await db.raw(positional, values as never)) as { rows: Row[] };
  return result.rows;
}
