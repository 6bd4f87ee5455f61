import { describe, reference, tenantTable } from './schema.ts';

const TYPES = "('SQ', 'SO', 'SDN', 'SINV', 'PR', 'PO', 'PDN', 'PINV')";
const COLUMNS = `
    valid_until date, -- Last day on which a quotation can be accepted; null for no end
    expires_at timestamptz, -- When a quotation that was sent expires; null if it does not, or was answered
    revision integer not null default 1, -- Number of the version of a quotation
    decided_at timestamptz, -- When a quotation was accepted or rejected
    decided_by text, -- Who accepted or rejected it, as they call themselves
    decision_note text, -- What they said about it`;

/** Quotations and requests for them: documents that are accepted, rejected or expire, in versions. */
export const up = `
  alter table documents
    add column valid_until date, add column expires_at timestamptz, add column revision integer not null default 1,
    add column decided_at timestamptz, add column decided_by text, add column decision_note text,
    drop constraint documents_doc_type_check, drop constraint documents_status_check,
    add constraint documents_doc_type_check check (doc_type in ${TYPES}) not valid,
    add constraint documents_status_check check (status in ('D', 'O', 'P', 'C', 'X')
      or (status in ('A', 'R', 'E') and doc_type in ('SQ', 'PR'))) not valid;
  alter table series drop constraint series_doc_type_check,
    add constraint series_doc_type_check check (doc_type in ${TYPES}) not valid;
  ${describe('documents', 'Documents: quotations, orders, delivery notes and invoices.', COLUMNS)}
  grant select (expires_at) on documents to bms_system;
  create or replace function custom_field_table(doc_type text) returns text language sql immutable as $$
    select case doc_type when 'SO' then 'SalesOrder' when 'SDN' then 'SalesDeliveryNote' when 'SINV' then 'SalesInvoice'
      when 'PO' then 'PurchaseOrder' when 'PDN' then 'PurchaseDeliveryNote' when 'PINV' then 'PurchaseInvoice'
      when 'SQ' then 'SalesQuotation' when 'PR' then 'PurchaseRequest' end
  $$;
  ${tenantTable(
    'document_revisions',
    'Earlier versions of quotations, as they were sent.',
    `
    document_id uuid not null, -- Quotation
    revision integer not null, -- Number of the version, from 1
    content jsonb not null, -- The document as clients saw it
    created_at timestamptz not null, -- When the next version was begun
    constraint document_revisions_key unique (tenant_id, document_id, revision),
    ${reference('document_revisions', 'document_id', 'documents', 'on delete cascade')}
  `,
    { versioned: false, grants: 'select, insert, delete' },
  )}
`;
