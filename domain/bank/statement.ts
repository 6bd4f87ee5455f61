/** Statements of bank accounts in one shape, whatever format the bank writes them in. */
import type { RowError } from '../errors.ts';
import type { Decimal } from '../money.ts';

export interface BankStatement {
  readonly account: StatementAccount;
  /** ISO 4217; null when the format does not tell (CSV). */
  readonly currency: string | null;
  /** As the bank numbers its statement. */
  readonly reference: string | null;
  /** First and last day, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  /** Balances before and after the lines; null when the format does not tell. */
  readonly opening: Decimal | null;
  readonly closing: Decimal | null;
  readonly lines: readonly StatementLine[];
}

export interface StatementAccount {
  /** Checked; null when the file identifies the account otherwise, or not at all (CSV). */
  readonly iban: string | null;
  readonly number: string | null;
}

export interface StatementLine {
  /** Where it stands in the file; 1 is the first line. */
  readonly line: number;
  /** The booking day, YYYY-MM-DD. */
  readonly date: string;
  readonly valueDate: string | null;
  /** Positive: money came in. */
  readonly amount: Decimal;
  /** What the one who paid gave as reference. */
  readonly reference: string | null;
  /** The bank's own, by which it can be asked about the line. */
  readonly bankReference: string | null;
  readonly counterpartyName: string | null;
  readonly counterpartyIban: string | null;
  readonly text: string | null;
  readonly endToEndId: string | null;
  /** Takes back an earlier line, as a returned debit does. */
  readonly reversal: boolean;
}

/** Reads a file as it comes. @throws BadStatement from both methods */
export interface StatementReader {
  push(text: string): void;
  end(): BankStatement[];
}

/** Lines of a file at most; a year of a very busy account. */
export const MAX_LINES = 100_000;
/** What is kept of texts, in characters. */
const KEPT = { short: 140, text: 1000 } as const;

/** Thrown for a file that is no statement, or whose numbers contradict each other: nothing of it can be trusted then. */
export class BadStatement extends Error {
  override readonly name = 'BadStatement';
  readonly errors: readonly RowError[];

  constructor(errors: readonly RowError[]) {
    super(errors[0]?.message ?? 'The file cannot be read');
    this.errors = errors;
  }
}

/** A BadStatement with one fault; `column` names the record, element or column. */
export function badStatement(code: string, message: string, line = 1, column: string | null = null): BadStatement {
  return new BadStatement([{ line, column, code, message }]);
}

/** @param lines how many the file has so far @throws BadStatement too_many_lines */
export function assertRoom(lines: number, line: number): void {
  if (lines <= MAX_LINES) return;
  throw badStatement('too_many_lines', `has more than ${MAX_LINES.toLocaleString('en-US')} lines; split it`, line);
}

/** A text without control characters and repeated blanks; null when nothing is left of it. */
export function tidy(text: string | null | undefined, kept: keyof typeof KEPT = 'short'): string | null {
  if (text === null || text === undefined) return null;
  // Far more than is kept already says what it says: a text of megabytes is not worked through.
  const plain = text.slice(0, 20 * KEPT.text).replaceAll(/[\p{Cc}\p{Surrogate}\s]+/gu, ' ');
  return cut(plain.trim(), KEPT[kept]) || null;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : [...text].slice(0, length).join('').trimEnd();
}
