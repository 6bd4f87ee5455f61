import type { Db } from './database.ts';

export type Bindings = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** A statement as the driver takes it. */
interface Positional {
  readonly text: string;
  /** Of its values, in order. */
  readonly names: readonly string[];
}

/**
 * Runs a statement whose values are named `:name`. Casts such as `:date::date` are left alone, which Knex's own named
 * bindings take for identifiers.
 * @returns the rows
 * @throws TypeError when the statement names a value that is not given
 */
export async function query<Row>(db: Db, sql: string, bindings: Bindings): Promise<Row[]> {
  const statement = positional(sql);
  const result = (await db.raw(statement.text, valuesOf(statement, bindings) as never)) as { rows: Row[] };
  return result.rows;
}

const known = new Map<string, Positional & { readonly name: string }>();

/**
 * The same for the long statements that every document runs: each connection has PostgreSQL parse and plan them once, which
 * costs more than running them. The text must be one of a few; what varies belongs into values.
 */
export async function prepared<Row>(db: Db, sql: string, bindings: Bindings): Promise<Row[]> {
  let statement = known.get(sql);
  if (statement === undefined) {
    statement = { ...positional(sql), name: `s${known.size + 1}` };
    known.set(sql, statement);
  }
  const raw = db.raw(statement.text, valuesOf(statement, bindings) as never).options({ name: statement.name });
  return ((await raw) as { rows: Row[] }).rows;
}

function positional(sql: string): Positional {
  const names: string[] = [];
  const text = sql.replace(/(?<!:):([a-zA-Z]\w*)/g, (_, name: string) => {
    names.push(name);
    return '?';
  });
  return { text, names };
}

function valuesOf({ names }: Positional, bindings: Bindings): unknown[] {
  return names.map((name) => {
    if (!Object.hasOwn(bindings, name)) throw new TypeError(`The statement needs a value for ${name}`);
    return bindings[name];
  });
}
