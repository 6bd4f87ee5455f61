/** SQL that selects all declared columns of a table under their member names, so that a new column is read wherever its row is. */
import { columnName } from './columns.ts';
import type { DeclaredTable } from './table.ts';

type Declared = Pick<DeclaredTable, 'columns'>;

/** @param alias of the table in the statement */
export function selectColumns({ columns }: Declared, alias: string): string {
  return Object.keys(columns)
    .map((member) => `${alias}."${columnName(member)}" as "${member}"`)
    .join(', ');
}

/** The same for rows within JSON, where exact numbers become texts because JSON numbers would be rounded. */
export function selectJsonColumns({ columns }: Declared, alias: string): string {
  return Object.entries(columns)
    .map(([member, { kind }]) => `${alias}."${columnName(member)}"${kind === 'decimal' ? '::text' : ''} as "${member}"`)
    .join(', ');
}

/** SQL of a list of rows as JSON. @param rows a select that returns them in order */
export function jsonList(rows: string): string {
  return `(select coalesce(json_agg(entry), '[]') from (${rows}) entry)`;
}
