/** Fixed assets: the register agrees with its movements, and these with the ledger. */
import { leftToCapitalise } from '../queries/assets.ts';
import type { Invariant } from './invariant.ts';

/** SQL of what the sale of an entry `e` brought, or of the one that it undoes. */
const PROCEEDS = `(select coalesce(sum(s.proceeds), 0) from asset_movements m
  join asset_movements s on s.tenant_id = m.tenant_id and s.id = coalesce(m.undoes_id, m.id)
  where m.tenant_id = e.tenant_id and m.entry_id = e.id)`;

export const ASSETS: readonly Invariant[] = [
  {
    name: 'values_of_assets',
    title:
      'the cost, depreciation and impairment of an asset are sums of its movements, zero once it is disposed of, and its last day ' +
      'depreciated is that of its movements; what is undone adds up to zero',
    sql: `select a.tenant_id, a.id::text, a.cost = m.cost and a.accumulated = m.accumulated and a.impairment = m.impairment
        and m.undone = 0 and (a.status = 'disposed') = (a.cost = 0) and (a.status = 'disposed') = (a.disposed_on is not null)
        and a.depreciated_to is not distinct from coalesce(m.until, a.taken_over_to)
        and (a.next_from is null or a.next_from = a.depreciated_to + 1 or a.depreciated_to is null) as ok
      from assets a left join lateral (
        select coalesce(sum(m.cost), 0) as cost, coalesce(sum(m.accumulated), 0) as accumulated,
          coalesce(sum(m.impairment), 0) as impairment,
          coalesce(sum(m.cost - m.accumulated - m.impairment) filter (where not m.standing), 0) as undone,
          max(m.to_date) filter (where m.standing and m.kind = 'depreciation') as until
        from asset_movements m where m.tenant_id = a.tenant_id and m.asset_id = a.id) m on true`,
  },
  {
    name: 'entries_of_assets',
    title:
      'an entry about assets changes the accounts of cost, depreciation and impairment of their groups by just what their movements ' +
      'say, on the day that they say, beside the proceeds of a sale that stand on one of them',
    sql: `select e.tenant_id, e.id::text, not exists (
          select from (
            select v.account, v.amount from asset_movements m
              join assets a on a.tenant_id = m.tenant_id and a.id = m.asset_id
              join asset_groups g on g.tenant_id = a.tenant_id and g.id = a.group_id
              cross join lateral (values (g.asset_account_id, m.cost), (g.accumulated_account_id, -m.accumulated),
                (g.impairment_account_id, -m.impairment)) as v(account, amount)
            where m.tenant_id = e.tenant_id and m.entry_id = e.id
            union all
            select l.account_id, l.credit - l.debit from journal_lines l
            where l.tenant_id = e.tenant_id and l.entry_id = e.id and exists (
              select from asset_groups g where g.tenant_id = l.tenant_id
                and l.account_id in (g.asset_account_id, g.accumulated_account_id, g.impairment_account_id))) both_sides
          where account is not null group by account having abs(sum(amount)) not in (0, ${PROCEEDS}))
        and not exists (select from asset_movements m where m.tenant_id = e.tenant_id and m.entry_id = e.id and m.date <> e.date) as ok
      from journal_entries e where e.source_type in ('asset_run', 'asset')`,
  },
  {
    name: 'runs_of_assets',
    title: 'a run has the number of assets and the sum of its movements; those of a run that was undone do not count',
    sql: `select r.tenant_id, r.id::text, r.assets = m.assets and r.total = m.total and case r.status
          when 'posted' then m.standing = m.rows and m.opposites = 0 else m.standing = 0 and m.opposites = m.rows end as ok
      from asset_runs r left join lateral (
        select count(distinct m.asset_id) as assets, coalesce(sum(m.accumulated) filter (where m.undoes_id is null), 0) as total,
          count(*) filter (where m.standing) as standing, count(*) filter (where m.undoes_id is null) as rows,
          count(*) filter (where m.undoes_id is not null) as opposites
        from asset_movements m where m.tenant_id = r.tenant_id and m.run_id = r.id) m on true`,
  },
  {
    name: 'lines_of_assets',
    title: 'assets that are there have no more of a line of a purchase invoice than is left of it',
    sql: `select l.tenant_id, l.id::text, ${leftToCapitalise('l')} >= 0 as ok
      from document_lines l where exists (
        select from asset_movements m join assets a on a.tenant_id = m.tenant_id and a.id = m.asset_id
        where m.tenant_id = l.tenant_id and m.document_line_id = l.id and m.standing and m.kind <> 'disposal' and a.status = 'active')`,
  },
];
