/** One sheet of a workbook, written while its rows are being read. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type ExcelJS from 'exceljs';
import { decimal, type Exact } from '../../../domain/money.ts';
import { type Column, valueIn } from './columns.ts';
import { type CellValue, cellStyle, cellValue, columnWidth, isCut } from './excel-cells.ts';
import type { Table } from './table.ts';

/** exceljs' old-style streams have no public property for back-pressure. */
type Pipe = Writable & { readonly _writableState: { readonly needDrain: boolean } };

/**
 * A member of exceljs' writer that its type lacks. A sheet buffers everything written to it, so only the pipe behind it shows
 * back-pressure.
 */
type SheetWriter = ExcelJS.Worksheet & { readonly stream: { readonly pipes: readonly Pipe[] } };

/** Number of rows above the data, for the column titles. */
const HEAD = 1;
const FONT = { name: 'Calibri', size: 11 };
/** Sheets with more columns are printed in landscape. */
const PORTRAIT_COLUMNS = 6;

export class Sheet {
  readonly #writer: SheetWriter;
  readonly #table: Table;
  /** Sums of the columns that have a total. */
  readonly #sums: Map<string, Exact>;
  #rows = 0;

  /** @param sample the first rows, to estimate the column widths */
  constructor(
    workbook: ExcelJS.stream.xlsx.WorkbookWriter,
    name: string,
    table: Table,
    sample: readonly (readonly CellValue[])[],
  ) {
    const { columns, format } = table;
    this.#table = table;
    this.#sums = new Map(Object.keys(table.totals ?? {}).map((column) => [column, decimal('0')]));
    this.#writer = workbook.addWorksheet(name, {
      views: [{ state: 'frozen', ySplit: HEAD }],
      ...printed(table),
    }) as SheetWriter;
    const largest = largestTotal(table);
    this.#writer.columns = columns.map((column, index) => {
      const values = sample.map((row) => row[index] ?? null);
      const wrapped = isCut(column, values, format) ? { alignment: { wrapText: true, vertical: 'top' as const } } : {};
      return {
        header: column.title,
        width: columnWidth(column, values, format, largest),
        style: { ...cellStyle(column, format), ...wrapped },
      };
    });
    const header = this.#writer.getRow(HEAD);
    header.font = { ...FONT, bold: true };
    header.commit();
  }

  /** Number of rows, without the header. */
  get rows(): number {
    return this.#rows;
  }

  /** Adds rows. @param rows as read, for their place in a tree @param cells the cells of each row */
  add(rows: readonly unknown[], cells: readonly (readonly CellValue[])[]): void {
    for (const [index, values] of cells.entries()) {
      this.#rows += 1;
      const row = this.#writer.addRow(values);
      if (this.#table.tree === true) this.#shape(row, rows[index] as TreeRow);
      row.commit();
    }
    for (const [name, sum] of this.#sums) this.#sums.set(name, this.#plus(name, sum, rows));
  }

  /** Waits until the reader has taken everything written so far, so that rows do not pile up in memory. */
  async drained(done: Promise<void>): Promise<void> {
    for (const pipe of this.#writer.stream.pipes) {
      if (pipe._writableState.needDrain) await Promise.race([once(pipe, 'drain'), done]);
    }
  }

  /** Ends the sheet. @param whole whether it has all rows of the table */
  close(whole: boolean): void {
    const last = { row: this.#rows + HEAD, column: this.#table.columns.length };
    this.#writer.autoFilter = { from: { row: HEAD, column: 1 }, to: last };
    if (this.#table.totals !== undefined) this.#total(whole);
    this.#writer.commit();
  }

  /** Indents a row of a tree, and writes sums of its parts as formulas. */
  #shape(row: ExcelJS.Row, { level, parts }: TreeRow): void {
    for (const [index, { name, kind }] of this.#table.columns.entries()) {
      const cell = row.getCell(index + 1);
      if (name === 'name') cell.alignment = { ...cell.alignment, indent: level };
      if (parts.length > 0) cell.font = { ...FONT, bold: true };
      if (kind === 'number' && parts.length > 0 && typeof cell.value === 'number') {
        const letter = columnLetter(index);
        cell.value = { formula: parts.map((part) => `${letter}${part + HEAD + 1}`).join('+'), result: cell.value };
      }
    }
  }

  /** Adds the last row: formulas that sum the filtered rows if the totals are sums, else the totals themselves. */
  #total(whole: boolean): void {
    const { columns, totals = {} } = this.#table;
    const row = this.#writer.addRow(columns.map((column) => this.#totalCell(column, totals[column.name], whole)));
    columns.forEach((column, index) => {
      const cell = row.getCell(index + 1);
      cell.font = { ...FONT, bold: true };
      cell.border = { top: { style: 'thin' } };
      if (index === 0 && totals[column.name] === undefined) cell.value = 'Total';
    });
    row.commit();
  }

  #totalCell(column: Column, total: unknown, whole: boolean): CellValue {
    if (typeof total !== 'number') return null;
    // Percentages have no sum, even if they happen to add up.
    const isSum =
      column.measure !== 'percent' &&
      whole &&
      this.#rows > 0 &&
      this.#sums.get(column.name)?.eq(decimal(total)) === true;
    if (!isSum) return total;
    const letter = columnLetter(this.#table.columns.indexOf(column));
    const range = `${letter}${HEAD + 1}:${letter}${this.#rows + HEAD}`;
    // Function 9 sums only the rows that a filter leaves visible.
    return { formula: `SUBTOTAL(9,${range})`, result: total };
  }

  #plus(name: string, sum: Exact, rows: readonly unknown[]): Exact {
    const column = this.#table.columns.find((candidate) => candidate.name === name);
    if (column === undefined) return sum;
    return rows.reduce<Exact>((total, row) => {
      const value = valueIn(row, column);
      return typeof value === 'number' && value !== 0 ? decimal(total.plus(decimal(value))) : total;
    }, sum);
  }
}

interface TreeRow {
  readonly level: number;
  readonly parts: readonly number[];
}

/** Largest total of the amounts; a balance is seldom larger. */
function largestTotal({ columns, totals = {} }: Table): number | null {
  const amounts = columns.flatMap(({ name, kind, measure }) => {
    const total = kind === 'number' && measure === 'amount' ? totals[name] : undefined;
    return typeof total === 'number' ? [total] : [];
  });
  return amounts.reduce<number | null>((a, b) => (a === null || Math.abs(b) > Math.abs(a) ? b : a), null);
}

/** The cells of a row. */
export function rowCells(row: unknown, { columns, format }: Table): CellValue[] {
  return columns.map((column) => cellValue(valueIn(row, column), column, format));
}

/** Header and page setup for printing, if the table has a heading. */
function printed({ heading, columns }: Table): Partial<ExcelJS.AddWorksheetOptions> {
  if (heading === undefined) return {};
  // Doubled, since in Excel a single one begins a code.
  const [left, middle, right] = heading.map((text) => text.replaceAll('&', '&&'));
  return {
    headerFooter: { oddHeader: `&L${left}&C&B${middle}&B&R${right}`, oddFooter: '&R&P / &N' },
    pageSetup: {
      paperSize: 9, // A4
      orientation: columns.length > PORTRAIT_COLUMNS ? 'landscape' : 'portrait',
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
      printTitlesRow: '1:1',
    },
  };
}

/** Letters of a column: A, B, …, Z, AA, … @param index from 0 */
function columnLetter(index: number): string {
  const rest = index % 26;
  const letter = String.fromCharCode(65 + rest);
  return index < 26 ? letter : `${columnLetter((index - rest) / 26 - 1)}${letter}`;
}
