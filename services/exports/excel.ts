/** Writes tables as an Excel workbook while their rows are being read. */
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type ExcelJS from 'exceljs';
import { cellsOf, Sheet } from './excel-sheet.ts';
import type { Table } from './table.ts';

/** The most rows of a sheet, without the header and a row of totals. */
const MAX_ROWS = 1_048_574;
const MAX_TITLE = 31;
/** Bytes that each stage of the zip buffers; the default is a megabyte. */
const ZIP_BUFFER = 64 * 1024;

type WorkbookWriter = ExcelJS.stream.xlsx.WorkbookWriter;

/**
 * The exceljs file that holds the writer: the main module would also load the reader, with dependencies that are no longer maintained. It
 * is loaded with the first workbook, since it takes 15 MB.
 */
export function workbookWriter(): typeof ExcelJS.stream.xlsx.WorkbookWriter {
  return createRequire(import.meta.url)('exceljs/lib/stream/xlsx/workbook-writer.js');
}

/**
 * Writes the tables, each on a sheet of its own, and ends the stream.
 * @param maxRows the most rows of a sheet, without the header; the rest continues in further sheets
 * @throws when rows cannot be read, or the stream is closed before its end
 */
export async function writeExcel(
  tables: Table | readonly [Table, ...Table[]],
  output: Writable,
  maxRows = MAX_ROWS,
): Promise<void> {
  const all = 'columns' in tables ? [tables] : tables;
  const workbook = new (workbookWriter())({
    stream: output,
    useStyles: true,
    created: all[0]?.now,
    zip: { highWaterMark: ZIP_BUFFER },
  } as never);
  // Ends the waiting below when the stream is closed early; the rejection itself is handled by the caller at the end.
  const done = finished(output, { readable: false });
  done.catch(() => undefined);
  const names = new SheetNames();
  for (const table of all) await writeTable(workbook, table, names, maxRows, done);
  await Promise.race([workbook.commit(), done]);
  await done;
}

async function writeTable(
  workbook: WorkbookWriter,
  table: Table,
  names: SheetNames,
  maxRows: number,
  done: Promise<void>,
): Promise<void> {
  let sheet: Sheet | undefined;
  let sheets = 0;
  for await (const batch of table.rows) {
    const cells = batch.map((row) => cellsOf(row, table));
    for (let from = 0; from < batch.length; ) {
      if (sheet === undefined || sheet.rows === maxRows) {
        sheet?.close(false);
        sheet = new Sheet(workbook, names.next(table.title), table, cells);
        sheets += 1;
      }
      const to = from + maxRows - sheet.rows;
      sheet.add(batch.slice(from, to), cells.slice(from, to));
      from = to;
    }
    await sheet?.drained(done);
  }
  sheet ??= new Sheet(workbook, names.next(table.title), table, []);
  sheet.close(sheets <= 1);
}

/** The names of a workbook's sheets: at most 31 characters, without those that formulas use, and each once. */
class SheetNames {
  readonly #used = new Set<string>();

  next(title: string): string {
    const plain = title.replaceAll(/[*?:\\/[\]]/g, ' ');
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : ` ${number}`;
      const name = `${plain.slice(0, MAX_TITLE - suffix.length)}${suffix}`;
      if (!this.#used.has(name.toLowerCase())) {
        this.#used.add(name.toLowerCase());
        return name;
      }
    }
  }
}
