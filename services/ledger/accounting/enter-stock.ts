/**
 * Adjusts the stock account to the value of the stock during the year, and enters uninvoiced amounts, so that each
 * month shows its own result (decisions 0083 and 0156).
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { daysAfter } from '../../../domain/days.ts';
import { fiscalYear, yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { loadSettings, lockFiscalYears } from '../../platform/settings/settings.ts';
import { openYear } from '../periods/open-year.ts';
import { AccountBook } from './account-book.ts';
import { numberEntries } from './numbers.ts';
import { openDay } from './open-day.ts';
import { enterPending } from './pending/enter.ts';
import { type EntryAnswer, readEntry } from './read.ts';
import { stockVariation, VARIATION_ROLES } from './stock-value.ts';
import { writeEntry } from './write-entry.ts';

export interface StockAnswer {
  readonly data: EntryAnswer | null;
  readonly pending: EntryAnswer | null;
  readonly pendingReversal: EntryAnswer | null;
}

/**
 * Enters the stock variation up to the end of a day (610/300), and that day's uninvoiced amounts (600/4009, 4309/700),
 * which are reversed on the next. Concurrent callers wait, then find nothing to enter. The variation can be reversed
 * like a manual entry.
 * @returns each entry; null if there was nothing to enter
 * @throws ServiceError validation_failed (no period, an account that cannot be used), period_closed
 */
export async function enterStockVariation(trx: Db, ctx: Context, date: string): Promise<StockAnswer> {
  const tomorrow = daysAfter(date, 1);
  // Open years before locking them, in the same order as everywhere else.
  for (const day of [date, tomorrow]) await openYear(trx, ctx, day);
  await lockFiscalYears(trx, ctx);
  const on = await openDay(trx, ctx, 'stock', date, date, '/date');
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  const { year } = fiscalYear(fiscalYearStart, date);
  const book = await AccountBook.loadLocked(trx, { roles: VARIATION_ROLES });
  const lines = await stockVariation(trx, book, { from: yearStart(fiscalYearStart, date), to: date });
  const description = `Variación de existencias a ${date}`;
  const id = lines && (await writeEntry(trx, ctx, { ...on, description, sourceType: null, sourceId: null, lines }));
  const pending = await enterPending(trx, ctx, on, () => openDay(trx, ctx, 'stock', tomorrow, tomorrow));
  await numberEntries(trx, ctx, pending === undefined ? year : null);
  return {
    data: id === null ? null : await readEntry(trx, id),
    pending: pending ? await readEntry(trx, pending.pendingEntryId) : null,
    pendingReversal: pending ? await readEntry(trx, pending.pendingReversalId) : null,
  };
}
