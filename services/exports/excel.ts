/** Writes a list as an Excel workbook while its rows are being read. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type ExcelJS from 'exceljs';
import { writeText } from '../../domain/tables/cells.ts';
import { wallTime } from '../../domain/tables/times.ts';
import type { FormatSettings } from '../settings/definitions.ts';
import { type Column, valueIn } from './columns.ts';
import type { Table } from './table.ts';

/** The most rows of a sheet, without the header. */
const MAX_ROWS = 1_048_575;
/** The most characters of a cell. */
const MAX_TEXT = 32_767;
/** The first day that Excel's calendar counts correctly. */
const FIRST_DAY = '1900-03-01';
const MAX_TITLE = 31;
/** Bytes that each stage of the zip buffers; the default is a megabyte. */
const ZIP_BUFFER = 64 * 1024;
const WIDTH = { least: 9, most: 60 };

type WorkbookWriter = ExcelJS.stream.xlsx.WorkbookWriter;

/**
 * The exceljs file that holds the writer: the main module would also load the reader, with dependencies that are no longer maintained. It
 * is loaded with the first workbook, since it takes 15 MB.
 */
export function workbookWriter(): typeof ExcelJS.stream.xlsx.WorkbookWriter {
  return createRequire(import.meta.url)('exceljs/lib/stream/xlsx/workbook-writer.js');
}

type CellValue = string | number | boolean | Date | null;

/**
 * Writes the table and ends the stream.
 * @param maxRows the most rows of a sheet, without the header; the rest continues in further sheets
 * @throws when rows cannot be read, or the stream is closed before its end
 */
export async function writeExcel(table: Table, output: Writable, maxRows = MAX_ROWS): Promise<void> {
  const { columns, format } = table;
  const workbook = new (workbookWriter())({
    stream: output,
    useStyles: true,
    created: table.now,
    zip: { highWaterMark: ZIP_BUFFER },
  } as never);
  // Ends the waiting below when the stream is closed early; the rejection itself is handled by the caller at the end.
  const done = finished(output, { readable: false });
  done.catch(() => undefined);
  let sheet: Sheet | undefined;
  let sheets = 0;
  for await (const batch of table.rows) {
    const rows = batch.map((row) => columns.map((column) => cellValue(valueIn(row, column), column, format)));
    for (let from = 0; from < rows.length; ) {
      if (sheet === undefined || sheet.rows === maxRows) {
        sheet?.close();
        sheet = new Sheet(workbook, titleOf(table.title, ++sheets), columns, format, rows);
      }
      const fit = rows.slice(from, from + maxRows - sheet.rows);
      sheet.add(fit);
      from += fit.length;
    }
    await sheet?.drained(done);
  }
  sheet ??= new Sheet(workbook, titleOf(table.title, 1), columns, format, []);
  sheet.close();
  await Promise.race([workbook.commit(), done]);
  await done;
}

/** Streams of the old kind have no public property for it. */
type Pipe = Writable & { readonly _writableState: { readonly needDrain: boolean } };

/**
 * What we use of exceljs' writer beyond its types: a sheet buffers everything it is given, so only the pipe behind it shows back-pressure.
 */
type SheetWriter = ExcelJS.Worksheet & { readonly stream: { readonly pipes: readonly Pipe[] } };

class Sheet {
  readonly #writer: SheetWriter;
  readonly #columns: number;
  #rows = 0;

  constructor(
    workbook: WorkbookWriter,
    title: string,
    columns: readonly Column[],
    format: FormatSettings,
    sample: readonly (readonly CellValue[])[],
  ) {
    this.#columns = columns.length;
    this.#writer = workbook.addWorksheet(title, { views: [{ state: 'frozen', ySplit: 1 }] }) as SheetWriter;
    this.#writer.columns = columns.map((column, index) => ({
      header: column.title,
      width: widthOf(
        column,
        sample.map((row) => row[index] ?? null),
      ),
      style: styleOf(column, format),
    }));
    const header = this.#writer.getRow(1);
    header.font = { name: 'Calibri', size: 11, bold: true };
    header.commit();
  }

  /** Number of rows, without the header. */
  get rows(): number {
    return this.#rows;
  }

  add(rows: readonly (readonly CellValue[])[]): void {
    for (const row of rows) this.#writer.addRow(row).commit();
    this.#rows += rows.length;
  }

  /** Waits until the reader has taken everything written so far, so that rows do not pile up in memory. */
  async drained(done: Promise<void>): Promise<void> {
    for (const pipe of this.#writer.stream.pipes) {
      if (pipe._writableState.needDrain) await Promise.race([once(pipe, 'drain'), done]);
    }
  }

  close(): void {
    const last = { row: this.#rows + 1, column: this.#columns };
    this.#writer.autoFilter = { from: { row: 1, column: 1 }, to: last };
    this.#writer.commit();
  }
}

/** Numbers, booleans and dates as such; an instant in the company's local time, since Excel has no time zones. */
function cellValue(value: unknown, { kind }: Column, { timezone }: FormatSettings): CellValue {
  if (value === null) return null;
  switch (kind) {
    case 'number':
    case 'integer':
      return Number(value);
    case 'boolean':
      return value === true;
    case 'date':
      return String(value) < FIRST_DAY ? String(value) : new Date(`${String(value)}T00:00:00Z`);
    case 'instant':
      return String(value) < FIRST_DAY ? String(value) : new Date(wallTime(String(value), timezone));
    default:
      return fit(writeText(kind, value));
  }
}

/** Characters that XML cannot hold, or reads as others. */
const UNWRITABLE = /(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu;

/**
 * Longer texts make Excel report a damaged file. Characters that XML cannot hold are written by their number, as Excel does; a text such as
 * _x0041_ would then be read as an A.
 */
function fit(text: string): string {
  const fits = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
  return fits
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(UNWRITABLE, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}

/** Number formats in Excel's own, language-independent notation. */
function styleOf({ kind, measure, places }: Column, format: FormatSettings): Partial<ExcelJS.Style> {
  const day = format.dateFormat.replaceAll(/[^dMy]/g, '\\$&').replaceAll('M', 'm');
  switch (kind) {
    case 'number': {
      const shown = measure === 'quantity' ? format.quantityPrecision : format.decimalPrecision;
      // With only optional decimals, Excel would write "2." for 2.
      const digits = shown === 0 ? '' : '0'.repeat(shown) + '#'.repeat(Math.max(0, places - shown));
      return { numFmt: digits === '' ? '#,##0' : `#,##0.${digits}` };
    }
    case 'integer':
      return { numFmt: '0' };
    case 'date':
      return { numFmt: day };
    case 'instant':
      return { numFmt: `${day} hh:mm:ss` };
    case 'boolean':
      return {};
    default:
      return { numFmt: '@' };
  }
}

/** Estimated from the header and the first rows: in the file, columns come before rows. */
function widthOf({ title, kind }: Column, sample: readonly CellValue[]): number {
  if (kind === 'instant') return Math.max(20, title.length + 4);
  if (kind === 'date') return Math.max(12, title.length + 4);
  const longest = Math.max(title.length + 3, ...sample.map((value) => (value === null ? 0 : String(value).length + 2)));
  return Math.min(WIDTH.most, Math.max(WIDTH.least, longest));
}

/** A sheet's name has at most 31 characters, without those that formulas use. */
function titleOf(title: string, sheet: number): string {
  const suffix = sheet === 1 ? '' : ` ${sheet}`;
  return `${title.replaceAll(/[*?:\\/[\]]/g, ' ').slice(0, MAX_TITLE - suffix.length)}${suffix}`;
}
