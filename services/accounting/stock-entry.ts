/** The entry of a count that differs: the variation of stock, at the value that the goods had (610/300). */
import type { Db } from '../../db/database.ts';
import { entryLine } from '../../domain/accounting/entries.ts';
import { type Decimal, decimal, round, sum } from '../../domain/money.ts';
import { AccountBook } from './account-book.ts';
import type { EntryToWrite } from './write-entry.ts';

interface Count {
  readonly id: string;
  readonly code: string;
  readonly date: string;
  readonly periodId: string;
  readonly reason: string | null;
  /** What the movements have changed the value of the stock by, each by its item's method. */
  readonly changes: readonly Decimal[];
}

/**
 * What a count enters.
 * @returns undefined where nothing changes in value, or the company enters the variation at the end of the year only
 * @throws ServiceError validation_failed when an account that it needs is missing, inactive or a heading
 */
export async function entryOfCount(trx: Db, count: Count): Promise<EntryToWrite | undefined> {
  if (count.changes.length === 0) return undefined;
  const book = await AccountBook.loadLocked(trx, { roles: ['stock', 'stockVariation'] });
  const value = round(sum(count.changes), book.places);
  if (!book.stockCountEntries || decimal(value).eq(0)) return undefined;
  const lines = [
    entryLine('debit', book.role('stock'), value),
    entryLine('credit', book.role('stockVariation'), value),
  ];
  book.faults.throwIfAny();
  return {
    date: count.date,
    periodId: count.periodId,
    description: `Regularización de existencias ${count.code}${count.reason === null ? '' : ` · ${count.reason}`}`,
    sourceType: 'stock_adjustment',
    sourceId: count.id,
    lines,
  };
}
