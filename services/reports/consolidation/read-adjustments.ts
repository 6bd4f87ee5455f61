/** Reads what the parent has entered for the group alone (decision 0410). */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { Amounts, PlacedAccount } from '../../../domain/reports/consolidation/companies.ts';
import type { GroupAccount } from '../../../domain/reports/consolidation/items.ts';
import type { Days } from './company-books.ts';

const ADJUSTMENTS_SQL = `with counted as (
    select date, lines, 1 as sign from group_adjustments where date <= :to::date
    union all
    select reverses_on, lines, -1 from group_adjustments where reverses_on <= :to::date
  ), placed as (
    select l."accountId" as account_id, c.date, c.sign * case l.side when 'debit' then l.amount else -l.amount end as amount
    from counted c cross join lateral jsonb_to_recordset(c.lines) l("accountId" uuid, side text, amount numeric)
  )
  select a.code, a.name, a.type, sum(p.amount)::text as "end",
    coalesce(sum(p.amount) filter (where p.date >= :year::date), 0)::text as year,
    coalesce(sum(p.amount) filter (where p.date >= :from::date), 0)::text as period
  from placed p join accounts a on a.id = p.account_id group by a.id, a.code, a.name, a.type order by a.code`;

/** Reads the balances of adjustments, by account of the parent. A reversal counts from its day. */
export async function readAdjustments(trx: Db, { from, to, year }: Days): Promise<PlacedAccount[]> {
  const rows = await query<GroupAccount & Amounts>(trx, ADJUSTMENTS_SQL, { from, to, year });
  return rows.map(({ code, name, type, ...amounts }) => ({ account: { code, name, type }, ...amounts }));
}
