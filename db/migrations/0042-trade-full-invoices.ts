import { reference, tenantTable } from './schema.ts';

/** Full invoices in exchange for simplified ones. */
export const up = `
  ${tenantTable(
    'full_invoices',
    'Full invoices that were given in exchange for simplified ones (RD 1619/2012, art. 15.6; F3 of Veri*factu): the sale stays the same.',
    `
    document_id uuid not null, -- The simplified invoice
    partner_id uuid not null, -- To whom the full one is issued
    series_id uuid not null, -- Series of its number
    number integer not null, -- Number within the series
    code text not null, -- Number as printed
    date date not null, -- Date of issue
    billing_address jsonb, -- Address of the recipient
    recipient jsonb not null, -- What the paper says of the recipient: code, name, tax id, language, e-mail, telephone
    created_at timestamptz not null, -- When it was issued
    constraint full_invoices_document_key unique (tenant_id, document_id),
    constraint full_invoices_number_key unique (tenant_id, series_id, number),
    ${reference('full_invoices', 'document_id', 'documents')},
    ${reference('full_invoices', 'partner_id', 'partners')},
    ${reference('full_invoices', 'series_id', 'series')}
  `,
    { versioned: false, grants: 'select, insert' },
  )}
  create index full_invoices_partner on full_invoices (tenant_id, partner_id);
`;
