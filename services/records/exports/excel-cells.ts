/** The cells of Excel workbooks: typed values, number formats, widths. */
import type ExcelJS from 'exceljs';
import { decimal } from '../../../domain/money.ts';
import { writeText } from '../../../domain/records/tables/cells.ts';
import { wallTime } from '../../../domain/records/tables/times.ts';
import type { FormatSettings } from '../../platform/settings/definitions.ts';
import type { Column } from './columns.ts';

/** Maximum characters in a cell. */
const MAX_TEXT = 32_767;
/** The first day that Excel's calendar counts correctly. */
const FIRST_DAY = '1900-03-01';
/** Widths of columns, in characters as Excel counts them. */
const WIDTH = { least: 9, most: 60 };
/** Minimum widths: room for 99,999,999.99 with a sign, since later rows may have larger figures than the first. */
const LEAST: Partial<Record<Column['kind'], number>> = { number: 14, date: 12, instant: 20 };

export interface Formula {
  readonly formula: string;
  /** The computed value, for readers that do not calculate. */
  readonly result: number;
}

export type CellValue = string | number | boolean | Date | Formula | null;

/** Converts a value to a typed cell. Instants become the company's local time, since Excel has no time zones. */
export function cellValue(value: unknown, { kind }: Column, { timezone }: FormatSettings): CellValue {
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

/** Characters that XML cannot contain, or reads as others. */
const UNWRITABLE = /(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu;

/**
 * Cuts a text, since Excel would report a longer one as a damaged file, and writes characters that XML cannot contain by their number, as
 * Excel does. A text such as _x0041_ would then be read as an A.
 */
function fit(text: string): string {
  const fits = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
  return fits
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(UNWRITABLE, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}

/** Style with a number format in Excel's language-independent notation. */
export function cellStyle({ kind, measure, places }: Column, format: FormatSettings): Partial<ExcelJS.Style> {
  const day = format.dateFormat.replaceAll(/[^dMy]/g, '\\$&').replaceAll('M', 'm');
  switch (kind) {
    case 'number': {
      if (measure === 'percent') return { numFmt: `#,##0.${'0'.repeat(places)}" %"` };
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

/**
 * Width of a column in characters, estimated from the title and the first rows, since columns precede rows in the file.
 * @param largest the largest known figure of any column, which must fit into a column of amounts
 */
export function columnWidth(
  column: Column,
  sample: readonly CellValue[],
  format: FormatSettings,
  largest: CellValue = null,
): number {
  const { title, kind } = column;
  // The filter button takes three.
  const head = title.length + 3;
  const figures = kind === 'number' && column.measure === 'amount' ? [...sample, largest] : sample;
  const longest = Math.max(...figures.map((value) => shownLength(value, column, format)), 0) + 2;
  return Math.min(WIDTH.most, Math.max(LEAST[kind] ?? WIDTH.least, head, longest));
}

/** Whether texts of a column are too long for its width, so that they need several lines. */
export function isCut(column: Column, sample: readonly CellValue[], format: FormatSettings): boolean {
  return sample.some((value) => typeof value === 'string' && shownLength(value, column, format) > WIDTH.most);
}

/** Length of the displayed text. */
function shownLength(value: CellValue, column: Column, format: FormatSettings): number {
  if (value === null) return 0;
  if (typeof value === 'string') return Math.max(...value.split('\n').map((line) => line.length));
  if (value instanceof Date) return 0; // Dates have a fixed width.
  const number = typeof value === 'object' ? value.result : value;
  return typeof number === 'number' ? digitCount(number, column, format) : 5;
}

/** Length of a number with sign, thousands separators, decimals and percent sign. */
function digitCount(value: number, { kind, measure, places }: Column, format: FormatSettings): number {
  const [whole = '', decimals = ''] = decimal(value).toFixed().split('.');
  if (kind === 'integer') return whole.length;
  const { quantityPrecision, decimalPrecision } = format;
  const least = measure === 'percent' ? places : measure === 'quantity' ? quantityPrecision : decimalPrecision;
  const shown = measure === 'percent' ? places : Math.max(least, decimals.length);
  const separators = Math.floor((whole.replace('-', '').length - 1) / 3);
  return whole.length + separators + (shown > 0 ? shown + 1 : 0) + (measure === 'percent' ? 2 : 0);
}
