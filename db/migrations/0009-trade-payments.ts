import { SYSTEM_ROLE } from '../database.ts';
import { reference, tenantTable } from './schema.ts';

/** Payments, open items of manual entries, and what settles what. */
export const up = `
  ${tenantTable(
    'payments',
    'Payments received and issued.',
    `
    direction text not null check (direction in ('in', 'out')), -- in or out
    partner_id uuid not null, -- Partner who pays or is paid
    amount numeric(20,6) not null, -- Money paid; 0 for an offset
    applied_total numeric(20,6) not null default 0, -- Sum that has been applied
    currency char(3) not null, -- Currency, ISO 4217
    date date not null, -- Day of the payment
    period_id uuid not null, -- Period of that day
    -- transfer, cash, card, cheque, effects, direct_debit, voucher or offset
    payment_method text not null
      check (payment_method in ('transfer', 'cash', 'card', 'cheque', 'effects', 'direct_debit', 'voucher', 'offset')),
    bank_account_id uuid, -- Bank account of the company
    reference text, -- Reference, by which invoices are found
    notes text, -- Notes
    created_by uuid, -- User who entered it
    -- State of automatic matching: pending or done; null if not requested
    reconciliation text check (reconciliation in ('pending', 'done')),
    reconciliation_request jsonb, -- How to match it
    explanation text, -- Outcome of matching, in words
    reconciliation_mode text, -- How invoices were found
    reconciliation_reason text, -- Why none was found
    returns uuid, -- Payment that comes back by this one
    -- Fees of the bank for a returned payment, in addition to the amount
    fees numeric(20,6) not null default 0 check (fees >= 0),
    fees_borne_by text check (fees_borne_by in ('company', 'partner')), -- company or partner; null without fees
    constraint payments_applied_check check (applied_total <= amount),
    constraint payments_amount_check check (case payment_method when 'offset' then amount = 0 else amount > 0 end),
    constraint payments_fees check ((fees = 0) = (fees_borne_by is null) and (returns is not null or fees = 0)),
    ${reference('payments', 'partner_id', 'partners')},
    ${reference('payments', 'period_id', 'periods')},
    ${reference('payments', 'bank_account_id', 'bank_accounts')},
    ${reference('payments', 'returns', 'payments')}
  `,
  )}
  create policy payments_system on payments for select to ${SYSTEM_ROLE} using (true);
  grant select (id, tenant_id, reconciliation, updated_at) on payments to ${SYSTEM_ROLE};
  create index payments_list on payments (tenant_id, direction, date desc, id desc);
  create index payments_partner on payments (tenant_id, partner_id, direction, date desc);
  create index payments_period on payments (tenant_id, period_id);
  create index payments_bank_account on payments (tenant_id, bank_account_id) where bank_account_id is not null;
  create index payments_open on payments (tenant_id, id) where applied_total < amount;
  create index payments_offsets on payments (tenant_id, date desc, id desc) where payment_method = 'offset';
  create index payments_pending on payments (id) where reconciliation = 'pending';
  create index payments_unapplied on payments (tenant_id, partner_id) where applied_total < amount;
  create unique index payments_returns on payments (tenant_id, returns) where returns is not null;

  ${tenantTable(
    'open_items',
    'What manual entries leave open with a partner.',
    `
    entry_id uuid not null, -- Entry
    line_number integer not null, -- Its line
    partner_id uuid not null, -- Partner
    account_id uuid not null, -- Account of the line
    -- in if the partner owes it, out if it is owed to the partner
    direction text not null check (direction in ('in', 'out')),
    code text not null, -- Code that clients see
    reference text, -- Reference
    date date not null, -- Date of the entry
    due_date date not null, -- Day on which it is due
    currency char(3) not null, -- Currency, ISO 4217
    total numeric(20,6) not null check (total <> 0), -- Amount; below zero for a credit
    paid_total numeric(20,6) not null default 0, -- Sum of what has been settled
    -- Reference in lower case without surrounding blanks, for indexes
    reference_key text generated always as (lower(btrim(reference))) stored,
    code_key text generated always as (lower(btrim(code))) stored, -- Code in the same form
    -- Outstanding amount in millionths, at least 0
    outstanding_key bigint generated always as ((greatest(total - paid_total, 0) * 1000000)::bigint) stored,
    constraint open_items_line unique (tenant_id, entry_id, line_number),
    ${reference('open_items', 'entry_id', 'journal_entries')},
    ${reference('open_items', 'partner_id', 'partners')},
    ${reference('open_items', 'account_id', 'accounts')}
  `,
  )}
  create index open_items_partner on open_items (tenant_id, partner_id, date, id);
  create index open_items_account on open_items (tenant_id, account_id);
  create index open_items_unsettled on open_items (tenant_id, direction, partner_id, date, id)
    where total <> paid_total;

  ${tenantTable(
    'payment_applications',
    'Applications: a payment or a line of an entry settles a document or an open item.',
    `
    seq bigint generated always as identity, -- Order of insertion
    payment_id uuid, -- Payment that settles; null for an entry
    document_id uuid, -- Document settled; null for an open item
    origin_document_id uuid, -- Order or note that an advance was paid on, before it moved to the invoice
    date date not null, -- Day on which it counts
    amount numeric(20,6) not null, -- Money applied
    withholding numeric(20,6) not null default 0 check (withholding >= 0), -- Income tax that the payer withheld
    discount numeric(20,6) not null default 0 check (discount >= 0), -- Discount for prompt payment
    write_off numeric(20,6) not null default 0, -- Small difference given up
    -- Sum of the four, by which less is outstanding; of the other sign where credit is paid back
    settled numeric(20,6) not null,
    -- Payment status of the document before
    previous_status text not null check (previous_status in ('pending', 'partial', 'paid', 'overpaid')),
    -- Payment status of the document afterwards
    new_status text not null check (new_status in ('pending', 'partial', 'paid', 'overpaid')),
    matched_by text, -- How automatic matching found the document
    run_id uuid, -- Task whose run matched it
    created_at timestamptz not null, -- When it was applied
    keep_withholding boolean not null default true, -- Whether the discount leaves the withheld tax as it is
    entry_id uuid, -- Entry that settles; null for a payment
    line_number integer, -- Line of that entry
    item_id uuid, -- Open item settled; null for a document
    instalment integer, -- Instalment of the invoice that it is for
    constraint payment_applications_by
      check (num_nonnulls(payment_id, entry_id) = 1 and (entry_id is null) = (line_number is null)),
    constraint payment_applications_of check (num_nonnulls(document_id, item_id) = 1),
    constraint payment_applications_settled_check
      check (settled <> 0 and abs(settled) = abs(amount + withholding + discount + write_off)),
    ${reference('payment_applications', 'payment_id', 'payments', 'on delete cascade')},
    ${reference('payment_applications', 'document_id', 'documents')},
    ${reference('payment_applications', 'entry_id', 'journal_entries')},
    ${reference('payment_applications', 'item_id', 'open_items')}
  `,
    { versioned: false },
  )}
  create index payment_applications_payment on payment_applications (tenant_id, payment_id, seq);
  create index payment_applications_document on payment_applications (tenant_id, document_id, seq);
  create index payment_applications_date on payment_applications (tenant_id, date);
  create index payment_applications_entry on payment_applications (tenant_id, entry_id)
    where entry_id is not null;
  create index payment_applications_item on payment_applications (tenant_id, item_id, seq)
    where item_id is not null;

  ${tenantTable(
    'payment_decisions',
    'Decisions of a run that matches all open payments, until its result is made.',
    `
    run_id uuid not null, -- Task of the run
    payment_id uuid not null, -- Payment
    direction text not null, -- in or out
    partner_id uuid not null, -- Partner
    reference text, -- Reference of the payment
    amount numeric(20,6) not null, -- Money of the payment
    applied numeric(20,6) not null, -- Sum applied by the run
    remaining numeric(20,6) not null, -- What remains to be applied
    documents jsonb not null, -- Documents with the amounts applied
    explanation text not null, -- Decision in words
    ${reference('payment_decisions', 'run_id', 'tasks', 'on delete cascade')}
  `,
    { versioned: false },
  )}
  create index payment_decisions_run on payment_decisions (tenant_id, run_id, payment_id);
`;
