import { reference, secureTenantTable, tenantTable } from './schema.ts';

/** What the paper of an invoice shows beside the invoice's own rows, as it was when the invoice was posted. */
export const up = `
  -- A logo has the id of the file that was uploaded.
  ${tenantTable('paper_logos', `content bytea not null`, { versioned: false, grants: 'select, insert' })}

  -- What is of the company: many invoices share one, whose id is made of its content.
  ${tenantTable(
    'paper_settings',
    `content jsonb not null,
     logo_id uuid,
     ${reference('paper_settings', 'logo_id', 'paper_logos')}`,
    { versioned: false, grants: 'select, insert' },
  )}

  create table document_papers (
    tenant_id uuid not null,
    document_id uuid not null,
    settings_id uuid not null,
    content jsonb not null,
    primary key (tenant_id, document_id),
    ${reference('document_papers', 'document_id', 'documents')},
    ${reference('document_papers', 'settings_id', 'paper_settings')}
  );
  ${secureTenantTable('document_papers', { grants: 'select, insert' })}
`;
