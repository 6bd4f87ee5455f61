/** Mails and what became of them. Earlier releases wrote only invitations, whose mails that wait are handed over by their workflows. */
import { tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'emails',
    `kind text not null,
     addressees text not null,
     subject text not null,
     status text not null check (status in ('queued', 'sent', 'failed')),
     error text,
     recipients jsonb not null,
     text text,
     html text,
     attachments jsonb not null,
     document_id uuid,
     attach_document boolean not null,
     entity_id uuid,
     tries integer not null,
     give_up_at timestamptz not null,
     created_by uuid references users (id),
     actor text,
     sent_at timestamptz`,
    { grants: 'select, insert, update', systemGrants: 'select, delete' },
  )}
  create index emails_created on emails (tenant_id, created_at, id);
  create index emails_documents on emails (tenant_id, document_id) where document_id is not null;
  create index emails_queued on emails (id) where status = 'queued';
`;
