/** Statements with named values, in the form that the driver takes. */

export type Bindings = Readonly<Record<string, string | number | boolean | null | readonly string[] | Uint8Array>>;

/** A statement that each connection parses and plans once, by its name. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  /** Whether it writes to the outbox. */
  readonly writesEvents: boolean;
}

/** How every event reaches the outbox (trail.ts, eventStatement). */
export const EVENT_INSERT = 'insert into outbox';

type Known = Omit<NamedStatement, 'values'> & { readonly names: readonly string[] };
const known = new Map<string, Known>();
const forms = new Map<string, Known>();
/** Forms of statements that connections keep; what comes in more forms is parsed each time. */
const MAX_FORMS = 500;

/**
 * The statement by its text, which must be one of a few: what varies belongs into values.
 * @throws TypeError when it names a value that is not given
 */
export function named(sql: string, bindings: Bindings): NamedStatement {
  let statement = known.get(sql);
  if (statement === undefined) {
    const { text, names } = positional(sql, (place) => `$${place}`);
    statement = { name: `s${known.size + 1}`, text, names, writesEvents: text.includes(EVENT_INSERT) };
    known.set(sql, statement);
  }
  const { names, ...rest } = statement;
  return { ...rest, values: valuesOf(names, bindings) };
}

/**
 * A statement by the form that it has, whose text is made the first time only.
 * @param form says all that its text depends on
 */
export function formed(
  form: string,
  bindings: Bindings,
  make: { readonly sql: () => string; readonly writesEvents: boolean },
): Omit<NamedStatement, 'name'> & { readonly name?: string } {
  let statement = forms.get(form);
  if (statement === undefined) {
    const { text, names } = positional(make.sql(), (place) => `$${place}`);
    statement = { name: `f${forms.size + 1}`, text, names, writesEvents: make.writesEvents };
    if (forms.size < MAX_FORMS) forms.set(form, statement);
    else return { text, values: valuesOf(names, bindings), writesEvents: make.writesEvents };
  }
  const { names, ...rest } = statement;
  return { ...rest, values: valuesOf(names, bindings) };
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

export function valuesOf(names: readonly string[], bindings: Bindings): unknown[] {
  return names.map((name) => {
    if (!Object.hasOwn(bindings, name)) throw new TypeError(`The statement needs a value for ${name}`);
    return bindings[name];
  });
}
