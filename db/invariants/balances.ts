/** The sums of the ledger that reports read. */
import type { Invariant } from './invariant.ts';

const KEY = `tenant_id, fiscal_year, month, account_id, kind, project_id, cost_center_id, tax_kind, tax_operation, tax_use, tax_rectifying,
  tax_group_id, tax_rate`;

export const BALANCES: readonly Invariant[] = [
  {
    name: 'balances',
    title: 'balances equal the sums of the entry lines that they include',
    sql: `with sums as (
        select ${KEY}, debit, credit, tax_base, tax_amount, tax_subject, lines from journal_balances
        union all
        select l.tenant_id, e.fiscal_year, date_trunc('month', l.date::timestamp)::date, l.account_id, l.kind, l.project_id,
          l.cost_center_id, l.tax_kind, l.tax_operation, l.tax_use, l.tax_rectifying, l.tax_group_id, l.tax_rate,
          -l.debit, -l.credit, -coalesce(l.tax_base, 0), -coalesce(l.tax_amount, 0), -coalesce(l.tax_subject, l.tax_amount, 0), -1
        from counters c
        join journal_entries e on e.tenant_id = c.tenant_id and e.fiscal_year = substr(c.name, 18)::integer and e.number < c.next
        join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id
        where c.name like 'journal\\_balances:%')
      select tenant_id, month || ' ' || account_id as id, sum(debit) = 0 and sum(credit) = 0 and sum(tax_base) = 0 and sum(tax_amount) = 0
        and sum(tax_subject) = 0 and sum(lines) = 0 as ok
      from sums group by ${KEY}`,
  },
  {
    name: 'numbers_of_balances',
    title: 'balances include no numbers that have not been assigned',
    sql: `select s.tenant_id, s.name as id, s.next between 1 and coalesce(n.next, 1) as ok
      from counters s left join counters n on n.tenant_id = s.tenant_id and n.name = 'journal_entries:' || substr(s.name, 18)
      where s.name like 'journal\\_balances:%'`,
  },
];
