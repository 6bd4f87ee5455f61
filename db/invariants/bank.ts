/** Statements of bank accounts, the payments behind their lines, and orders to the bank. */
import type { Invariant } from './invariant.ts';

export const BANK: readonly Invariant[] = [
  {
    name: 'payments_of_lines',
    title: 'only matched lines have payments, and these belong to the bank account of the line',
    sql: `select m.tenant_id, m.id::text, l.status = 'matched' and coalesce(p.bank_account_id = l.bank_account_id, true) as ok
      from bank_line_payments m
      join bank_statement_lines l on l.tenant_id = m.tenant_id and l.id = m.line_id
      join payments p on p.tenant_id = m.tenant_id and p.id = m.payment_id`,
  },
  {
    name: 'amounts_of_lines',
    title:
      'the payments of a matched line, and its posted and unreversed entry on one account, add up to the amount of the line',
    sql: `select l.tenant_id, l.id::text, case
          when l.entry_id is null then shown.count > 0 and shown.amount = l.amount
          else e.status = 'posted' and r.id is null and e.reversal_of is null and (shown.amount = l.amount or exists (
            select from journal_lines j where j.tenant_id = l.tenant_id and j.entry_id = l.entry_id
            group by j.account_id having sum(case when b.currency is null then j.debit - j.credit else j.currency_amount end)
              = l.amount - shown.amount)) end as ok
      from bank_statement_lines l
      join (select b.tenant_id, b.id, nullif(b.currency, t.currency) as currency from bank_accounts b
          join tenants t on t.id = b.tenant_id) b
        on b.tenant_id = l.tenant_id and b.id = l.bank_account_id
      cross join lateral (select count(*), coalesce(sum((case when b.currency is null then coalesce(p.company_amount, p.amount)
          else p.amount end) * case p.direction when 'in' then 1 else -1 end - p.fees), 0) as amount
        from bank_line_payments m join payments p on p.tenant_id = m.tenant_id and p.id = m.payment_id
        where m.tenant_id = l.tenant_id and m.line_id = l.id) shown
      left join journal_entries e on e.tenant_id = l.tenant_id and e.id = l.entry_id
      left join journal_entries r on r.tenant_id = l.tenant_id and r.reversal_of = l.entry_id
      where l.status = 'matched'`,
  },
  {
    name: 'entries_of_lines',
    title: 'an entry made for a line is linked to that line, or reversed',
    sql: `select e.tenant_id, e.id::text, l.id is not null or r.id is not null as ok
      from journal_entries e
      left join bank_statement_lines l on l.tenant_id = e.tenant_id and l.id = e.source_id and l.entry_id = e.id
      left join journal_entries r on r.tenant_id = e.tenant_id and r.reversal_of = e.id
      where e.source_type = 'bank_statement_line' and e.reversal_of is null`,
  },
  {
    name: 'lines_of_rules',
    title: 'a line names the rule that accepted it only while it is matched and linked to the entry made for it',
    sql: `select l.tenant_id, l.id::text, l.status = 'matched' and coalesce(e.source_id = l.id, false) as ok
      from bank_statement_lines l
      left join journal_entries e on e.tenant_id = l.tenant_id and e.id = l.entry_id
      where l.rule_id is not null`,
  },
  {
    name: 'lines_of_statements',
    title: 'the new lines of a statement belong to its account, and its balances follow from all of its lines',
    sql: `select s.tenant_id, s.id::text, count(l.id) = s.new_line_count and s.new_line_count <= s.line_count
        and coalesce(bool_and(l.bank_account_id = s.bank_account_id), true)
        and (s.new_line_count < s.line_count or s.opening_balance is null or s.closing_balance is null
          or s.opening_balance + coalesce(sum(l.amount), 0) = s.closing_balance) as ok
      from bank_statements s left join bank_statement_lines l on l.tenant_id = s.tenant_id and l.statement_id = s.id
      group by s.tenant_id, s.id`,
  },
  {
    name: 'orders_of_items',
    title: 'the count and total of a SEPA order match its items, and its file exists',
    sql: `select o.tenant_id, o.id::text, count(i.id) = o.count and coalesce(sum(i.amount), 0) = o.total
        and exists (select from files f where f.tenant_id = o.tenant_id and f.id = o.file_id and f.kind = 'sepa_order') as ok
      from sepa_orders o left join sepa_order_items i on i.tenant_id = o.tenant_id and i.order_id = o.id
      group by o.tenant_id, o.id`,
  },
];
