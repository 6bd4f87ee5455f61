/** A list as an Excel workbook, written while its rows are read. */
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

/** Rows of a sheet, the header aside. */
const MAX_ROWS = 1_048_575;
/** Characters that a cell takes. */
const MAX_TEXT = 32_767;
/** The first day that Excel's calendar has right. */
const FIRST_DAY = '1900-03-01';
const MAX_TITLE = 31;
/** Bytes that each stage of the zip holds back; a megabyte unless told. */
const ZIP_BUFFER = 64 * 1024;
const WIDTH = { least: 9, most: 60 };

type WorkbookWriter = ExcelJS.stream.xlsx.WorkbookWriter;
/** The file of exceljs that writes: its main module would load what reads workbooks as well, and some of that is no longer kept. */
const WorkbookWriter = createRequire(import.meta.url)(
  'exceljs/lib/stream/xlsx/workbook-writer.js',
) as typeof ExcelJS.stream.xlsx.WorkbookWriter;

type CellValue = string | number | boolean | Date | null;

/**
 * Writes the table and ends the stream.
 * @param maxRows rows of a sheet, the header aside; what is more goes on in further sheets
 * @throws when rows cannot be read, or the stream is closed before its end
 */
export async function writeExcel(table: Table, output: Writable, maxRows = MAX_ROWS): Promise<void> {
  const { columns, format } = table;
  const workbook = new WorkbookWriter({
    stream: output,
    useStyles: true,
    created: table.now,
    zip: { highWaterMark: ZIP_BUFFER },
  } as never);
  // Whatever closes the stream early ends the waiting below; the rejection itself is for who waits at the end.
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
      const fitting = rows.slice(from, from + maxRows - sheet.rows);
      sheet.add(fitting);
      from += fitting.length;
    }
    await sheet?.drained(done);
  }
  sheet ??= new Sheet(workbook, titleOf(table.title, 1), columns, format, []);
  sheet.close();
  await Promise.race([workbook.commit(), done]);
  await done;
}

/** Of the old kind of streams, which has no public word for it. */
type Pipe = Writable & { readonly _writableState: { readonly needDrain: boolean } };

/** What is used of exceljs' writer beyond its types: a sheet takes all it is given at once, the pipe behind it tells. */
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

  /** How many it has, the header aside. */
  get rows(): number {
    return this.#rows;
  }

  add(rows: readonly (readonly CellValue[])[]): void {
    for (const row of rows) this.#writer.addRow(row).commit();
    this.#rows += rows.length;
  }

  /** Waits until the reader has taken what was written so far, so that rows do not pile up in memory. */
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

/** Numbers, truth values and days as such; an instant as the company's clocks show it, since Excel has no zones. */
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
      return fitting(writeText(kind, value));
  }
}

/** Signs that XML cannot hold, or reads as others. */
const UNWRITABLE = /(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu;

/**
 * Longer texts make Excel take the file for damaged. Signs that XML cannot hold are written by their number, as Excel does;
 * a text such as _x0041_ would then be read as an A.
 */
function fitting(text: string): string {
  const fits = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
  return fits
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(UNWRITABLE, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}

/** Number formats in Excel's own, language-independent signs. */
function styleOf({ kind, measure, places }: Column, format: FormatSettings): Partial<ExcelJS.Style> {
  const day = format.dateFormat.replaceAll(/[^dMy]/g, '\\$&').replaceAll('M', 'm');
  switch (kind) {
    case 'number': {
      const shown = measure === 'quantity' ? format.quantityPrecision : format.decimalPrecision;
      // With optional decimals alone, Excel would write "2." for 2.
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

/** By the header and the first rows: columns stand before rows in the file. */
function widthOf({ title, kind }: Column, sample: readonly CellValue[]): number {
  if (kind === 'instant') return Math.max(20, title.length + 4);
  if (kind === 'date') return Math.max(12, title.length + 4);
  const longest = Math.max(title.length + 3, ...sample.map((value) => (value === null ? 0 : String(value).length + 2)));
  return Math.min(WIDTH.most, Math.max(WIDTH.least, longest));
}

/** A sheet's name has at most 31 characters, and none of those that formulas need. */
function titleOf(title: string, sheet: number): string {
  const suffix = sheet === 1 ? '' : ` ${sheet}`;
  return `${title.replaceAll(/[*?:\\/[\]]/g, ' ').slice(0, MAX_TITLE - suffix.length)}${suffix}`;
}
