/** One record of Norma 43: 80 characters with fields at fixed positions (from 1, as in the standard). */
import { isDay } from '../../days.ts';
import { type BadStatement, badStatement } from './statement.ts';

export const RECORD_LENGTH = 80;
/** ISO 4217 codes by number, for currencies used by Spanish banks. */
const CURRENCIES: Readonly<Record<string, string>> = {
  '978': 'EUR',
  '840': 'USD',
  '826': 'GBP',
  '756': 'CHF',
  '752': 'SEK',
  '578': 'NOK',
  '208': 'DKK',
  '985': 'PLN',
  '036': 'AUD',
  '124': 'CAD',
  '484': 'MXN',
  '504': 'MAD',
};

export class Norma43Record {
  readonly #text: string;
  readonly line: number;

  /** @param text missing trailing blanks are restored */
  constructor(text: string, line: number) {
    this.#text = text.padEnd(RECORD_LENGTH);
    this.line = line;
  }

  /** The two digits that identify the record. */
  get code(): string {
    return this.#text.slice(0, 2);
  }

  field(from: number, to: number): string {
    return this.#text.slice(from - 1, to);
  }

  /** Reads a number. @throws BadStatement invalid_number */
  number(from: number, to: number): bigint {
    const digits = this.field(from, to);
    if (/^\d+$/.test(digits)) return BigInt(digits);
    throw this.fault('invalid_number', `must have ${to - from + 1} digits from position ${from}`);
  }

  /** Reads an amount of 14 digits in cents; its sign is 1 for a debit, 2 for a credit. @throws BadStatement */
  cents(signAt: number, from: number): bigint {
    const cents = this.number(from, from + 13);
    const sign = this.field(signAt, signAt);
    if (sign === '1') return -cents;
    if (sign === '2') return cents;
    throw this.fault('invalid_sign', `must have 1 (debit) or 2 (credit) at position ${signAt}`);
  }

  /** Reads a date. @throws BadStatement invalid_date */
  day(from: number): string {
    const digits = this.field(from, from + 5);
    const day = `20${digits.slice(0, 2)}-${digits.slice(2, 4)}-${digits.slice(4)}`;
    if (/^\d{6}$/.test(digits) && isDay(day)) return day;
    throw this.fault('invalid_date', `must have a date (YYMMDD) at position ${from}`);
  }

  /** Reads a currency. @throws BadStatement unknown_currency */
  currency(from: number): string {
    const currency = CURRENCIES[this.field(from, from + 2)];
    if (currency !== undefined) return currency;
    throw this.fault('unknown_currency', `must have a known currency at position ${from}`);
  }

  /** Builds a fault in this record, with `column`. */
  fault(code: string, message: string): BadStatement {
    return badStatement(code, message, this.line, /^\d\d$/.test(this.code) ? this.code : null);
  }
}
