/** The income or expense account of a line (decision 0080). */
import type { AccountBook } from './account-book.ts';

interface AccountedLine {
  /** Account set on the line; null uses that of the item or company. */
  readonly accountId: string | null;
  readonly itemId: string | null;
}

interface Place {
  readonly side: 'sales' | 'purchase';
  /** Whether the line takes back goods or services. */
  readonly rectifying: boolean;
  /** JSON pointer to the line, for faults. */
  readonly pointer: string;
}

/** Whether a line has goods rather than a service. The book must have loaded its item. */
export function hasGoods(book: AccountBook, { itemId }: Pick<AccountedLine, 'itemId'>): boolean {
  return itemId !== null && book.items.get(itemId)?.type === 'product';
}

/**
 * The first account named by the line, its item, the category and its ancestors, or the company.
 * @returns '' and records a fault if none is
 */
export function lineAccount(book: AccountBook, line: AccountedLine, { side, rectifying, pointer }: Place): string {
  if (line.accountId !== null) return book.use(line.accountId, '', pointer && `${pointer}/accountId`);
  const ofItem = line.itemId === null ? null : (book.items.get(line.itemId)?.accountId ?? null);
  if (ofItem !== null) return book.use(ofItem, 'in the item or its category', pointer && `${pointer}/itemId`);
  if (!hasGoods(book, line)) return book.role(side === 'sales' ? 'salesServices' : 'purchaseServices');
  if (rectifying) return book.role(side === 'sales' ? 'salesReturns' : 'purchaseReturns');
  return book.role(side === 'sales' ? 'salesGoods' : 'purchaseGoods');
}
