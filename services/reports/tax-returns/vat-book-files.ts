/**
 * Files of the VAT books in the tax agency's format: a workbook with three rows of headings and the lines below, and the same as CSV, with
 * semicolons and decimal commas.
 */
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { bookFileName, type Cell, designCells, isDecimal } from '../../../domain/reports/tax-returns/vat-book-cells.ts';
import type { BookDesign, DesignColumn } from '../../../domain/reports/tax-returns/vat-book-designs.ts';
import { workbookWriter } from '../../records/exports/excel.ts';
import type { OwnFormat } from '../engine/declaration.ts';
import { assertVat } from './tax-model.ts';

type Rows = AsyncIterable<readonly object[]>;

/** The formats of a book, whose lines are the rows of its report, for companies that charge VAT: they name that tax and its returns. */
export function bookFormats<P, D extends { readonly year: number }, S>(
  design: BookDesign,
): Readonly<Record<'aeat' | 'aeat-csv', OwnFormat<P, D, S>>> {
  const fileName: OwnFormat<P, D, S>['fileName'] = ({ data: { year }, settings: { company } }) =>
    bookFileName(design, { year, ...company });
  const check = assertVat;
  return {
    aeat: {
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      extension: 'xlsx',
      workbook: true,
      check,
      fileName,
      write: (_, rows) => writeWorkbook(design, rows),
    },
    'aeat-csv': {
      type: 'text/csv; charset=utf-8',
      extension: 'csv',
      check,
      fileName,
      write: (_, rows) => writeCsv(design, rows),
    },
  };
}

/** Headings, and then the lines in batches. */
async function* bookRows(design: BookDesign, rows: Rows): AsyncGenerator<readonly Cell[][]> {
  const { columns } = design;
  const groups = columns.map(({ group }, index) => (group === columns[index - 1]?.group ? null : group));
  yield [groups, columns.map(({ title }) => title), columns.map(({ type }) => type)];
  for await (const batch of rows) yield batch.map((line) => designCells(design, line as Record<string, unknown>));
}

async function writeWorkbook(design: BookDesign, rows: Rows): Promise<Uint8Array> {
  const output = new PassThrough();
  const written = buffer(output);
  const book = new (workbookWriter())({ stream: output, useStyles: true });
  const sheet = book.addWorksheet(design.sheet);
  sheet.columns = design.columns.map((column) => ({ style: isDecimal(column) ? { numFmt: '0.00' } : {} }));
  for await (const batch of bookRows(design, rows)) for (const row of batch) sheet.addRow(row).commit();
  await book.commit();
  return await written;
}

async function writeCsv(design: BookDesign, rows: Rows): Promise<string> {
  const parts = ['\uFEFF'];
  for await (const batch of bookRows(design, rows)) {
    for (const row of batch)
      parts.push(`${row.map((value, index) => field(value, design.columns[index])).join(';')}\r\n`);
  }
  return parts.join('');
}

function field(value: Cell, column: DesignColumn | undefined): string {
  if (value === null) return '';
  if (typeof value === 'number')
    return column !== undefined && isDecimal(column) ? value.toFixed(2).replace('.', ',') : String(value);
  return /[";\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
