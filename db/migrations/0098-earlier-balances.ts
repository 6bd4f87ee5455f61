import { perTenant } from './per-tenant.ts';

/** Sums the entries of earlier releases. A company whose sums have begun is left alone: the service goes on with it. */
export const up = perTenant(`
  with begun as (
    insert into counters (tenant_id, name, next)
      select tenant_id, 'journal_balances:' || substr(name, 17), next from counters where name like 'journal_entries:%'
    on conflict (tenant_id, name) do nothing
    returning tenant_id, substr(name, 18)::integer as fiscal_year, next
  )
  insert into journal_balances (tenant_id, fiscal_year, month, account_id, kind, project_id, cost_center_id, tax_kind, tax_operation,
      tax_use, tax_rectifying, tax_group_id, tax_rate, debit, credit, tax_base, tax_amount, tax_subject)
    select l.tenant_id, e.fiscal_year, date_trunc('month', l.date::timestamp)::date, l.account_id, l.kind, l.project_id, l.cost_center_id,
      l.tax_kind, l.tax_operation, l.tax_use, l.tax_rectifying, l.tax_group_id, l.tax_rate, sum(l.debit), sum(l.credit),
      coalesce(sum(l.tax_base), 0), coalesce(sum(l.tax_amount), 0), coalesce(sum(coalesce(l.tax_subject, l.tax_amount)), 0)
    from begun b join journal_entries e on e.tenant_id = b.tenant_id and e.fiscal_year = b.fiscal_year and e.number < b.next
    join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
`);
