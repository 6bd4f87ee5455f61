/** Prepares lines of a file: reads cells by their columns and detects repeated lines. */
import type { RowError } from '../../../domain/errors.ts';
import type { TableConventions } from '../../../domain/records/tables/conventions.ts';
import { isStorable } from '../../platform/validation/text.ts';
import { readValue } from './cells.ts';
import type { Columns } from './columns.ts';
import type { SourceRow } from './source.ts';

export interface PreparedRow {
  readonly line: number;
  /** Values by member; null for an empty cell. */
  readonly values: Record<string, unknown>;
  readonly faults: Omit<RowError, 'line'>[];
  /** Members whose references can only be resolved once the rows above are written. */
  readonly later: string[];
}

/** Reads the cells of a line. @param ragged whether it may have fewer cells than the header, since Excel omits empty ones */
export function prepareRow(
  columns: Columns,
  { line, cells }: SourceRow,
  conventions: TableConventions,
  ragged: boolean,
): PreparedRow {
  const row: PreparedRow = { line, values: {}, faults: [], later: [] };
  const superfluous = cells.slice(columns.length).some((cell) => cell !== null && cell !== '');
  if (superfluous || (!ragged && cells.length < columns.length)) {
    const [code, words] = superfluous ? ['too_many_cells', 'more'] : ['too_few_cells', 'fewer'];
    row.faults.push({ column: null, code, message: `has ${words} cells than the header has columns` });
    return row;
  }
  columns.forEach((column, index) => {
    const cell = cells[index];
    if (column === null) {
      if (cell !== undefined && cell !== null && cell !== '') {
        row.faults.push({
          column: null,
          code: 'unknown_column',
          message: `has a cell in column ${index + 1}, which has no name`,
        });
      }
      return;
    }
    // Read-only cells need not be readable.
    if (column.write === 'never' && column.name !== 'id') return;
    const read = readValue(column, cell, conventions);
    if ('fault' in read) row.faults.push({ column: column.header, ...read.fault });
    else if (typeof read.value === 'string' && !isStorable(read.value)) {
      // Checked before it is used in a query.
      row.faults.push({
        column: column.header,
        code: 'invalid_text',
        message: 'contains a character that cannot be stored',
      });
    } else row.values[column.name] = read.value;
  });
  return row;
}

/** Remembers the first line for each record, since a second one would undo the first. */
export class Repetitions {
  readonly #lines = new Map<string, number>();

  /** Returns the earlier line with the same key; undefined for the first line, also if it is processed again. */
  note(key: string, line: number): number | undefined {
    const first = this.#lines.get(key);
    if (first === undefined) this.#lines.set(key, line);
    return first === line ? undefined : first;
  }
}
