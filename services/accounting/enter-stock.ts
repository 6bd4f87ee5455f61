/** Adjusts the stock account to the value of the stock within the year, so that each month has its own result (decision 0083). */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { fiscalYear } from '../../domain/seed/fiscal-year.ts';
import { loadSettings, lockFiscalYears } from '../settings/settings.ts';
import { AccountBook } from './account-book.ts';
import { numberEntries } from './numbers.ts';
import { openDay } from './open-day.ts';
import { type EntryAnswer, readEntry } from './read.ts';
import { stockVariation } from './stock-value.ts';
import { writeEntry } from './write-entry.ts';

/**
 * Enters the stock variation up to the end of a day (610/300). Concurrent callers wait, and find nothing left to enter. The entry can be
 * reversed like a manual one.
 * @returns the entry; null if the account already has the value
 * @throws ServiceError validation_failed (no period, an account that cannot be used), period_closed
 */
export async function enterStockVariation(trx: Db, ctx: Context, date: string): Promise<EntryAnswer | null> {
  await lockFiscalYears(trx);
  const on = await openDay(trx, ctx, date, date);
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  const { year, months } = fiscalYear(fiscalYearStart, date);
  const book = await AccountBook.loadLocked(trx, { roles: ['stock', 'stockVariation'] });
  const lines = await stockVariation(trx, book, { from: months[0]?.from as string, day: date });
  if (lines === null) return null;
  const description = `Variación de existencias a ${date}`;
  const id = await writeEntry(trx, ctx, { ...on, description, sourceType: null, sourceId: null, lines });
  await numberEntries(trx, ctx, year);
  return await readEntry(trx, id);
}
