import { reference, tenantTable } from './schema.ts';

/**
 * Payments received and issued, and what they are applied to. A payment's own money is `amount`; of it `applied_total` is applied.
 * An application settles more of its document than its amount where the payer withheld, was given a discount, or a small
 * difference was given up.
 */
export const up = `
  ${tenantTable(
    'payments',
    `direction text not null check (direction in ('in', 'out')),
     partner_id uuid not null,
     amount numeric(20,6) not null check (amount > 0),
     applied_total numeric(20,6) not null default 0,
     currency char(3) not null,
     date date not null,
     period_id uuid not null,
     payment_method text not null
       check (payment_method in ('transfer', 'cash', 'card', 'cheque', 'effects', 'direct_debit', 'voucher')),
     bank_account_id uuid,
     reference text,
     notes text,
     created_by uuid,
     -- What its workflow has still to do, and what came of it in words.
     reconciliation text check (reconciliation in ('pending', 'done')),
     reconciliation_request jsonb,
     explanation text,
     constraint payments_applied_check check (applied_total <= amount),
     ${reference('payments', 'partner_id', 'partners')},
     ${reference('payments', 'period_id', 'periods')},
     ${reference('payments', 'bank_account_id', 'bank_accounts')}`,
  )}
  create index payments_list on payments (tenant_id, direction, date desc, id desc);
  create index payments_partner on payments (tenant_id, partner_id, direction, date desc);
  create index payments_period on payments (tenant_id, period_id);
  create index payments_bank_account on payments (tenant_id, bank_account_id) where bank_account_id is not null;
  create index payments_reference on payments (tenant_id, direction, lower(btrim(reference))) where reference is not null;
  create index payments_open on payments (tenant_id, id) where applied_total < amount;

  ${tenantTable(
    'payment_applications',
    `seq bigint generated always as identity,
     payment_id uuid not null,
     document_id uuid not null,
     -- The order or note that an advance was paid on, before it moved to the invoice.
     origin_document_id uuid,
     date date not null,
     amount numeric(20,6) not null,
     withholding numeric(20,6) not null default 0 check (withholding >= 0),
     discount numeric(20,6) not null default 0 check (discount >= 0),
     write_off numeric(20,6) not null default 0,
     -- amount + withholding + discount + write-off: by how much less is outstanding.
     settled numeric(20,6) not null,
     previous_status text not null check (previous_status in ('pending', 'partial', 'paid', 'overpaid')),
     new_status text not null check (new_status in ('pending', 'partial', 'paid', 'overpaid')),
     matched_by text,
     run_id uuid,
     created_at timestamptz not null,
     constraint payment_applications_settled_check check (settled = amount + withholding + discount + write_off and settled <> 0),
     ${reference('payment_applications', 'payment_id', 'payments', 'on delete cascade')},
     ${reference('payment_applications', 'document_id', 'documents')}`,
    { versioned: false },
  )}
  create index payment_applications_payment on payment_applications (tenant_id, payment_id, seq);
  create index payment_applications_document on payment_applications (tenant_id, document_id, seq);

  -- What a run over all open payments has decided, until its result is made.
  ${tenantTable(
    'payment_decisions',
    `run_id uuid not null,
     payment_id uuid not null,
     direction text not null,
     partner_id uuid not null,
     reference text,
     amount numeric(20,6) not null,
     applied numeric(20,6) not null,
     remaining numeric(20,6) not null,
     documents jsonb not null,
     explanation text not null,
     ${reference('payment_decisions', 'run_id', 'tasks', 'on delete cascade')}`,
    { versioned: false },
  )}
  create index payment_decisions_run on payment_decisions (tenant_id, run_id, payment_id);

  -- What automatic matching looks for: open invoices of a partner by reference, by what is outstanding, by date.
  create index documents_open_invoices on documents (tenant_id, partner_id, doc_type, (total - paid_total), date, id)
    where doc_type in ('SINV', 'PINV') and status = 'O' and total > paid_total;
  create index documents_open_reference on documents (tenant_id, partner_id, lower(btrim(reference)))
    where doc_type in ('SINV', 'PINV') and status = 'O';
  create index documents_due on documents (tenant_id, doc_type, due_date) where doc_type in ('SINV', 'PINV') and status in ('O', 'C');

  alter table bank_accounts
    add column account_id uuid,
    add ${reference('bank_accounts', 'account_id', 'accounts')};
`;
