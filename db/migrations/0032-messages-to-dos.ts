import { reference, tenantTable } from './schema.ts';

/** What people must do or decide, also on behalf of rules, whose runs wait for approvals. */
export const up = `
  ${tenantTable(
    'to_dos',
    'To-dos of people, and approvals that somebody waits for.',
    `
    kind text not null, -- to_do, or approval: somebody waits for a yes or no
    title text not null, -- Title
    body text not null, -- Text; may be empty
    user_id uuid, -- User who must do it; null if anybody with the role may
    role text, -- Role of those who may do it; null if it is one user's
    due_at timestamptz, -- When it must be done; an approval ends then
    status text not null, -- open, done, approved, refused, expired or cancelled
    ended_by uuid, -- User who has ended it; null while it is open, and if the service did
    ended_at timestamptz, -- When it was ended
    comment text, -- What they said when they ended it
    document_id uuid, -- Document that it is about
    run_id uuid, -- Run of an automation that made it
    workflow_id text, -- Workflow that waits for its end
    created_by uuid, -- User who made it; null for the service
    constraint to_dos_kind_check check (kind in ('to_do', 'approval')),
    constraint to_dos_status_check check (status in ('open', 'done', 'approved', 'refused', 'expired', 'cancelled')),
    constraint to_dos_assignee_check check ((user_id is null) <> (role is null)),
    constraint to_dos_approval_check check (kind = 'to_do' or due_at is not null),
    ${reference('to_dos', 'document_id', 'documents', 'on delete set null (document_id)')}
  `,
  )}
  create index to_dos_listed on to_dos (tenant_id, created_at desc, id desc);
  create index to_dos_open_user on to_dos (tenant_id, user_id, due_at) where status = 'open';
  create index to_dos_open_role on to_dos (tenant_id, role, due_at) where status = 'open';
  create index to_dos_run on to_dos (tenant_id, run_id) where run_id is not null;
  create index to_dos_document on to_dos (tenant_id, document_id) where document_id is not null;
`;
