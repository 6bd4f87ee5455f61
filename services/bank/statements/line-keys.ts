/** Identifies the lines of a bank account, so that each is imported once. */
import { createHash } from 'node:crypto';
import type { BankStatement, StatementLine } from '../../../domain/bank/statements/statement.ts';

/**
 * Builds the keys of a statement's lines: reference, date and amount if the bank gives a reference, since some banks
 * book charges under the payment's reference; otherwise all data of the line. Equal keys are numbered: a statement does
 * not repeat itself, and an overlapping one has the same lines in the same order.
 */
export function lineKeys(lines: readonly StatementLine[]): string[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const texts =
      line.bankReference === null ? [line.reference, line.text, line.endToEndId, line.counterpartyName] : [];
    const key = hash([line.bankReference, line.date, line.amount, ...texts]);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return `${key}-${before + 1}`;
  });
}

/** Computes a statement's fingerprint from its content, independent of the file name. */
export function statementFingerprint({ from, to, opening, closing }: BankStatement, keys: readonly string[]): string {
  return hash([from, to, opening, closing, ...keys]);
}

function hash(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
