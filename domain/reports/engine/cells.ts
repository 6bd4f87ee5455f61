/** Formats values of reports for people. */
import type { Formats } from '../../locale/formats.ts';
import { type Decimal, decimal } from '../../money.ts';
import type { CellKind } from '../../records/tables/cells.ts';
import { writeInstant } from '../../records/tables/times.ts';

/** Properties of a value that determine its format. */
export interface Shown {
  readonly kind: CellKind;
  readonly measure: 'amount' | 'quantity' | 'percent';
}

/** Fixed, so that percentages align in a column. */
const PERCENT_PLACES = 2;

/** Whether a column is right-aligned. */
export function isNumeric({ kind }: Shown): boolean {
  return kind === 'number' || kind === 'integer';
}

/** Formats a value by the company's conventions; empty for null. */
export function shownCell(
  value: unknown,
  { kind, measure }: Shown,
  formats: Formats,
  settings: { readonly dateFormat: string; readonly timezone: string },
): string {
  if (value === null || value === undefined) return '';
  switch (kind) {
    case 'number':
      return shownNumber(decimal(Number(value)).toFixed(), measure, formats);
    case 'date':
      return formats.day(String(value));
    case 'instant':
      return writeInstant(String(value), settings);
    case 'boolean':
      return value === true ? '✓' : '';
    case 'texts':
      return (value as readonly unknown[]).map(String).join(', ');
    case 'json':
      return JSON.stringify(value);
    default:
      return String(value);
  }
}

function shownNumber(value: Decimal, measure: Shown['measure'], formats: Formats): string {
  if (measure === 'percent') return formats.percent(value, PERCENT_PLACES);
  return measure === 'quantity' ? formats.quantity(value) : formats.price(value);
}
