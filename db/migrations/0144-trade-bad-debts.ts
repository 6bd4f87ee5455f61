import { SYSTEM_ROLE } from '../database.ts';
import { reference, tenantTable } from './schema.ts';

/** Invoices that customers may not pay, and what is provided for them. */
export const up = `
  ${tenantTable(
    'bad_debts',
    'Invoices that customers may not pay. What is provided for each is the sum of its movements.',
    `
    code text not null, -- Code of the invoice
    document_id uuid not null, -- Invoice
    partner_id uuid not null, -- Customer
    impairment_account_id uuid not null, -- Account of what is provided: 490
    doubtful_account_id uuid not null, -- Account of doubtful customers: 436
    provided numeric(20,6) not null check (provided >= 0), -- Provided for it, in the company's currency
    doubtful numeric(20,6) not null check (doubtful >= 0), -- What of it is on the account of doubtful customers
    written_off numeric(20,6) not null check (written_off >= 0), -- Written off as lost
    constraint bad_debts_document_key unique (tenant_id, document_id),
    ${reference('bad_debts', 'document_id', 'documents')},
    ${reference('bad_debts', 'partner_id', 'partners')},
    ${reference('bad_debts', 'impairment_account_id', 'accounts')},
    ${reference('bad_debts', 'doubtful_account_id', 'accounts')}
  `,
  )}
  create index bad_debts_list on bad_debts (tenant_id, code, id);
  create index bad_debts_partner on bad_debts (tenant_id, partner_id);
  create index bad_debts_impairment_account on bad_debts (tenant_id, impairment_account_id);
  create index bad_debts_doubtful_account on bad_debts (tenant_id, doubtful_account_id);
  create index bad_debts_open on bad_debts (tenant_id, document_id) where provided > 0 or doubtful > 0;
  create policy bad_debts_system on bad_debts for select to ${SYSTEM_ROLE} using (provided > 0 or doubtful > 0);
  grant select on bad_debts to ${SYSTEM_ROLE};
  grant select (total, paid_total, company_total, company_paid_total) on documents to ${SYSTEM_ROLE};

  ${tenantTable(
    'bad_debt_movements',
    'What has changed the provisions for bad debts. What is undone stays, with its opposite.',
    `
    bad_debt_id uuid not null, -- Bad debt
    kind text not null check (kind in ('provision', 'release', 'write_off')), -- What happened
    date date not null, -- Day on which it counts
    provided numeric(20,6) not null, -- Change of what is provided
    doubtful numeric(20,6) not null, -- Change of what is on the account of doubtful customers
    written_off numeric(20,6) not null, -- Written off as lost
    entry_id uuid not null, -- Journal entry
    standing boolean not null, -- Whether it counts: neither undone nor the opposite of what is undone
    undoes_id uuid, -- Movement that this one undoes
    created_by uuid, -- User who entered it; null for the service
    created_at timestamptz not null, -- When it was entered
    ${reference('bad_debt_movements', 'bad_debt_id', 'bad_debts')},
    ${reference('bad_debt_movements', 'entry_id', 'journal_entries')}
  `,
    { versioned: false, grants: 'select, insert, update' },
  )}
  create index bad_debt_movements_debt on bad_debt_movements (tenant_id, bad_debt_id, id);
  create index bad_debt_movements_entry on bad_debt_movements (tenant_id, entry_id);
`;
