/** The closing entries of a fiscal year, from the balances of its accounts. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { entryLine } from '../../../domain/ledger/accounting/entries.ts';
import type { Decimal } from '../../../domain/money.ts';
import { addEntry, type EntryDay } from './write-entry.ts';

export interface ClosingDays {
  readonly year: number;
  readonly from: string;
  readonly to: string;
  readonly periodId: string;
  /** First day of the following year. */
  readonly nextDay: string;
  readonly nextPeriodId: string;
  /** Account for the year's result (129). */
  readonly resultAccountId: string;
}

/** Ids of the entries; null for an entry without lines. */
export interface ClosingEntries {
  readonly regularisationId: string | null;
  readonly closingId: string | null;
  readonly openingId: string | null;
  /** Profit, or loss if negative. */
  readonly result: Decimal;
}

/** Change that a closing entry makes to an account; debit − credit. */
interface Change {
  readonly kind: 'regularisation' | 'closing' | 'opening';
  readonly accountId: string;
  readonly partnerId: string | null;
  readonly amount: Decimal;
}

/**
 * Balances are debit − credit. Income and expense go to the result; all other accounts are closed by account and
 * partner, and reopened in the next year with the same balances.
 */
const CHANGES_SQL = `
  with balances as (
    select l.account_id, a.code, a.type in ('income', 'expense') as of_result, case when a.type in ('income', 'expense') then null
      else l.partner_id end as partner_id,
      sum(l.debit - l.credit) as balance
    from journal_lines l join accounts a on a.id = l.account_id
    where l.date between :from::date and :to::date
    group by 1, 2, 3, 4
  ), outcome as (
    select coalesce(sum(balance), 0) as balance from balances where of_result
  ), remaining as (
    select account_id, code, partner_id, sum(balance) as balance from (
      select account_id, code, partner_id, balance from balances where not of_result
      union all select a.id, a.code, null, o.balance from outcome o join accounts a on a.id = :result::uuid
    ) parts group by 1, 2, 3
  ), changes as (
    select 'regularisation' as kind, account_id, code, partner_id, -balance as amount from balances where of_result and balance <> 0
    union all select 'regularisation', a.id, a.code, null, o.balance from outcome o join accounts a on a.id = :result::uuid
      where o.balance <> 0
    union all select 'closing', account_id, code, partner_id, -balance from remaining where balance <> 0
    union all select 'opening', account_id, code, partner_id, balance from remaining where balance <> 0
  )
  select (select -balance from outcome)::text as result,
    (select json_agg(json_build_object('kind', kind, 'accountId', account_id, 'partnerId', partner_id, 'amount', amount::text)
       order by code, partner_id nulls first) from changes) as changes`;

/** Writes the regularisation, closing and opening entries, skipping those without lines. */
export async function writeClosing(trx: Db, ctx: Context, days: ClosingDays): Promise<ClosingEntries> {
  const { year, from, to, resultAccountId: result } = days;
  const [found] = await query<{ result: Decimal; changes: Change[] | null }>(trx, CHANGES_SQL, { from, to, result });
  const last: EntryDay = { date: to, periodId: days.periodId, area: 'closing' };
  const first: EntryDay = { date: days.nextDay, periodId: days.nextPeriodId, area: 'closing' };
  const written = new Changes(ctx);
  const add = (kind: Change['kind'], on: EntryDay, description: string) => {
    const lines = (found?.changes ?? [])
      .filter((change) => change.kind === kind)
      .map(({ accountId, amount, partnerId }) => entryLine('debit', accountId, amount, { partnerId }));
    if (lines.length === 0) return null;
    return addEntry(written, { ...on, kind, description, sourceType: 'fiscal_year', sourceId: null, lines });
  };
  const entries = {
    regularisationId: add('regularisation', last, `Regularización del ejercicio ${year}`),
    closingId: add('closing', last, `Cierre del ejercicio ${year}`),
    openingId: add('opening', first, `Apertura del ejercicio ${year + 1}`),
  };
  await written.write(trx);
  return { ...entries, result: found?.result ?? '0' };
}
