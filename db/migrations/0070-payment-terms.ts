import { reference, tenantTable } from './schema.ts';

/** Payment terms, and the parts in which invoices are due. Invoices of earlier releases are due at once, and have no parts. */
export const up = `
  ${tenantTable(
    'payment_terms',
    `code text not null,
     name text not null,
     lines jsonb not null,
     active boolean not null default true,
     constraint payment_terms_code_key unique (tenant_id, code)`,
  )}
  alter table partners
    add column payment_terms_id uuid,
    add column first_payment_day integer check (first_payment_day between 1 and 31),
    add column second_payment_day integer check (second_payment_day between 1 and 31),
    add ${reference('partners', 'payment_terms_id', 'payment_terms')};
  alter table documents
    add column payment_terms_id uuid,
    add ${reference('documents', 'payment_terms_id', 'payment_terms')};
  ${tenantTable(
    'document_instalments',
    `document_id uuid not null,
     partner_id uuid not null,
     number integer not null,
     due_date date not null,
     amount numeric(20,6) not null,
     settled numeric(20,6) not null default 0,
     outstanding numeric(20,6) not null,
     outstanding_key bigint generated always as ((greatest(outstanding, 0) * 1000000)::bigint) stored,
     constraint document_instalments_number_key unique (tenant_id, document_id, number),
     ${reference('document_instalments', 'document_id', 'documents', 'on delete cascade')},
     ${reference('document_instalments', 'partner_id', 'partners')}`,
    { versioned: false },
  )}
  create index document_instalments_open on document_instalments (tenant_id, partner_id, outstanding_key) where outstanding_key > 0;
`;
