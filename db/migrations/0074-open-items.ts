import { reference, tenantTable } from './schema.ts';

const UNFORCED = ['journal_entries', 'journal_lines', 'accounts', 'settings', 'open_items'] as const;
/** Partners' accounts by their code (PGC): customers 43 and 44, suppliers 40, 41, 173 and 523. */
const SIDE = `case when a.code ~ '^4[34]' then 'in' when a.code ~ '^(4[01]|173|523)' then 'out' end`;

/**
 * What manual entries leave open with a partner, and settlements by entries. Lines of earlier manual entries become open items too, unless
 * they are reversed: what was entered to settle them stands beside them as credit, to be set off.
 */
export const up = `
  ${tenantTable(
    'open_items',
    `entry_id uuid not null,
     line_number integer not null,
     partner_id uuid not null,
     account_id uuid not null,
     -- in: what a partner owes; out: what is owed to the partner.
     direction text not null check (direction in ('in', 'out')),
     code text not null,
     reference text,
     date date not null,
     due_date date not null,
     currency char(3) not null,
     -- Below zero for a credit.
     total numeric(20,6) not null check (total <> 0),
     paid_total numeric(20,6) not null default 0,
     reference_key text generated always as (lower(btrim(reference))) stored,
     code_key text generated always as (lower(btrim(code))) stored,
     outstanding_key bigint generated always as ((greatest(total - paid_total, 0) * 1000000)::bigint) stored,
     constraint open_items_line unique (tenant_id, entry_id, line_number),
     ${reference('open_items', 'entry_id', 'journal_entries')},
     ${reference('open_items', 'partner_id', 'partners')},
     ${reference('open_items', 'account_id', 'accounts')}`,
  )}
  create index open_items_partner on open_items (tenant_id, partner_id, date, id);
  create index open_items_account on open_items (tenant_id, account_id);
  create index open_items_unsettled on open_items (tenant_id, direction, partner_id, date, id) where total <> paid_total;

  alter table payment_applications
    alter column payment_id drop not null,
    alter column document_id drop not null,
    add column entry_id uuid,
    add column line_number integer,
    add column item_id uuid,
    add constraint payment_applications_by check (num_nonnulls(payment_id, entry_id) = 1 and (entry_id is null) = (line_number is null)),
    add constraint payment_applications_of check (num_nonnulls(document_id, item_id) = 1),
    add ${reference('payment_applications', 'entry_id', 'journal_entries')},
    add ${reference('payment_applications', 'item_id', 'open_items')};

  ${UNFORCED.map((name) => `alter table ${name} no force row level security;`).join('\n')}
  insert into open_items (id, tenant_id, entry_id, line_number, partner_id, account_id, direction, code, date, due_date, currency, total,
      created_at, updated_at)
    select gen_random_uuid(), l.tenant_id, l.entry_id, l.line_number, l.partner_id, l.account_id, ${SIDE},
      l.date || '/' || l.line_number, l.date, l.date, coalesce(s.value->>'currency', 'EUR'),
      case when a.code ~ '^4[34]' then l.debit - l.credit else l.credit - l.debit end, e.updated_at, e.updated_at
    from journal_entries e
    join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id
    join accounts a on a.tenant_id = l.tenant_id and a.id = l.account_id
    left join settings s on s.tenant_id = e.tenant_id and s.name = 'company'
    where e.status = 'posted' and e.source_type is null and e.reversal_of is null and e.kind in ('normal', 'opening')
      and l.partner_id is not null and ${SIDE} is not null
      and not exists (select from journal_entries r where r.tenant_id = e.tenant_id and r.reversal_of = e.id);
  ${UNFORCED.map((name) => `alter table ${name} force row level security;`).join('\n')}
`;
