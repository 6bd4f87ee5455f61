/** Values of reports as people read them on paper. */
import type { Formats } from '../../locale/formats.ts';
import { type Decimal, decimal } from '../../money.ts';
import type { CellKind } from '../../records/tables/cells.ts';
import { writeInstant } from '../../records/tables/times.ts';

/** The properties of a value that determine its format. */
export interface Shown {
  readonly kind: CellKind;
  readonly measure: 'amount' | 'quantity' | 'percent';
}

/** Percentages stand below one another. */
const PERCENT_PLACES = 2;

/** Whether a column stands at the right. */
export function isNumeric({ kind }: Shown): boolean {
  return kind === 'number' || kind === 'integer';
}

/** A value in the company's formats; empty for null. */
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
      return writeInstant(String(value), { ...settings, separator: ';', decimalSign: ',' });
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
