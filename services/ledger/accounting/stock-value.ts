/** Compares book stock with its valuation: the difference is the year's variation (610/300). */
import type { Db, Reader } from '../../../db/database.ts';
import { VARIANCES } from '../../../db/queries/cost-variances.ts';
import { stocksOn, stockValue } from '../../../db/queries/stock-values.ts';
import { query } from '../../../db/sql.ts';
import { chartNamed } from '../../../domain/ledger/accounting/charts/index.ts';
import { type EntryLine, entryLine } from '../../../domain/ledger/accounting/entries.ts';
import { type AccountRole, roleMember } from '../../../domain/ledger/accounting/roles.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { AccountBook } from './account-book.ts';

/** Values stock by each item's costing method. What is booked is the account's whole balance: an earlier year may still be open. */
const VALUE_SQL = `
  with last as (
    select ${stockValue(':day::date')} as value
    from (${stocksOn(':day::date')}) v join items i on i.id = v.item_id
  ), format as (
    select ${PLACES} as places
  )
  select round((select coalesce(sum(value), 0) from last), places)::text as value,
    (select coalesce(sum(debit - credit), 0) from journal_lines where account_id = :account::uuid and date <= :day::date
      and not (kind = 'closing' and date = :day::date))::text as booked
  from format`;

/** Variances from standard costs of a part of a year, and what is booked of them. */
const VARIANCE_SQL = `
  with format as (select ${PLACES} as places)
  select (round(coalesce(sum(v.actual), 0), places) - round(coalesce(sum(v.standard), 0), places))::text as value,
    (select coalesce(sum(debit - credit), 0) from journal_lines
      where account_id = :account::uuid and date between :from::date and :to::date)::text as booked
  from format left join (${VARIANCES}) v on true group by places`;

/** Accounts of the stock variation. */
export const VARIATION_ROLES = ['stock', 'stockVariation', 'costVariance'] as const satisfies readonly AccountRole[];

/**
 * Computes the stock variation, and what the year lacks of variances from standard costs, which are taken from it (decision 0321).
 * @param book with VARIATION_ROLES
 * @param days first day of the fiscal year, and the day at whose end the stock counts
 * @returns adjustment of the stock account to the stock's value; null if there is none
 */
export async function stockVariation(
  trx: Db,
  book: AccountBook,
  days: { readonly from: string; readonly to: string },
): Promise<EntryLine[] | null> {
  const account = book.roleId('stock');
  const [found] = await query<Lacking>(trx, VALUE_SQL, { day: days.to, account });
  const difference = lacking(found);
  const variance = await lackingVariance(trx, book, days);
  if (difference.eq(0) && variance.eq(0)) return null;
  const variation = difference.plus(variance);
  const lines = [
    ...(difference.eq(0) ? [] : [entryLine('debit', book.role('stock'), difference.toFixed())]),
    ...(variance.eq(0) ? [] : [entryLine('debit', book.role('costVariance'), variance.toFixed())]),
    ...(variation.eq(0) ? [] : [entryLine('credit', book.role('stockVariation'), variation.toFixed())]),
  ];
  return book.completed(lines);
}

interface Lacking {
  readonly value: Decimal;
  readonly booked: Decimal;
}

/** Variances that are not entered yet; none if the company enters them on the account of variations. */
async function lackingVariance(trx: Db, book: AccountBook, days: { readonly from: string; readonly to: string }) {
  const account = book.roleId('costVariance');
  if (account !== null && account === book.roleId('stockVariation')) return decimal(0);
  const [found] = await query<Lacking>(trx, VARIANCE_SQL, { ...days, account });
  return lacking(found);
}

function lacking(found: Lacking | undefined) {
  return decimal(found?.value ?? 0).minus(found?.booked ?? 0);
}

/** The stock's value at the end of a day that the stock account lacks; below zero: that it has too much. */
export async function readUnenteredStock(reader: Reader, day: string): Promise<Decimal> {
  const { chart, ...config } = await loadSettings(reader, 'accounting');
  const named = config[roleMember('stock')];
  const [usual] = named ? [] : await query<{ id: string }>(reader, USUAL_SQL, { code: chartNamed(chart).roles.stock });
  const account = named ?? usual?.id ?? null;
  const [found] = await query<Lacking>(reader, VALUE_SQL, { day, account });
  return lacking(found).toFixed();
}

const USUAL_SQL = 'select id from accounts where code = :code';
