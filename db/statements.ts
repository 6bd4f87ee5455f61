/** Converts statements with named values to the form of the driver. */

export type Bindings = Readonly<Record<string, string | number | boolean | null | readonly string[] | Uint8Array>>;

/** A statement for the driver, parsed and planned once per connection because it has a name. */
export interface PreparedStatement {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
  /** Whether it changes no rows. */
  readonly onlyReads: boolean;
}

/** Keywords of statements that change rows; `for update` counts too. */
const WRITES = /\b(?:insert|update|delete|merge|truncate)\b/i;

type Known = Omit<PreparedStatement, 'values'> & { readonly names: readonly string[] };
const known = new Map<string, Known>();
/** Maximum number of prepared statements; others are parsed each time. */
const MAX_KNOWN = 1_000;

/**
 * Builds a statement with its values.
 * @param make builds its text, called once per form
 * @param form key of everything that its text depends on, or the text itself; there must be few: whatever varies belongs in the values
 * @throws TypeError if a named value is missing
 */
export function preparedStatement(form: string, bindings: Bindings, make: () => string): PreparedStatement {
  const { names, ...statement } = known.get(form) ?? remember(form, make);
  return { ...statement, values: boundValues(names, bindings) };
}

/** Builds a prepared statement without values; there must be few texts. */
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
 * Replaces named values (`:name`) by placeholders. Casts such as `:date::date` are left alone.
 * @param mark builds the driver's placeholder for a position, counted from 1
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
