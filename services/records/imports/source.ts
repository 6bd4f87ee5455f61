/** Rows of a table file, whatever its format. */
import type { RowError } from '../../../domain/errors.ts';
import type { TableCell } from '../../../domain/records/tables/cells.ts';

export const CSV = 'text/csv';
export const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const TABLE_TYPES = [CSV, EXCEL] as const;
export type TableType = (typeof TABLE_TYPES)[number];

/** Maximum number of rows, without the header. */
export const MAX_ROWS = 100_000;
/** Maximum number of columns, more than any resource has. */
const MAX_COLUMNS = 1000;

export interface TableFile {
  readonly type: TableType;
  readonly content: Uint8Array;
}

export type SourceCell = TableCell;

export interface SourceRow {
  /** First line of the row in the file; the header is usually line 1. */
  readonly line: number;
  readonly cells: readonly SourceCell[];
}

/** Non-empty rows in the file's order, the header first, in batches. */
export type SourceRows = AsyncIterable<readonly SourceRow[]>;

/** Thrown for a file that cannot be imported at all, whatever its rows contain. */
export class BadTable extends Error {
  override readonly name = 'BadTable';
  readonly errors: readonly RowError[];

  constructor(errors: readonly RowError[]) {
    super(errors[0]?.message ?? 'The file cannot be read');
    this.errors = errors;
  }
}

/** Creates a BadTable with one fault. */
export function badTable(code: string, message: string, line = 1, column: string | null = null): BadTable {
  return new BadTable([{ line, column, code, message }]);
}

/** Limits the columns of a line, before an endless one fills the memory. @throws BadTable too_many_columns */
export function assertColumn(index: number, line: number): void {
  if (index < MAX_COLUMNS) return;
  throw badTable('too_many_columns', `has more than ${MAX_COLUMNS.toLocaleString('en-US')} columns`, line);
}
