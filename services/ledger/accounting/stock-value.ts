/** Compares book stock with its valuation: the difference is the year's variation (610/300). */
import type { Db, Reader } from '../../../db/database.ts';
import { byMethod, stocksOn } from '../../../db/queries/stock-values.ts';
import { query } from '../../../db/sql.ts';
import { type EntryLine, entryLine } from '../../../domain/ledger/accounting/entries.ts';
import { ACCOUNT_ROLES, roleMember } from '../../../domain/ledger/accounting/roles.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { AccountBook } from './account-book.ts';

/** Values stock by each item's costing method. What is booked is the account's whole balance: an earlier year may still be open. */
const VALUE_SQL = `
  with last as (
    select ${byMethod('fifo_after', 'average_after')} as value
    from (${stocksOn(':day::date')}) v join items i on i.id = v.item_id
  ), format as (
    select ${PLACES} as places
  )
  select round((select coalesce(sum(value), 0) from last), places)::text as value,
    (select coalesce(sum(debit - credit), 0) from journal_lines where account_id = :account::uuid and date <= :day::date)::text as booked
  from format`;

/**
 * Computes the stock variation.
 * @returns adjustment of the stock account to the stock's value at the end of the day; null if there is none
 */
export async function stockVariation(trx: Db, book: AccountBook, day: string): Promise<EntryLine[] | null> {
  const account = book.roleId('stock');
  const [found] = await query<{ value: Decimal; booked: Decimal }>(trx, VALUE_SQL, { day, account });
  const difference = decimal(found?.value ?? 0).minus(found?.booked ?? 0);
  if (difference.eq(0)) return null;
  const lines = [
    entryLine('debit', book.role('stock'), difference.toFixed()),
    entryLine('credit', book.role('stockVariation'), difference.toFixed()),
  ];
  book.faults.throwIfAny();
  return lines;
}

/** The stock's value at the end of a day that the stock account lacks; below zero: that it has too much. */
export async function readUnenteredStock(reader: Reader, day: string): Promise<Decimal> {
  const named = (await loadSettings(reader, 'accounting'))[roleMember('stock')];
  const [usual] = named ? [] : await query<{ id: string }>(reader, USUAL_SQL, { code: ACCOUNT_ROLES.stock });
  const account = named ?? usual?.id ?? null;
  const [found] = await query<{ value: Decimal; booked: Decimal }>(reader, VALUE_SQL, { day, account });
  return decimal(found?.value ?? 0)
    .minus(found?.booked ?? 0)
    .toFixed();
}

const USUAL_SQL = 'select id from accounts where code = :code';
