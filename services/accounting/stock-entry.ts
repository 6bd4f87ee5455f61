/** The entry of a count that differs: the stock variation, at the value of the goods (610/300). */
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
  /** How much the movements changed the value of the stock, each by its item's costing method. */
  readonly changes: readonly Decimal[];
}

/**
 * The entry of a count.
 * @returns undefined if no value changes, or the company enters the variation only at the end of the year
 * @throws ServiceError validation_failed when a required account is missing, inactive or a heading
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
