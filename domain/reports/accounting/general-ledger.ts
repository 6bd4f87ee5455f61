/** Pages of a ledger of all accounts: each has a row for its opening balance, and then its lines. */

/** The part of an account's rows that is on a page. */
export interface PagePart<T> {
  readonly account: T;
  /** Whether the page has the row of the opening balance. */
  readonly opening: boolean;
  /** Lines of the account before the page, and on it. */
  readonly skip: number;
  readonly take: number;
}

/**
 * Finds the accounts of a page.
 * @param accounts in order, with the number of their lines
 */
export function pageParts<T extends { readonly lines: number }>(
  accounts: readonly T[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): PagePart<T>[] {
  const parts: PagePart<T>[] = [];
  let first = 0;
  for (const account of accounts) {
    const rows = account.lines + 1;
    const from = Math.max(offset - first, 0);
    const until = Math.min(offset + limit - first, rows);
    if (from < until) {
      const skip = Math.max(from - 1, 0);
      parts.push({ account, opening: from === 0, skip, take: until - 1 - skip });
    }
    first += rows;
    if (first >= offset + limit) break;
  }
  return parts;
}
