import { perTenant } from './per-tenant.ts';

/** Counts the lines of balances of earlier releases. Each has its row already, which is found by its key. */
export const up = perTenant(`
  insert into journal_balances as b (tenant_id, fiscal_year, month, account_id, kind, project_id, cost_center_id, tax_kind, tax_operation,
      tax_use, tax_rectifying, tax_group_id, tax_rate, debit, credit, tax_base, tax_amount, tax_subject, lines)
    select l.tenant_id, e.fiscal_year, date_trunc('month', l.date::timestamp)::date, l.account_id, l.kind, l.project_id, l.cost_center_id,
      l.tax_kind, l.tax_operation, l.tax_use, l.tax_rectifying, l.tax_group_id, l.tax_rate, 0, 0, 0, 0, 0, count(*)
    from counters c
    join journal_entries e on e.tenant_id = c.tenant_id and e.fiscal_year = substr(c.name, 18)::integer and e.number < c.next
    join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id
    where c.name like 'journal\\_balances:%' and exists (select from journal_balances where lines is null)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
  on conflict (tenant_id, month, account_id, kind, fiscal_year, project_id, cost_center_id, tax_kind, tax_operation, tax_use,
    tax_rectifying, tax_group_id, tax_rate) do update set lines = excluded.lines;
  update journal_balances set lines = 0 where lines is null;
`);
