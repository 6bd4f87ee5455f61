/** Bank statements in a common form, whatever the file's format. */
import type { RowError } from '../../errors.ts';
import type { Decimal } from '../../money.ts';

export interface BankStatement {
  readonly account: StatementAccount;
  /** ISO 4217; null if the format does not state it (CSV). */
  readonly currency: string | null;
  /** The bank's number for the statement. */
  readonly reference: string | null;
  /** First and last date, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  /** Balances before and after the lines; null if the format does not state them. */
  readonly opening: Decimal | null;
  readonly closing: Decimal | null;
  readonly lines: readonly StatementLine[];
}

export interface StatementAccount {
  /** Validated; null if the file identifies the account in another way, or not at all (CSV). */
  readonly iban: string | null;
  readonly number: string | null;
}

export interface StatementLine {
  /** Line in the file, from 1. */
  readonly line: number;
  /** Booking date, YYYY-MM-DD. */
  readonly date: string;
  readonly valueDate: string | null;
  /** Positive for incoming money. */
  readonly amount: Decimal;
  /** The payer's reference. */
  readonly reference: string | null;
  /** The bank's own reference, for inquiries. */
  readonly bankReference: string | null;
  readonly counterpartyName: string | null;
  readonly counterpartyIban: string | null;
  readonly text: string | null;
  readonly endToEndId: string | null;
  /** Whether it reverses an earlier line, such as a returned debit. */
  readonly reversal: boolean;
  /**
   * The bank's reason for a return, as an ISO 20022 code: AM04 for insufficient funds. Missing if the format has none.
   */
  readonly returnReason?: string | null;
}

/** The contents of a file. */
export interface ReadFile {
  readonly statements: readonly BankStatement[];
  /** Inconsistencies that change no amount, and omitted data, in spite of which the file was read. */
  readonly warnings: readonly RowError[];
}

/** Reads a file in chunks. @throws BadStatement from both methods */
export interface StatementReader {
  push(text: string): void;
  end(): ReadFile;
}

/** Maximum lines of a file; a year of a very busy account. */
export const MAX_LINES = 100_000;
/** Maximum warnings listed. */
const MAX_WARNINGS = 100;
/** Maximum characters of texts. */
const MAX_LENGTHS = { short: 140, text: 1000 } as const;

/**
 * Thrown for a file that is not a statement, or whose numbers contradict each other, so that nothing in it can be
 * trusted.
 */
export class BadStatement extends Error {
  override readonly name = 'BadStatement';
  readonly errors: readonly RowError[];

  constructor(errors: readonly RowError[]) {
    super(errors[0]?.message ?? 'The file cannot be read');
    this.errors = errors;
  }
}

/** Creates a BadStatement with one fault; `column` names the record, element or column. */
export function badStatement(code: string, message: string, line = 1, column: string | null = null): BadStatement {
  return new BadStatement([{ line, column, code, message }]);
}

/** Collects warnings; those beyond a limit are only counted. */
export class Warnings {
  readonly #listed: RowError[] = [];
  #more = 0;

  /** @param column names the record, element or column */
  add(code: string, message: string, line: number, column: string | null = null): void {
    if (this.#listed.length < MAX_WARNINGS) this.#listed.push({ line, column, code, message });
    else this.#more++;
  }

  get list(): readonly RowError[] {
    if (this.#more === 0) return this.#listed;
    const message = `${this.#more.toLocaleString('en-US')} more warnings are not listed`;
    return [...this.#listed, { line: 1, column: null, code: 'more_warnings', message }];
  }
}

/** Checks the number of lines. @param lines read so far @throws BadStatement too_many_lines */
export function assertLineLimit(lines: number, line: number): void {
  if (lines <= MAX_LINES) return;
  throw badStatement('too_many_lines', `has more than ${MAX_LINES.toLocaleString('en-US')} lines; split it`, line);
}

/** Removes control characters and repeated blanks; null if nothing remains. */
export function tidy(text: string | null | undefined, maxLength: keyof typeof MAX_LENGTHS = 'short'): string | null {
  if (text === null || text === undefined) return null;
  // Cut well above the final length, so that megabytes of text are not processed.
  const plain = text.slice(0, 20 * MAX_LENGTHS.text).replaceAll(/[\p{Cc}\p{Surrogate}\s]+/gu, ' ');
  return cut(plain.trim(), MAX_LENGTHS[maxLength]) || null;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : [...text].slice(0, length).join('').trimEnd();
}
