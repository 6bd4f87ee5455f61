/** The entries that end a fiscal year, made by the database from the balances of its accounts: one statement, however many there are. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { query } from '../../db/sql.ts';
import { AUDIT_VALUES, HEAD, LINES } from './write-entry.ts';

export interface ClosingDays {
  readonly year: number;
  readonly from: string;
  readonly to: string;
  readonly periodId: string;
  /** First day of the next year. */
  readonly nextDay: string;
  readonly nextPeriodId: string;
  /** Takes the result of the year (129). */
  readonly resultAccountId: string;
}

/** Ids of what was made; null for an entry that would have had no lines. */
export interface ClosingEntries {
  readonly regularisationId: string | null;
  readonly closingId: string | null;
  readonly openingId: string | null;
  /** Profit, or loss below zero. */
  readonly result: string;
}

/**
 * Balances are debit − credit. Income and expense go to the result; what is left, by account and partner, is closed, and opens the next
 * year as it was.
 */
const CLOSING_SQL = `
  with balances as (
    select l.account_id, a.code, a.type in ('income', 'expense') as of_result, case when a.type in ('income', 'expense') then null else l.partner_id end as partner_id,
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
    union all select 'regularisation', a.id, a.code, null, o.balance from outcome o join accounts a on a.id = :result::uuid where o.balance <> 0
    union all select 'closing', account_id, code, partner_id, -balance from remaining where balance <> 0
    union all select 'opening', account_id, code, partner_id, balance from remaining where balance <> 0
  ), sums as (
    select kind, count(*) as lines, sum(greatest(amount, 0)) as total from changes group by kind
  ), planned as (
    select p.*, s.lines, s.total from sums s join (values
      (1, 'regularisation', :regularisationId::uuid, :to::date, :period::uuid, 'Regularización del ejercicio ' || :year::integer),
      (2, 'closing', :closingId::uuid, :to::date, :period::uuid, 'Cierre del ejercicio ' || :year::integer),
      (3, 'opening', :openingId::uuid, :nextDay::date, :nextPeriod::uuid, 'Apertura del ejercicio ' || :year::integer + 1)
    ) as p (place, kind, id, date, period_id, description) on p.kind = s.kind
  ), entry as (
    insert into journal_entries (${HEAD})
    select id, :tenant, fiscal_year_of(:tenant, date), date, period_id, kind, 'posted', description, 'fiscal_year', null, null, lines, total,
      :userId::uuid, :now::timestamptz, 1, :now::timestamptz, :now::timestamptz
    from planned order by place returning *
  ), lines as (
    insert into journal_lines (${LINES})
    select :tenant, e.id, row_number() over (partition by e.id order by c.code, c.partner_id nulls first), e.date, e.kind, c.account_id,
      greatest(c.amount, 0), greatest(-c.amount, 0), c.partner_id, null, null, null, null, null, null, null, null, null, null, null
    from entry e join changes c on c.kind = e.kind
  ), audited as (
    insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, new_value, created_at)
    select gen_random_uuid(), :tenant, 'JournalEntry', entry.id, 'CREATE', :userId::uuid, :actor, :requestId, ${AUDIT_VALUES}::json, :now::timestamptz from entry
  )
  select (select -balance from outcome)::text as result, (select json_agg(kind) from entry) as kinds`;

/** Regularisation, closing and opening entry. The periods are held by the caller. */
export async function writeClosing(trx: Db, ctx: Context, days: ClosingDays): Promise<ClosingEntries> {
  const ids = { regularisationId: newId(), closingId: newId(), openingId: newId() };
  const [made] = await query<{ result: string; kinds: string[] | null }>(trx, CLOSING_SQL, {
    ...ids,
    tenant: ctx.tenantId,
    year: days.year,
    from: days.from,
    to: days.to,
    period: days.periodId,
    nextDay: days.nextDay,
    nextPeriod: days.nextPeriodId,
    result: days.resultAccountId,
    userId: ctx.userId,
    actor: ctx.actor,
    requestId: ctx.requestId,
    now: ctx.now.toISOString(),
  });
  const kinds = made?.kinds ?? [];
  const idOf = (kind: 'regularisation' | 'closing' | 'opening') => (kinds.includes(kind) ? ids[`${kind}Id`] : null);
  return {
    regularisationId: idOf('regularisation'),
    closingId: idOf('closing'),
    openingId: idOf('opening'),
    result: made?.result ?? '0',
  };
}
