/** Writes tables as an Excel workbook while their rows are being read. */
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type ExcelJS from 'exceljs';
import { addPictures, type Picture } from './excel-pictures.ts';
import { rowCells, Sheet } from './excel-sheet.ts';
import type { Table } from './table.ts';

/** Maximum number of rows in a sheet, without the header and the totals. */
const MAX_ROWS = 1_048_574;
const MAX_TITLE = 31;
/** Minimum number of rows read before a sheet begins, used to estimate column widths. */
const SAMPLE_ROWS = 200;
/** Bytes that each stage of the zip buffers; the default is a megabyte. */
const ZIP_BUFFER = 64 * 1024;

type WorkbookWriter = ExcelJS.stream.xlsx.WorkbookWriter;

/**
 * Loads exceljs' writer when the first workbook is written, since it takes 15 MB. The main module would also load the reader, with
 * dependencies that are no longer maintained.
 */
export function workbookWriter(): typeof ExcelJS.stream.xlsx.WorkbookWriter {
  return createRequire(import.meta.url)('exceljs/lib/stream/xlsx/workbook-writer.js');
}

export interface ExcelOptions {
  readonly maxRows?: number;
  readonly pictures?: { readonly title: string; readonly all: readonly Picture[] } | undefined;
}

/**
 * Writes each table on its own sheet, and ends the stream.
 * @param options.maxRows maximum number of rows of a sheet, without the header; the rest continues on further sheets
 * @param options.pictures shown on a separate sheet
 * @throws if rows cannot be read, or the stream is closed early
 */
export async function writeExcel(
  tables: Table | readonly [Table, ...Table[]],
  output: Writable,
  { maxRows = MAX_ROWS, pictures }: ExcelOptions = {},
): Promise<void> {
  const all = 'columns' in tables ? [tables] : tables;
  const workbook = new (workbookWriter())({
    stream: output,
    useStyles: true,
    created: all[0]?.now,
    zip: { highWaterMark: ZIP_BUFFER },
  } as never);
  // Ends the waiting below if the stream is closed early; the rejection itself is awaited at the end.
  const done = finished(output, { readable: false });
  done.catch(() => undefined);
  const names = new SheetNames();
  for (const table of all) await writeTable(workbook, table, names, maxRows, done);
  if (pictures !== undefined && pictures.all.length > 0) {
    addPictures(workbook, names.next(pictures.title), pictures.all);
  }
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
  for await (const batch of withSample(table.rows)) {
    const cells = batch.map((row) => rowCells(row, table));
    for (let from = 0; from < batch.length; ) {
      if (sheet === undefined || sheet.rows === maxRows) {
        sheet?.close(false);
        sheet = new Sheet(workbook, names.next(table.sheet ?? table.title), table, cells);
        sheets += 1;
      }
      const to = from + maxRows - sheet.rows;
      sheet.add(batch.slice(from, to), cells.slice(from, to));
      from = to;
    }
    await sheet?.drained(done);
  }
  sheet ??= new Sheet(workbook, names.next(table.sheet ?? table.title), table, []);
  sheet.close(sheets <= 1);
}

/** Regroups the batches so that the first has enough rows to estimate the column widths. */
async function* withSample<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
  let first: readonly T[] | null = [];
  for await (const batch of batches) {
    if (first === null) {
      yield batch;
      continue;
    }
    first = [...first, ...batch];
    if (first.length < SAMPLE_ROWS) continue;
    yield first;
    first = null;
  }
  if (first !== null && first.length > 0) yield first;
}

/** Unique names for a workbook's sheets: at most 31 characters, without characters that formulas use. */
class SheetNames {
  readonly #used = new Set<string>();

  next(title: string): string {
    const plain =
      title
        .replaceAll(/[*?:\\/[\]]/g, ' ')
        .replaceAll(/^'|'$/g, ' ')
        .trim() || 'Sheet';
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : ` ${number}`;
      const name = `${shortened(plain, MAX_TITLE - suffix.length)}${suffix}`;
      if (!this.#used.has(name.toLowerCase())) {
        this.#used.add(name.toLowerCase());
        return name;
      }
    }
  }
}

/** Shortens a title, between words if possible. */
function shortened(title: string, most: number): string {
  if (title.length <= most) return title;
  const cut = title.slice(0, most);
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > most / 2 ? space : most - 1).trim()}…`;
}
