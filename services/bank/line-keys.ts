/** Identifies the lines of a bank account, so that each is imported once. */
import { createHash } from 'node:crypto';
import type { BankStatement, StatementLine } from '../../domain/bank/statement.ts';

/**
 * The keys of a statement's lines. With a bank reference the key is reference, date and amount, since some banks book charges under the
 * reference of the payment; without one, it is everything the line says. Lines that are still equal are numbered: a statement does not
 * repeat itself, and an overlapping one has the same lines in the same order.
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

/** Identifies a statement by its content, whatever its file is called. */
export function fingerprintOf({ from, to, opening, closing }: BankStatement, keys: readonly string[]): string {
  return hash([from, to, opening, closing, ...keys]);
}

function hash(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
