/**
 * Forms of the rows that are built from PostgreSQL's texts. For each form and set of columns a function is compiled that builds the row as
 * one object literal: several times faster than adding members one by one, and rows of one kind share a hidden class.
 */
import pg from 'pg';

export interface Column {
  readonly name: string;
  /** OID of its type. */
  readonly dataTypeID: number;
}

/** Parses a text to a value; null if the text is the value. */
type Parse = ((text: string) => unknown) | null;

/** The member of a row that a column becomes. */
export interface Member {
  readonly name: string;
  readonly parse: Parse;
  /** Whether its value is an object whose members are added at the end of the row instead of the column. */
  readonly isSpread?: boolean;
}

export type MakeRow<Row = unknown> = (values: readonly (string | null)[]) => Row;

/** Builds a function that builds the rows of a result with these columns. There must be few forms, each created once. */
export type RowForm<Row = unknown> = (columns: readonly Column[]) => MakeRow<Row>;

/** Builds a form of objects. @param toMember returns the member for a column, given the parser of its type; null omits the column */
export function rowForm(toMember: (column: string, parse: Parse) => Member | null): RowForm {
  return (columns) => {
    const members = columns.map(({ name, dataTypeID }) => toMember(name, typeParser(dataTypeID)));
    return compiled(members);
  };
}

/** Rows like the driver's: all columns by name. */
export const PLAIN = rowForm((name, parse) => ({ name, parse }));

const UUID = 2950;

function typeParser(type: number): Parse {
  const isText = type === pg.types.builtins.TEXT || type === pg.types.builtins.VARCHAR || type === UUID;
  return isText ? null : (pg.types.getTypeParser(type, 'text') as (text: string) => unknown);
}

function compiled(members: readonly (Member | null)[]): MakeRow {
  const own: string[] = [];
  const spread: string[] = [];
  members.forEach((member, place) => {
    const text = `texts[${place}]`;
    if (member === null) return;
    if (member.isSpread)
      spread.push(`if (${text} !== null && ${text} !== "{}") Object.assign(row, parse${place}(${text}));`);
    else {
      const value = member.parse === null ? text : `${text} === null ? null : parse${place}(${text})`;
      own.push(`${JSON.stringify(member.name)}: ${value}`);
    }
  });
  const parsers = members.map((member) => member?.parse);
  const declared = `const [${parsers.map((_, place) => `parse${place}`).join(', ')}] = parsers;`;
  const code = `${declared} return (texts) => { const row = { ${own.join(', ')} }; ${spread.join(' ')} return row; };`;
  return new Function('parsers', code)(parsers) as MakeRow;
}

/** Maximum cached functions per form. Statements have few sets of columns. */
const MAX_CACHED = 1000;
const kept = new WeakMap<RowForm, Map<string, MakeRow>>();

/** The columns of a result, and a key that identifies them. */
export interface Described {
  readonly columns: readonly Column[];
  readonly key: string;
}

export function described(columns: readonly Column[]): Described {
  return { columns, key: columns.map(({ name, dataTypeID }) => `${dataTypeID}${name}`).join() };
}

/** Returns the function that builds the rows of a result. */
export function rowMaker(form: RowForm, { columns, key }: Described): MakeRow {
  const known = kept.get(form) ?? new Map<string, MakeRow>();
  const found = known.get(key);
  if (found !== undefined) return found;
  const make = form(columns);
  if (known.size >= MAX_CACHED) known.clear();
  kept.set(form, known.set(key, make));
  return make;
}
