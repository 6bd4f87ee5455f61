import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';
import { secureTenantTable, table, tenantTable } from './schema.ts';

/** Settings, counters, idempotency, background tasks and files, and the trail that every write leaves: audit log and outbox. */
export const up = `
  ${tenantTable(
    'settings',
    'Settings of a company, one row for each group.',
    `
    name text not null, -- Group: company, tax, format, documents, accounting and so on
    value jsonb not null, -- The settings of the group
    constraint settings_name_key unique (tenant_id, name)
  `,
  )}

  ${table(
    'counters',
    'Numbers that a company hands out one after another.',
    `
    tenant_id uuid not null references tenants (id), -- Company that counts
    name text not null, -- What is counted: entries of a year, versions of custom fields and so on
    next bigint not null, -- Next number
    constraint counters_pkey primary key (tenant_id, name)
  `,
  )}
  ${secureTenantTable('counters')}
  create policy counters_system on counters for select to ${SYSTEM_ROLE} using (name = 'custom_fields');
  grant select on counters to ${SYSTEM_ROLE};
  create trigger counters_caller after insert or update on counters for each row when (new.name = 'custom_fields')
    execute function notify_tenant();

  ${tenantTable(
    'audit_logs',
    'Who changed what. Rows are only ever inserted.',
    `
    entity_type text not null, -- Kind of record
    entity_id uuid not null, -- Record that was changed
    action text not null check (action in ('CREATE', 'UPDATE', 'DELETE')), -- CREATE, UPDATE or DELETE
    user_id uuid, -- User who did it; null if a program did
    actor text, -- Program that did it: an API key, plugin, rule or the service itself
    request_id text, -- Request during which it happened
    old_value json, -- The record before; null for CREATE
    new_value json, -- The record afterwards; null for DELETE
    created_at timestamptz not null -- When it was changed
  `,
    { grants: 'select, insert', versioned: false },
  )}
  create index audit_logs_time on audit_logs (tenant_id, id desc);
  create index audit_logs_entity on audit_logs (tenant_id, entity_type, entity_id, id desc);

  ${table(
    'outbox',
    'Events, written in the transaction that causes them. The relay hands each to the workflows that follow it.',
    `
    id uuid primary key, -- Identifier of the event, which followers use to recognise repetitions
    tenant_id uuid not null references tenants (id), -- Company in which it happened
    seq bigint generated always as identity, -- Order of insertion
    event text not null, -- Name, such as sales_invoice.posted
    entity_type text not null, -- Kind of record that it is about
    entity_id uuid not null, -- Record that it is about
    payload json not null, -- The event's data, as followers receive it
    created_at timestamptz not null, -- When it happened
    locked_until timestamptz, -- End of the lease during which one worker hands it over
    attempts integer not null default 0, -- Number of times it was claimed
    last_error text, -- Why the last attempt failed
    processed_at timestamptz, -- When it was handed over to all followers
    test boolean not null default false, -- Whether it was made to test a webhook; the relay ignores it
    leased_by uuid, -- Worker that holds the lease
    refusals integer not null default 0, -- Attempts that failed because of the event itself
    dead_at timestamptz, -- When it was set aside after too many refusals
    user_id uuid, -- User who caused it
    told_at timestamptz, -- When members were notified of it
    depth smallint not null default 0 -- Number of rules that ran for it to happen; 0 for people and programs
  `,
  )}
  ${secureTenantTable('outbox', { grants: 'select, insert', systemGrants: 'select, update, delete' })}
  grant update (told_at) on outbox to ${APP_ROLE};
  create index outbox_entity on outbox (tenant_id, entity_id, seq);
  create index outbox_pending on outbox (seq) where processed_at is null and dead_at is null;
  create index outbox_pending_entity on outbox (entity_id, seq) where processed_at is null and dead_at is null;
  create index outbox_dead on outbox (seq) where dead_at is not null;
  create index outbox_time on outbox using brin (created_at);

  ${table(
    'idempotency_keys',
    'Answers to requests with an Idempotency-Key, so that a repetition gets the same answer.',
    `
    tenant_id uuid not null references tenants (id), -- Company of the caller
    caller text not null, -- Caller, as user:<id> or api_key:<id>
    path text not null, -- Path of the request
    key text not null, -- Key that the client chose
    request_hash bytea not null, -- SHA-256 of the request; another request with the same key is refused
    status integer, -- Status of the answer; null while the request is being served
    headers json, -- Headers of the answer
    body_sealed bytea, -- Body of the answer, encrypted
    created_at timestamptz not null, -- When the request arrived
    owner uuid, -- Process that serves a request of several transactions; null for a request of one
    constraint idempotency_keys_pkey primary key (tenant_id, caller, path, key)
  `,
  )}
  ${secureTenantTable('idempotency_keys', { systemGrants: 'select, delete' })}
  grant update (body_sealed) on idempotency_keys to ${SYSTEM_ROLE};
  create index idempotency_keys_age on idempotency_keys (created_at);

  ${tenantTable(
    'tasks',
    'Background tasks. Their request and progress are here; Temporal runs them.',
    `
    kind text not null, -- What the task does, such as import_items
    -- Kind as clients see it: export, report, sync or backup
    type text not null check (type in ('export', 'report', 'sync', 'backup')),
    status text not null check (status in ('running', 'completed', 'failed')), -- running, completed or failed
    progress smallint not null check (progress between 0 and 100), -- Percentage done
    message text not null, -- Progress in words
    result_url text, -- Address of the result
    error text, -- Why it failed
    input json not null, -- What was requested
    position json, -- How far it has come, to go on from after an interruption
    created_by uuid, -- User who requested it; null if a program did
    actor text, -- Program that requested it
    completed_at timestamptz, -- When it was completed or failed
    counts json -- Number of records handled, by outcome
  `,
  )}
  create policy tasks_told on tasks for update to ${SYSTEM_ROLE} using (true) with check (true);
  create policy tasks_pruning on tasks for delete to ${SYSTEM_ROLE} using (true);
  create policy tasks_system on tasks for select to ${SYSTEM_ROLE} using (true);
  grant delete on tasks to ${SYSTEM_ROLE};
  grant select (id, tenant_id, kind, status, result_url, completed_at, version, created_at) on tasks to ${SYSTEM_ROLE};
  grant update (result_url, version) on tasks to ${SYSTEM_ROLE};
  create index tasks_time on tasks (tenant_id, created_at desc nulls last, id desc);
  create index tasks_creator on tasks (tenant_id, created_by, created_at desc nulls last, id desc);
  create index tasks_kinds on tasks (kind, status);
  create index tasks_running on tasks (id) where status = 'running';
  create index tasks_completed on tasks (completed_at) where completed_at is not null;

  ${tenantTable(
    'files',
    'Files with their bytes: PDFs, images, inputs and results of tasks, attachments.',
    `
    kind text not null, -- What the file is, such as document_pdf
    name text not null, -- File name offered for downloads
    content_type text not null, -- Media type
    entity_id uuid, -- Record that the file belongs to
    entity_version integer, -- Version of the record that the file shows
    content bytea not null, -- The bytes
    created_at timestamptz not null, -- When it was stored
    -- Whether it can be made again, so that it may be deleted when it is old
    replaceable boolean not null default false
  `,
    { versioned: false },
  )}
  create policy files_pruning on files for delete to ${SYSTEM_ROLE} using (true);
  create policy files_pruned on files for select to ${SYSTEM_ROLE} using (true);
  grant delete on files to ${SYSTEM_ROLE};
  grant select (id, tenant_id, kind, entity_id, created_at, replaceable) on files to ${SYSTEM_ROLE};
  create unique index files_entity on files (tenant_id, kind, entity_id, entity_version);
  create index files_of_tasks on files (created_at) where kind in ('task_input', 'task_result');
  create index files_replaceable on files (created_at) where replaceable;

  ${table(
    'stored_objects',
    'Objects in the store of large files, and whether they are still needed.',
    `
    id uuid primary key, -- Key of the object, which is the attachment's id
    tenant_id uuid not null references tenants (id), -- Company that the object belongs to
    -- pending while it is uploaded, kept, or gone once it may be removed
    state text not null check (state in ('pending', 'kept', 'gone')),
    changed_at timestamptz not null -- When the state changed
  `,
  )}
  ${secureTenantTable('stored_objects', { grants: 'select, insert, update', systemGrants: 'select, update, delete' })}
  create index stored_objects_left on stored_objects (changed_at) where state <> 'kept';
`;
