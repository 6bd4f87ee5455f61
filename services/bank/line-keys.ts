/** What tells the lines of a bank account from each other, so that each is there once. */
import { createHash } from 'node:crypto';
import type { BankStatement, StatementLine } from '../../domain/bank/statement.ts';

/**
 * The keys of a statement's lines. With a reference of the bank it is that with day and amount, since some banks book charges
 * under the reference of what they are for; without one, all that the line tells. What is equal even so is counted:
 * a statement does not repeat itself, and another one that overlaps has the same lines in the same order.
 */
export function lineKeys(lines: readonly StatementLine[]): string[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const told = line.bankReference === null ? [line.reference, line.text, line.endToEndId, line.counterpartyName] : [];
    const key = hash([line.bankReference, line.date, line.amount, ...told]);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return `${key}-${before + 1}`;
  });
}

/** What the same statement has in common with itself, whatever its file is called. */
export function fingerprintOf({ from, to, opening, closing }: BankStatement, keys: readonly string[]): string {
  return hash([from, to, opening, closing, ...keys]);
}

function hash(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
