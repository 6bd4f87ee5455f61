import { describe, reference, tenantTable } from './schema.ts';

const OF_LINES = `
    service_from date, -- First day of the service over which the amount is spread; null if it is not
    service_to date, -- Last day of that service`;

/** Income and expense that are spread over the months of a service. */
export const up = `
  alter table document_lines add column service_from date, add column service_to date;
  ${describe('document_lines', 'Lines of documents.', OF_LINES)}

  ${tenantTable(
    'deferrals',
    'Lines of invoices and entries whose income or expense is spread over the months of a service.',
    `
    document_id uuid, -- Invoice
    entry_id uuid, -- Entry that was made by hand, instead of an invoice
    line_id uuid, -- Line of the invoice
    line_number integer not null, -- Its place, from 1
    takes_back_id uuid, -- Line of another invoice that it takes back
    origin_id uuid not null, -- Invoice or entry whose months it shares: of a credit, the invoice that it takes back
    date date not null, -- Day on which it was entered
    description text not null, -- Text of its entries
    kind text not null check (kind in ('expense', 'income')), -- expense or income
    account_id uuid not null, -- Account of the income or expense
    deferral_account_id uuid not null, -- Account on which it waits
    project_id uuid, -- Project
    cost_center_id uuid, -- Cost centre
    service_from date not null, -- First day of the service
    service_to date not null, -- Last day of the service
    amount numeric(20,6) not null, -- Amount that is spread; negative for what is taken back
    constraint deferrals_source_check check (num_nonnulls(document_id, entry_id) = 1),
    constraint deferrals_service_check check (service_from <= service_to),
    ${reference('deferrals', 'document_id', 'documents')},
    ${reference('deferrals', 'entry_id', 'journal_entries')},
    ${reference('deferrals', 'account_id', 'accounts')},
    ${reference('deferrals', 'deferral_account_id', 'accounts')},
    ${reference('deferrals', 'project_id', 'projects')},
    ${reference('deferrals', 'cost_center_id', 'cost_centers')}
  `,
    { versioned: false, grants: 'select, insert' },
  )}
  create index deferrals_document on deferrals (tenant_id, document_id) where document_id is not null;
  create index deferrals_entry on deferrals (tenant_id, entry_id) where entry_id is not null;
  create index deferrals_line on deferrals (tenant_id, line_id) where line_id is not null;
  create index deferrals_takes_back on deferrals (tenant_id, takes_back_id) where takes_back_id is not null;
  create index deferrals_account on deferrals (tenant_id, account_id);
  create index deferrals_project on deferrals (tenant_id, project_id) where project_id is not null;
  create index deferrals_cost_center on deferrals (tenant_id, cost_center_id) where cost_center_id is not null;

  ${tenantTable(
    'deferral_parts',
    'What each month takes of a deferral.',
    `
    deferral_id uuid not null, -- Deferral
    origin_id uuid not null, -- Origin of the deferral
    date date not null, -- Last day of the month
    amount numeric(20,6) not null, -- Amount; negative for what is taken back
    recognised_on date, -- Day on which it became income or expense; null while it waits
    entry_id uuid, -- Entry of that day; null while it waits, and where parts of a month cancel out
    reported_at timestamptz, -- When people were told that it cannot be entered
    constraint deferral_parts_entry_check check (entry_id is null or recognised_on is not null),
    ${reference('deferral_parts', 'deferral_id', 'deferrals')},
    ${reference('deferral_parts', 'entry_id', 'journal_entries')}
  `,
    { versioned: false, grants: 'select, insert, update', systemGrants: 'select' },
  )}
  create index deferral_parts_deferral on deferral_parts (tenant_id, deferral_id);
  create index deferral_parts_entry on deferral_parts (tenant_id, entry_id) where entry_id is not null;
  create index deferral_parts_waiting on deferral_parts (tenant_id, date, origin_id) where recognised_on is null;
`;
