/** Statements with named values, in the form of the driver. */

export type Bindings = Readonly<Record<string, string | number | boolean | null | readonly string[] | Uint8Array>>;

/** A statement as the driver takes it; each connection parses and plans one with a name once. */
export interface PreparedStatement {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
  /** Whether it changes no rows. */
  readonly onlyReads: boolean;
}

/** What changes rows; a lock for update counts too. */
const WRITES = /\b(?:insert|update|delete|merge|truncate)\b/i;

type Known = Omit<PreparedStatement, 'values'> & { readonly names: readonly string[] };
const known = new Map<string, Known>();
/** How many statements connections keep prepared; further ones are parsed each time. */
const MAX_KNOWN = 1_000;

/**
 * A statement with its values.
 * @param make its text, the first time that its form is met
 * @param form says all that its text depends on, and may be the text; it must be one of a few: what varies belongs into values
 * @throws TypeError when it names a value that is not given
 */
export function preparedStatement(form: string, bindings: Bindings, make: () => string): PreparedStatement {
  const { names, ...statement } = known.get(form) ?? remember(form, make);
  return { ...statement, values: boundValues(names, bindings) };
}

/** A statement without values, prepared; its text must be one of a few. */
export function preparedText(text: string): PreparedStatement {
  const { names: _, ...statement } = known.get(text) ?? keep(text, text, []);
  return { ...statement, values: [] };
}

function remember(form: string, make: () => string): Known {
  const { text, names } = positional(make(), (place) => `$${place}`);
  return keep(form, text, names);
}

function keep(form: string, text: string, names: readonly string[]): Known {
  const statement = { text, names, onlyReads: !WRITES.test(text) };
  if (known.size >= MAX_KNOWN) return statement;
  const named = { name: `s${known.size + 1}`, ...statement };
  known.set(form, named);
  return named;
}

/**
 * Puts places for the values that are named `:name`. Casts such as `:date::date` are left alone.
 * @param mark how the driver writes the place of a value, counted from 1
 * @returns the names of its values, in order
 */
export function positional(sql: string, mark: (place: number) => string): { text: string; names: string[] } {
  const names: string[] = [];
  const text = sql.replace(/(?<!:):([a-zA-Z]\w*)/g, (_, name: string) => mark(names.push(name)));
  return { text, names };
}

export function boundValues(names: readonly string[], bindings: Bindings): unknown[] {
  return names.map((name) => {
    if (!Object.hasOwn(bindings, name)) throw new TypeError(`The statement needs a value for ${name}`);
    return bindings[name];
  });
}
