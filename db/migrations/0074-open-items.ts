import { reference, tenantTable } from './schema.ts';

/** What manual entries leave open with a partner, and settlements by entries. Migration 0094 makes items of earlier entries. */
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
    add constraint payment_applications_by
      check (num_nonnulls(payment_id, entry_id) = 1 and (entry_id is null) = (line_number is null)) not valid,
    add constraint payment_applications_of check (num_nonnulls(document_id, item_id) = 1) not valid,
    add ${reference('payment_applications', 'entry_id', 'journal_entries', 'not valid')},
    add ${reference('payment_applications', 'item_id', 'open_items', 'not valid')};
`;
