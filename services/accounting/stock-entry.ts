/** The entry of a count that differs: the stock variation, at the value of the goods (610/300); of opening stock 555/300. */
import type { Db } from '../../db/database.ts';
import { type EntryLine, entryLine } from '../../domain/accounting/entries.ts';
import type { AccountRole } from '../../domain/accounting/roles.ts';
import { type Decimal, decimal, round, sum } from '../../domain/money.ts';
import { AccountBook } from './account-book.ts';
import type { EntryToWrite } from './write-entry.ts';

interface Count {
  readonly id: string;
  readonly code: string;
  readonly date: string;
  readonly periodId: string;
  readonly reason: string | null;
  /** How much movements without a cost of their own changed the value of the stock, each by its item's costing method. */
  readonly changes: readonly Decimal[];
  /** Values of what is counted as opening stock. */
  readonly opening: readonly Decimal[];
}

/**
 * The entry of a count.
 * @returns undefined if no value changes, or only a variation that the company enters at the end of the year
 * @throws ServiceError validation_failed when a required account is missing, inactive or a heading
 */
export async function entryOfCount(trx: Db, count: Count): Promise<EntryToWrite | undefined> {
  if (count.changes.length + count.opening.length === 0) return undefined;
  const book = await AccountBook.loadLocked(trx, { roles: ['stock', 'stockVariation', 'openingBalance'] });
  const against = (role: AccountRole, values: readonly Decimal[]): EntryLine[] => {
    const value = round(sum(values), book.places);
    if (decimal(value).eq(0)) return [];
    return [entryLine('debit', book.role('stock'), value), entryLine('credit', book.role(role), value)];
  };
  // Opening stock is no result of the year, whenever the variation is entered.
  const lines = [
    ...against('openingBalance', count.opening),
    ...(book.stockCountEntries ? against('stockVariation', count.changes) : []),
  ];
  if (lines.length === 0) return undefined;
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
