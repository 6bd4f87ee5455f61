import { reference, secureTenantTable, tenantTable } from './schema.ts';

/** What the paper of an invoice shows beside the invoice's own rows, as it was when the invoice was posted. */
export const up = `
  -- What is of the company: all invoices between two changes share one row. Postings at the same moment may each insert one of the same
  -- content, so that none waits for another.
  ${tenantTable('paper_settings', `content_hash uuid not null, content jsonb not null`, { versioned: false, grants: 'select, insert' })}
  create index paper_settings_content_hash on paper_settings (tenant_id, content_hash);

  -- A logo, by the id of the file that was uploaded.
  ${tenantTable('paper_logos', `file_id uuid not null, content bytea not null`, { versioned: false, grants: 'select, insert' })}
  create index paper_logos_file_id on paper_logos (tenant_id, file_id);

  create table document_papers (
    tenant_id uuid not null,
    document_id uuid not null,
    settings_id uuid not null,
    content jsonb not null,
    -- The invoice was posted by an earlier release, and frozen when its PDF was first asked for.
    late boolean not null,
    primary key (tenant_id, document_id),
    ${reference('document_papers', 'document_id', 'documents')},
    ${reference('document_papers', 'settings_id', 'paper_settings')}
  );
  ${secureTenantTable('document_papers', { grants: 'select, insert' })}
`;
