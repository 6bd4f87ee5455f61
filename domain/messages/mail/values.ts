/** Values in the data of mail templates that have a type, as plain data, which can be sent to a thread. */
import type { FormatChoices } from '../../locale/formats.ts';
import type { Decimal } from '../../money.ts';

/** A day, YYYY-MM-DD. */
export interface DayData {
  readonly $day: string;
}

/** An exact decimal; with a currency, an amount of money. */
export interface DecimalData {
  readonly $decimal: Decimal;
  readonly currency: string | null;
}

/** How values are printed without a filter. */
export interface Printing {
  readonly choices: FormatChoices;
  /** Language of the reader; null for the company's. */
  readonly language: string | null;
  /** Time zone of today and now. */
  readonly timezone: string;
  /** Currency of decimals that have none. */
  readonly currency: string;
}

/** The data of a template, by the names in it, with the way to print it. */
export interface View {
  readonly names: object;
  readonly printing: Printing;
}

export function dayData(day: string): DayData {
  return { $day: day };
}

export function decimalData(value: Decimal, currency: string | null): DecimalData {
  return { $decimal: value, currency };
}

export function isDayData(value: object): value is DayData {
  return Object.hasOwn(value, '$day');
}

export function isDecimalData(value: object): value is DecimalData {
  return Object.hasOwn(value, '$decimal');
}
