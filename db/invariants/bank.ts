/** Statements of bank accounts, the payments behind their lines, and orders to the bank. */
import type { Invariant } from './invariant.ts';

export const BANK: readonly Invariant[] = [
  {
    name: 'payments_of_lines',
    title: 'a matched line has a payment of its amount, direction and bank account',
    sql: `select l.tenant_id, l.id::text, p.amount = abs(l.amount) and p.direction = case when l.amount < 0 then 'out' else 'in' end
        and coalesce(p.bank_account_id = l.bank_account_id, true) as ok
      from bank_statement_lines l left join payments p on p.tenant_id = l.tenant_id and p.id = l.payment_id
      where l.status = 'matched'`,
  },
  {
    name: 'lines_of_statements',
    title:
      'a statement has the lines that were new in it, all of its account, and its balances follow from all of its lines',
    sql: `select s.tenant_id, s.id::text, count(l.id) = s.new_line_count and s.new_line_count <= s.line_count
        and coalesce(bool_and(l.bank_account_id = s.bank_account_id), true)
        and (s.new_line_count < s.line_count or s.opening_balance is null
          or s.opening_balance + coalesce(sum(l.amount), 0) = s.closing_balance) as ok
      from bank_statements s left join bank_statement_lines l on l.tenant_id = s.tenant_id and l.statement_id = s.id
      group by s.tenant_id, s.id`,
  },
  {
    name: 'orders_of_items',
    title: 'a SEPA order has as many items, of as much together, as it says, and its file',
    sql: `select o.tenant_id, o.id::text, count(i.id) = o.count and coalesce(sum(i.amount), 0) = o.total
        and exists (select from files f where f.tenant_id = o.tenant_id and f.id = o.file_id and f.kind = 'sepa_order') as ok
      from sepa_orders o left join sepa_order_items i on i.tenant_id = o.tenant_id and i.order_id = o.id
      group by o.tenant_id, o.id`,
  },
];
