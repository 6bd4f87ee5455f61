/**
 * The entry of a stock count with differences: the stock variation at the value of the goods (610/300), and opening
 * stock (555/300).
 */
import type { Db } from '../../../db/database.ts';
import { type EntryLine, entryLine } from '../../../domain/ledger/accounting/entries.ts';
import type { AccountRole } from '../../../domain/ledger/accounting/roles.ts';
import { type Decimal, decimal, round, sum } from '../../../domain/money.ts';
import { AccountBook } from './account-book.ts';
import type { EntryToWrite } from './write-entry.ts';

interface Count {
  readonly id: string;
  readonly code: string;
  readonly date: string;
  readonly periodId: string;
  readonly reason: string | null;
  /** Changes in stock value by movements without a cost of their own, each by its item's costing method. */
  readonly changes: readonly Decimal[];
  /** Values of goods counted as opening stock. */
  readonly opening: readonly Decimal[];
}

/**
 * Builds the entry of a count.
 * @returns undefined if no value changes, or if the company enters the variation only at the end of the year
 * @throws ServiceError validation_failed when a required account is missing, inactive or a heading
 */
export async function buildCountEntry(trx: Db, count: Count): Promise<EntryToWrite | undefined> {
  if (count.changes.length + count.opening.length === 0) return undefined;
  const book = await AccountBook.loadLocked(trx, { roles: ['stock', 'stockVariation', 'openingBalance'] });
  const against = (role: AccountRole, values: readonly Decimal[]): EntryLine[] => {
    const value = round(sum(values), book.places);
    if (decimal(value).eq(0)) return [];
    return [entryLine('debit', book.role('stock'), value), entryLine('credit', book.role(role), value)];
  };
  // Opening stock is not part of the year's result, whenever the variation is entered.
  const lines = [
    ...against('openingBalance', count.opening),
    ...(book.stockCountEntries ? against('stockVariation', count.changes) : []),
  ];
  if (lines.length === 0) return undefined;
  book.faults.throwIfAny();
  return {
    date: count.date,
    periodId: count.periodId,
    area: 'stock',
    description: `Regularización de existencias ${count.code}${count.reason === null ? '' : ` · ${count.reason}`}`,
    sourceType: 'stock_adjustment',
    sourceId: count.id,
    lines: book.completed(lines),
  };
}
