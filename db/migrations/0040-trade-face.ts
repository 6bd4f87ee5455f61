import { reference, tenantTable } from './schema.ts';

/** Invoices that are sent to public bodies through FACe. */
export const up = `
  ${tenantTable(
    'face_submissions',
    'Invoices sent to public bodies through FACe: one row for each time that somebody asked for it.',
    `
    document_id uuid not null, -- Invoice
    environment text not null check (environment in ('test', 'production')), -- Where it is sent
    email text not null, -- Address to which FACe reports
    -- What has become of it: domain/trade/einvoice/face/statuses.ts
    status text not null check (status in ('waiting', 'sending', 'uncertain', 'refused', 'registered', 'accounted', 'paid', 'rejected',
      'annulled')),
    code integer, -- Number of its state at FACe; null until there is one
    comment text, -- What the public body says of its state
    registry_code text, -- Number under which FACe has it
    errors jsonb, -- What FACe objected to last, or why it could not be asked: codes and texts; null for nothing
    failures integer not null default 0, -- Tries that have failed since the last answer
    next_at timestamptz, -- When the workflow does something about it; null for never
    file_id uuid, -- Attachment of the invoice with the signed file that is sent; without reference, since it may be removed
    cancellation text check (cancellation in ('waiting', 'asked', 'accepted', 'refused')), -- Request to cancel it; null for none
    cancellation_reason text, -- What the public body is told
    created_at timestamptz not null, -- When somebody asked for it
    sent_at timestamptz, -- When it was sent last
    changed_at timestamptz not null, -- When its status last changed
    ${reference('face_submissions', 'document_id', 'documents')}
  `,
    { versioned: false, grants: 'select, insert, update', systemGrants: 'select' },
  )}
  create unique index face_submissions_open on face_submissions (tenant_id, document_id)
    where status not in ('uncertain', 'refused', 'rejected', 'annulled');
  create index face_submissions_document on face_submissions (tenant_id, document_id, created_at);
  create index face_submissions_next on face_submissions (tenant_id, next_at) where next_at is not null;
`;
