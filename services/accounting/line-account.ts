/** The account of income or expense of a line (decision 0080). */
import type { AccountBook } from './account-book.ts';

interface AccountedLine {
  /** Its own; null = that of its item or the company. */
  readonly accountId: string | null;
  readonly itemId: string | null;
}

interface Place {
  readonly side: 'sales' | 'purchase';
  /** Takes back what was sold or bought. */
  readonly rectifying: boolean;
  /** Pointer to the line, for faults. */
  readonly pointer: string;
}

/** Whether a line is of goods rather than of a service. The book knows its item. */
export function isOfGoods(book: AccountBook, { itemId }: Pick<AccountedLine, 'itemId'>): boolean {
  return itemId !== null && book.items.get(itemId)?.type === 'product';
}

/** Of the line, item, category and its ancestors, company: the first that names one. @returns '' and records a fault if there is none */
export function lineAccount(book: AccountBook, line: AccountedLine, { side, rectifying, pointer }: Place): string {
  if (line.accountId !== null) return book.use(line.accountId, '', pointer && `${pointer}/accountId`);
  const ofItem = line.itemId === null ? null : (book.items.get(line.itemId)?.accountId ?? null);
  if (ofItem !== null) return book.use(ofItem, 'in the item or its category', pointer && `${pointer}/itemId`);
  if (!isOfGoods(book, line)) return book.role(side === 'sales' ? 'salesServices' : 'purchaseServices');
  if (rectifying) return book.role(side === 'sales' ? 'salesReturns' : 'purchaseReturns');
  return book.role(side === 'sales' ? 'salesGoods' : 'purchaseGoods');
}
