/** SQL that reads what a table declares, under the names of the members: a new column is read wherever its row is. */
import { columnName } from './columns.ts';
import type { DeclaredTable } from './table.ts';

type Declared = Pick<DeclaredTable, 'columns'>;

/** @param alias of the table in the statement */
export function selectColumns({ columns }: Declared, alias: string): string {
  return Object.keys(columns)
    .map((member) => `${alias}."${columnName(member)}" as "${member}"`)
    .join(', ');
}

/** The same for rows within JSON, where exact numbers are texts: numbers of JSON would round them. */
export function selectJsonColumns({ columns }: Declared, alias: string): string {
  return Object.entries(columns)
    .map(([member, { kind }]) => `${alias}."${columnName(member)}"${kind === 'decimal' ? '::text' : ''} as "${member}"`)
    .join(', ');
}

/** A list of rows as JSON. @param rows a select that has them in their order */
export function jsonList(rows: string): string {
  return `(select coalesce(json_agg(entry), '[]') from (${rows}) entry)`;
}
