/** Payrolls: their figures, and their entries. */
import type { Invariant } from './invariant.ts';

const sumOfLines = (condition: string) =>
  `(select coalesce(sum((line->>'amount')::numeric), 0) from jsonb_array_elements(p.lines) line where ${condition})`;
const FREE = `line->>'kind' in ('expenses', 'severance')`;
const RECEIVED = `line->>'kind' in ('in_kind', 'deduction')`;

/** SQL of the debit side of an entry: negative amounts change sides. */
const DEBITED = `greatest(p.gross, 0) + ${sumOfLines(FREE)} + greatest(p.employer_contribution, 0)
  + greatest(-p.employee_contribution - p.employer_contribution, 0) + greatest(-p.irpf, 0)
  + greatest(-${sumOfLines(`line->>'kind' = 'in_kind'`)}, 0) + greatest(-${sumOfLines(`line->>'kind' = 'deduction'`)}, 0)`;

export const PAYROLL: readonly Invariant[] = [
  {
    name: 'figures_of_payrolls',
    title:
      'the gross of a payroll = Σ its earnings; its net = gross and what is free of tax less contributions, income tax and amounts ' +
      'received before, at least 0',
    sql: `select p.tenant_id, p.id::text, p.gross = ${sumOfLines(`line->>'kind' <> 'deduction' and not ${FREE}`)}
        and p.employee_contribution = (p.employee_contributions->>'total')::numeric
        and p.employer_contribution = (p.employer_contributions->>'total')::numeric
        and p.irpf = round(p.gross * p.irpf_rate / 100, 2)
        and p.deductions = p.employee_contribution + p.irpf + ${sumOfLines(RECEIVED)}
        and p.net = p.gross + ${sumOfLines(FREE)} - p.deductions and p.net >= 0 as ok
      from payrolls p`,
  },
  {
    name: 'entries_of_payrolls',
    title:
      'each posted payroll has one entry, on the last day of its month, with its cost, and its net on a partner; a cancelled one also ' +
      'has the reversal; a draft has none',
    sql: `select p.tenant_id, p.id::text,
        case when p.posted_at is null then p.status <> 'O' and p.entry_id is null and count(e.id) = 0
          else p.status <> 'D' and count(e.id) = 1 and count(r.id) = (p.status = 'X')::integer
            and bool_and(e.id = p.entry_id and r.id is not distinct from p.reversal_id and e.status = 'posted'
              and e.date = (make_date(p.year, p.month, 1) + interval '1 month - 1 day')::date and e.total = ${DEBITED}
              and (select coalesce(sum(l.credit - l.debit), 0) from journal_lines l
                where l.tenant_id = e.tenant_id and l.entry_id = e.id and l.partner_id is not null) = p.net) end as ok
      from payrolls p
      left join journal_entries e on e.tenant_id = p.tenant_id and e.source_id = p.id and e.reversal_of is null
      left join journal_entries r on r.tenant_id = e.tenant_id and r.reversal_of = e.id
      group by p.tenant_id, p.id`,
  },
  {
    name: 'costs_of_payrolls',
    title:
      'the entry of a posted payroll debits its labor cost, in one line or divided by shares: gross pay, severance, and ' +
      'contributions of the company',
    sql: `select p.tenant_id, p.id::text, (costs.lines @> costs.due or costs.accounts @> costs.due) as ok
      from payrolls p cross join lateral (select
        array_remove(array[p.gross, ${sumOfLines(`line->>'kind' = 'severance'`)}, p.employer_contribution], 0) as due,
        array(select l.debit - l.credit from journal_lines l
          where l.tenant_id = p.tenant_id and l.entry_id = p.entry_id and l.partner_id is null) as lines,
        array(select sum(l.debit - l.credit) from journal_lines l
          where l.tenant_id = p.tenant_id and l.entry_id = p.entry_id and l.partner_id is null group by l.account_id) as accounts) costs
      where p.posted_at is not null`,
  },
  {
    name: 'payments_of_payrolls',
    title: 'the payment of a payroll was not returned, and settles its open item completely',
    sql: `select p.tenant_id, p.id::text, exists (select from open_items i
          join payment_applications a on a.tenant_id = i.tenant_id and a.item_id = i.id and a.payment_id = p.payment_id
          where i.tenant_id = p.tenant_id and i.entry_id = p.entry_id and i.paid_total = i.total)
        and not exists (select from payments b where b.tenant_id = p.tenant_id and b.returns = p.payment_id) as ok
      from payrolls p where p.payment_id is not null`,
  },
];
