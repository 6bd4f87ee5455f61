/** The cells of Excel workbooks: typed values, number formats, widths. */
import type ExcelJS from 'exceljs';
import { writeText } from '../../domain/tables/cells.ts';
import { wallTime } from '../../domain/tables/times.ts';
import type { FormatSettings } from '../settings/definitions.ts';
import type { Column } from './columns.ts';

/** The most characters of a cell. */
const MAX_TEXT = 32_767;
/** The first day that Excel's calendar counts correctly. */
const FIRST_DAY = '1900-03-01';
const WIDTH = { least: 9, most: 60 };

export interface Formula {
  readonly formula: string;
  /** What it amounts to, for readers that do not calculate. */
  readonly result: number;
}

export type CellValue = string | number | boolean | Date | Formula | null;

/** Numbers, booleans and dates as such; an instant in the company's local time, since Excel has no time zones. */
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
export function styleOf({ kind, measure, places }: Column, format: FormatSettings): Partial<ExcelJS.Style> {
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

/** Estimated from the header and the first rows: in the file, columns come before rows. */
export function widthOf({ title, kind }: Column, sample: readonly CellValue[]): number {
  if (kind === 'instant') return Math.max(20, title.length + 4);
  if (kind === 'date') return Math.max(12, title.length + 4);
  const longest = Math.max(title.length + 3, ...sample.map((value) => lengthOf(value) + 2));
  return Math.min(WIDTH.most, Math.max(WIDTH.least, longest));
}

function lengthOf(value: CellValue): number {
  if (value === null) return 0;
  return String(typeof value === 'object' && 'formula' in value ? value.result : value).length;
}
