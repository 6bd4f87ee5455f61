/** Writes a list as CSV (RFC 4180) in UTF-8 with BOM, in the company's conventions, so that its spreadsheet program reads it correctly. */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { writeCell } from '../../../domain/records/tables/cells.ts';
import { type TableConventions, tableConventions } from '../../../domain/records/tables/conventions.ts';
import { type Column, valueIn } from './columns.ts';
import type { Table } from './table.ts';

/** Writes the table and ends the stream. @throws if rows cannot be read, or the stream is closed early */
export async function writeCsv(table: Table, output: Writable): Promise<void> {
  await pipeline(Readable.from(chunks(table), { objectMode: true, highWaterMark: 1 }), output);
}

async function* chunks({ columns, rows, format }: Table): AsyncGenerator<string> {
  const conventions = tableConventions(format);
  yield `\uFEFF${lines([columns.map(({ title }) => title)], conventions)}`;
  for await (const batch of rows) {
    yield lines(
      batch.map((row) => columns.map((column) => cell(row, column, conventions))),
      conventions,
    );
  }
}

/** Formats a cell. Null is an empty field; an empty text is quoted, so that the two differ. */
function cell(row: unknown, column: Column, conventions: TableConventions): string | null {
  const value = valueIn(row, column);
  return value === null ? null : writeCell(column.kind, value, conventions);
}

function lines(records: readonly (readonly (string | null)[])[], { separator }: TableConventions): string {
  return stringify(records as string[][], { delimiter: separator, record_delimiter: '\r\n', quoted_match: /^$/ });
}
