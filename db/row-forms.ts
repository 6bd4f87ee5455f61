/**
 * What rows are made of the texts that PostgreSQL sends. For each form and set of columns a function is compiled that writes the row as one
 * object literal: several times faster than adding its members one by one, and rows of one kind share a hidden class.
 */
import pg from 'pg';

export interface Column {
  readonly name: string;
  /** The oid of its type. */
  readonly dataTypeID: number;
}

/** Makes the value of a text; null where the text is the value. */
type Parse = ((text: string) => unknown) | null;

/** What a column is in a row. */
export interface Member {
  readonly name: string;
  readonly parse: Parse;
  /** Whether its value is an object whose members come last in the row, in place of the column. */
  readonly isSpread?: boolean;
}

export type MakeRow<Row = unknown> = (values: readonly (string | null)[]) => Row;

/** Makes the function that makes the rows of a result with these columns. There must be few forms, each made once. */
export type RowForm<Row = unknown> = (columns: readonly Column[]) => MakeRow<Row>;

/** The form of objects. @param toMember what a column is, given how values of its type are parsed; null leaves it out */
export function rowForm(toMember: (column: string, parse: Parse) => Member | null): RowForm {
  return (columns) => {
    const members = columns.map(({ name, dataTypeID }) => toMember(name, typeParser(dataTypeID)));
    return compiled(members);
  };
}

/** Rows as the driver makes them: all columns by name. */
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

/** How many functions of a form are kept. Statements have few sets of columns. */
const MOST_KEPT = 1000;
const kept = new WeakMap<RowForm, Map<string, MakeRow>>();

/** The columns of a result, and a text that says all of them. */
export interface Described {
  readonly columns: readonly Column[];
  readonly key: string;
}

export function described(columns: readonly Column[]): Described {
  return { columns, key: columns.map(({ name, dataTypeID }) => `${dataTypeID}${name}`).join() };
}

/** The function that makes the rows of a result. */
export function rowMaker(form: RowForm, { columns, key }: Described): MakeRow {
  const known = kept.get(form) ?? new Map<string, MakeRow>();
  const found = known.get(key);
  if (found !== undefined) return found;
  const make = form(columns);
  if (known.size >= MOST_KEPT) known.clear();
  kept.set(form, known.set(key, make));
  return make;
}
