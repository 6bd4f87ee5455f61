/** Journal entries, and their agreement with the documents behind them. */
import { companyCost, inCompany } from '../queries/company-amounts.ts';
import type { Invariant } from './invariant.ts';

/** The entry of each invoice, with the id of its reversal. */
const INVOICE_ENTRIES = `select e.tenant_id, e.source_id, e.id, r.id as reversal, e.total from journal_entries e
    left join journal_entries r on r.tenant_id = e.tenant_id and r.reversal_of = e.id
    where e.source_type in ('sales_invoice', 'purchase_invoice') and e.reversal_of is null`;

export const LEDGER: readonly Invariant[] = [
  {
    name: 'entries_balance',
    title: 'each posted entry has at least two lines, and equal debits and credits; a draft has no line in the ledger',
    sql: `select e.tenant_id, e.id::text, case e.status when 'draft' then l.lines is null
          else l.lines >= 2 and l.lines = e.line_count and l.debit = l.credit and l.debit = e.total and l.same end as ok
      from journal_entries e
      left join lateral (select count(*) as lines, sum(l.debit) as debit, sum(l.credit) as credit, bool_and(l.date = e.date
        and l.kind = e.kind) as same
        from journal_lines l where l.tenant_id = e.tenant_id and l.entry_id = e.id having count(*) > 0) l on true`,
  },
  {
    name: 'entry_numbers',
    title: 'entries of a fiscal year are numbered from 1 without gap or repeat',
    sql: `select tenant_id, fiscal_year::text as id, count(number) = coalesce(max(number), 0) and count(distinct number) = count(number)
        and coalesce(min(number) = 1, true) as ok
      from journal_entries group by 1, 2`,
  },
  {
    name: 'lines_on_accounts',
    title: 'headings have no entries',
    sql: `select l.tenant_id, l.entry_id::text as id, not a.is_heading as ok
      from journal_lines l left join accounts a on a.tenant_id = l.tenant_id and a.id = l.account_id`,
  },
  {
    name: 'entries_of_invoices',
    title:
      'each posted invoice has one entry, with its total on the partner; a cancelled one also has the reversal; a draft has none',
    sql: `select d.tenant_id, d.id::text,
        case when d.posted_at is null then count(e.id) = 0
          else count(e.id) = 1 and count(e.reversal) = (d.status = 'X')::integer
            and bool_and((select sum(case d.doc_type when 'SINV' then l.debit - l.credit else l.credit - l.debit end)
              from journal_lines l where l.tenant_id = e.tenant_id and l.entry_id = e.id and l.partner_id = d.partner_id
                and l.tax_kind is null) = ${inCompany('d', 'total')}) end as ok
      from documents d left join (${INVOICE_ENTRIES}) e on e.tenant_id = d.tenant_id and e.source_id = d.id
      where d.doc_type in ('SINV', 'PINV')
      group by d.tenant_id, d.id, d.posted_at, d.status, d.doc_type, d.partner_id, d.total, d.company_total`,
  },
  {
    name: 'sales_of_invoices',
    title:
      'the lines of a posted sales invoice add up to its entry without the customer, withholding, and taxes but those on margins',
    sql: `select d.tenant_id, d.id::text, lines.amount = (
          select coalesce(sum(l.credit - l.debit), 0) from journal_lines l where l.tenant_id = e.tenant_id and l.entry_id = e.id
            and l.partner_id is null and (l.tax_kind is null or l.tax_amount = 0 or l.tax_operation = 'margin')) as ok
      from documents d
      join (select l.tenant_id, l.document_id, sum(${inCompany('l', 'amount')}) as amount from document_lines l group by 1, 2) lines
        on lines.tenant_id = d.tenant_id and lines.document_id = d.id
      join (${INVOICE_ENTRIES}) e on e.tenant_id = d.tenant_id and e.source_id = d.id
      where d.doc_type = 'SINV'`,
  },
  {
    name: 'lost_taxes',
    title: 'the lost tax of a posted purchase is the same on its lines and in its entry; sales have none',
    sql: `select d.tenant_id, d.id::text, case when d.doc_type in ('SO', 'SDN', 'SINV') then lines.lost = 0
          else d.posted_at is null or lines.lost = coalesce(entered.lost, 0) end as ok
      from documents d
      join (select l.tenant_id, l.document_id, sum(${inCompany('l', 'lost_tax')}) as lost from document_lines l group by 1, 2) lines
        on lines.tenant_id = d.tenant_id and lines.document_id = d.id
      left join (select e.tenant_id, e.source_id, sum(l.tax_amount) as lost from journal_entries e
          join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id and l.tax_kind = 'input' and l.tax_use = 'none'
          where e.source_type = 'purchase_invoice' and e.reversal_of is null group by 1, 2) entered
        on entered.tenant_id = d.tenant_id and entered.source_id = d.id`,
  },
  {
    name: 'pro_rata_adjustments',
    title:
      'a regularisation of the pro rata adjusts the deducted tax to its percentage, by an entry on the last day of its year',
    sql: `select a.tenant_id, a.id::text, abs(a.subject * a.percent / 100 - a.deducted - a.difference) <= 0.5
        and case when a.difference = 0 then a.entry_id is null else e.date = make_date(a.year, 12, 31)
          and (select sum(l.tax_amount) = a.difference and sum(l.debit - l.credit) = a.difference from journal_lines l
            where l.tenant_id = e.tenant_id and l.entry_id = e.id and l.tax_kind = 'input') end as ok
      from pro_rata_adjustments a left join journal_entries e on e.tenant_id = a.tenant_id and e.id = a.entry_id`,
  },
  {
    name: 'good_regularisations',
    title: 'the entry of regularised investment goods has the sum of their differences',
    sql: `select g.tenant_id, g.entry_id::text as id, sum(g.amount) = (select sum(l.tax_amount) from journal_lines l
          where l.tenant_id = g.tenant_id and l.entry_id = g.entry_id and l.tax_kind = 'input') as ok
      from good_regularisations g where g.entry_id is not null group by g.tenant_id, g.entry_id`,
  },
  {
    name: 'taxes_of_lines',
    title: 'a tax line has exactly its tax on the right side: owed tax as credit, deducted tax as debit',
    sql: `select l.tenant_id, l.entry_id::text as id, case l.tax_kind when 'output' then l.credit - l.debit = l.tax_amount
          when 'input' then l.tax_use = 'none' or l.debit - l.credit = l.tax_amount
          when 'pending_output' then l.credit - l.debit = l.tax_amount
          when 'pending_surcharge' then l.credit - l.debit = l.tax_amount
          when 'pending_input' then l.debit - l.credit = l.tax_amount
          else abs(l.debit - l.credit) = abs(l.tax_amount) end as ok
      from journal_lines l where l.tax_kind is not null and l.tax_amount <> 0`,
  },
  {
    name: 'pending_taxes',
    title:
      'the account of a pending tax shows what has not accrued of it, which is nothing once its invoice is paid or cancelled',
    sql: `select p.tenant_id, p.id::text, left_over.on_account = left_over.amount * case p.kind when 'input' then 1 else -1 end
          and (left_over.amount = 0 or d.total <> d.paid_total and d.status <> 'X') as ok
      from pending_taxes p join documents d on d.tenant_id = p.tenant_id and d.id = p.document_id
      cross join lateral (
        select coalesce(sum(case when l.tax_kind = p.kind then -1 else 1 end * l.tax_amount), 0) as amount,
          coalesce(sum(l.debit - l.credit) filter (where l.account_id = p.account_id), 0) as on_account
        from journal_lines l where l.tenant_id = p.tenant_id and l.pending_tax_id = p.id) left_over`,
  },
  {
    name: 'tax_returns',
    title: 'the entry of a filed return belongs to it and is not reversed; only returns of VAT and IGIC have one',
    sql: `select r.tenant_id, r.id::text,
          case when r.entry_id is null then r.model not in ('303', '369', '420') or r.result = 0 or r.sequence > 0
              or r.model = '420' and r.result = -(r.boxes ->> '43')::numeric
          else r.model in ('303', '369', '420') and e.status = 'posted' and e.source_id = r.id and e.date >= r."to"
            and not exists (select from journal_entries x where x.tenant_id = e.tenant_id and x.reversal_of = e.id) end as ok
      from tax_returns r left join journal_entries e on e.tenant_id = r.tenant_id and e.id = r.entry_id`,
  },
  {
    name: 'order_of_returns',
    title:
      'the first returns of a model have no days in common, and those that carry amounts over were filed in the order of their ' +
      'days; others rectify the one before of the same period',
    sql: `select r.tenant_id, r.id::text, case when r.sequence > 0 then exists (select from tax_returns e
          where e.tenant_id = r.tenant_id and e.model = r.model and e."to" = r."to" and e."from" = r."from"
            and e.sequence = r.sequence - 1)
        else not exists (select from tax_returns e
          where e.tenant_id = r.tenant_id and e.model = r.model and e.id <> r.id and e.sequence = 0
            and (daterange(e."from", e."to", '[]') && daterange(r."from", r."to", '[]')
              or r.model in ('130', '303', '390', '420') and (e."from" < r."from") <> (e.created_at < r.created_at)
                and e.created_at <> r.created_at)) end as ok
      from tax_returns r`,
  },
  {
    name: 'credits_of_annual_returns',
    title: 'the credits of a filed annual VAT summary (85 and 662) are not negative, unless a person stated them',
    sql: `select r.tenant_id, r.id::text, bool_and((r.boxes ->> box)::numeric >= 0 or r.overrides ? box) as ok
      from tax_returns r, unnest(array['85', '662']) box where r.model = '390' group by 1, 2`,
  },
  {
    name: 'customs_documents',
    title: 'the customs document of a posted invoice has one entry, with its base and VAT; no other invoice has one',
    sql: `select d.tenant_id, d.id::text,
        case when d.customs_document is null or d.posted_at is null or d.status = 'X' then e.entries is null
          else e.entries = 1 and e.base = (d.customs_document ->> 'base')::numeric
            and e.amount = (d.customs_document ->> 'vatAmount')::numeric end as ok
      from documents d left join (
        select e.tenant_id, e.source_id, count(distinct e.id) as entries, sum(l.tax_base) filter (where l.tax_kind = 'input') as base,
          sum(l.tax_amount) filter (where l.tax_kind = 'input') as amount
        from journal_entries e join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id
        where e.source_type = 'customs_document' and e.reversal_of is null
          and not exists (select from journal_entries r where r.tenant_id = e.tenant_id and r.reversal_of = e.id)
        group by 1, 2) e on e.tenant_id = d.tenant_id and e.source_id = d.id
      where d.doc_type = 'PINV'`,
  },
  {
    name: 'reversals',
    title: 'an entry and its reversal add up to zero on each account',
    sql: `select tenant_id, id::text, bool_and(rest = 0) as ok
      from (select r.tenant_id, r.id, l.account_id, l.partner_id, sum(l.debit - l.credit) as rest
        from journal_entries r join journal_lines l on l.tenant_id = r.tenant_id and l.entry_id in (r.id, r.reversal_of)
        where r.reversal_of is not null group by 1, 2, 3, 4) accounts
      group by 1, 2`,
  },
  {
    name: 'entries_of_sources',
    title: 'the document or count of an entry exists',
    sql: `select e.tenant_id, e.id::text, d.id is not null or o.id is not null as ok
      from journal_entries e left join documents d on d.tenant_id = e.tenant_id and d.id = e.source_id
      left join stock_operations o on o.tenant_id = e.tenant_id and o.id = e.source_id
      where e.source_type in ('sales_invoice', 'purchase_invoice', 'customs_document', 'stock_adjustment')`,
  },
  {
    name: 'pending_invoices',
    title: 'entries for uninvoiced notes are reversed on the next day, account by account',
    sql: `select e.tenant_id, e.id::text, coalesce(bool_and(b.rest = 0), true) as ok
      from journal_entries e left join lateral (
        select sum(l.debit - l.credit) as rest
        from journal_entries x join journal_lines l on l.tenant_id = x.tenant_id and l.entry_id = x.id
        where x.tenant_id = e.tenant_id and (x.id = e.id or x.source_id = e.id and x.date = e.date + 1
          or x.reversal_of = e.id
          or x.reversal_of in (select r.id from journal_entries r where r.tenant_id = e.tenant_id and r.source_id = e.id))
        group by l.account_id, l.partner_id, l.project_id, l.cost_center_id) b on true
      where e.source_type = 'pending_invoice' and e.source_id is null and e.reversal_of is null
      group by e.tenant_id, e.id`,
  },
  {
    name: 'note_entries',
    title:
      'for each line of a note with its own entry, 4009 or 4309 shows the part not invoiced, returned or cancelled',
    sql: `with entered as (
        select tenant_id, note_line_id, sum(debit - credit) as amount from journal_lines where note_line_id is not null group by 1, 2
      ), lines as (
        select e.*, n.doc_type, l.quantity, ${companyCost('l')} as value,
          (select coalesce(sum(abs(t.quantity)), 0)
            from document_lines t join documents d on d.tenant_id = t.tenant_id and d.id = t.document_id
            where t.tenant_id = l.tenant_id and t.base_line_id = l.id and d.returns is not null and d.status <> 'X') as returned,
          (select coalesce(sum(t.quantity), 0) from document_lines t join documents d on d.tenant_id = t.tenant_id and d.id = t.document_id
            where t.tenant_id = l.tenant_id and t.base_line_id = l.id and d.doc_type in ('SINV', 'PINV') and d.posted_at is not null
              and d.status <> 'X' and not d.notes_released) as invoiced,
          (select coalesce(sum(abs(c.quantity)), 0) from document_lines t
            join document_lines c on c.tenant_id = t.tenant_id and c.base_line_id = t.id
            join documents d on d.tenant_id = c.tenant_id and d.id = c.document_id
            join documents i on i.tenant_id = t.tenant_id and i.id = t.document_id and not i.notes_released
            where t.tenant_id = l.tenant_id and t.base_line_id = l.id and d.rectifies is not null and not d.return_stock
              and d.posted_at is not null and d.status <> 'X') as credited
        from entered e left join document_lines l on l.tenant_id = e.tenant_id and l.id = e.note_line_id
        left join documents n on n.tenant_id = l.tenant_id and n.id = l.document_id and n.status <> 'X'
      ), due as (
        select *, quantity - returned - invoiced as rest from lines
      )
      select d.tenant_id, d.note_line_id::text as id,
        abs(d.amount - case d.doc_type when 'SDN' then 1 when 'PDN' then -1 else 0 end * coalesce(d.value / d.quantity
            * case when d.rest >= 0 then d.rest else least(0, greatest(d.rest, -d.returned) + d.credited) end, 0))
          <= 0.5 * power(10, -coalesce((s.value ->> 'decimalPrecision')::integer, 2)) as ok
      from due d left join settings s on s.tenant_id = d.tenant_id and s.name = 'format'`,
  },
  {
    name: 'closed_years',
    title: 'the accounts of a closed fiscal year add up to zero, also per partner',
    sql: `select y.tenant_id, y.year::text as id, not exists (select from journal_lines l join accounts a on a.tenant_id = l.tenant_id
      and a.id = l.account_id
        where l.tenant_id = y.tenant_id and l.date between y."from" and y."to"
        group by l.account_id, case when a.type in ('income', 'expense') then null else l.partner_id
          end having sum(l.debit - l.credit) <> 0) as ok
      from fiscal_years y where y.status = 'closed'`,
  },
  {
    name: 'years_of_entries',
    title: 'each entry belongs to the fiscal year of its date',
    sql: `select e.tenant_id, e.id::text, e.fiscal_year = extract(year from e.date)::integer
          - (to_char(e.date, 'MM-DD') < coalesce(s.value->>'fiscalYearStart', '01-01'))::integer as ok
      from journal_entries e left join settings s on s.tenant_id = e.tenant_id and s.name = 'company'`,
  },
  {
    name: 'loans',
    title:
      'what is outstanding of a loan is the sum of its movements, and what their entries have on its accounts with what was taken over',
    sql: `select n.tenant_id, n.id::text, n.short_term = coalesce(m.short_term, 0) and n.long_term = coalesce(m.long_term, 0)
          and n.outstanding = coalesce(b.owed, 0) + coalesce(m.taken_over, 0) and (n.status = 'drawn') = (n.next_due_on is not null) as ok
      from loans n
      left join (select tenant_id, loan_id, sum(short_term) as short_term, sum(long_term) as long_term,
            sum(short_term + long_term) filter (where kind = 'takeover') as taken_over from loan_movements group by 1, 2) m
        on m.tenant_id = n.tenant_id and m.loan_id = n.id
      left join (select m.tenant_id, m.loan_id, sum(l.credit - l.debit) as owed from loan_movements m
          join loans o on o.tenant_id = m.tenant_id and o.id = m.loan_id
          join journal_lines l on l.tenant_id = m.tenant_id and l.entry_id = m.entry_id
            and l.account_id in (o.short_term_account_id, o.long_term_account_id) group by 1, 2) b
        on b.tenant_id = n.tenant_id and b.loan_id = n.id`,
  },
  {
    name: 'deferrals',
    title:
      'what the entries of a deferral have on its account, 480 or 485, is what waits of it; what does not wait has its day and entry',
    sql: `select o.tenant_id, o.origin_id::text as id, bool_and(coalesce(l.balance, 0) = o.waiting) as ok
      from (
        select d.tenant_id, d.origin_id, d.deferral_account_id, coalesce(sum(p.amount * case d.kind when 'expense' then 1 else -1 end)
          filter (where p.recognised_on is null), 0) as waiting
        from deferrals d left join deferral_parts p on p.tenant_id = d.tenant_id and p.deferral_id = d.id group by 1, 2, 3) o
      left join (
        select s.tenant_id, s.origin_id, l.account_id, sum(l.debit - l.credit) as balance
        from (select distinct tenant_id, origin_id, coalesce(document_id, entry_id) as source_id from deferrals
          union select tenant_id, origin_id, origin_id from deferrals) s
        join journal_entries e on e.tenant_id = s.tenant_id and e.source_id = s.source_id and e.source_type = 'deferral'
        join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id group by 1, 2, 3) l
        on l.tenant_id = o.tenant_id and l.origin_id = o.origin_id and l.account_id = o.deferral_account_id
      group by 1, 2`,
  },
];
