import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';
import { secureTenantTable, tenantTable } from './schema.ts';

/** What every write leaves behind (audit, outbox), idempotency, settings, files, and the workers' signs of life. */
export const up = `
  ${tenantTable(
    'audit_logs',
    `entity_type text not null,
     entity_id uuid not null,
     action text not null check (action in ('CREATE', 'UPDATE', 'DELETE')),
     user_id uuid,
     actor text,
     request_id text,
     old_value json,
     new_value json,
     created_at timestamptz not null`,
    { versioned: false, grants: 'select, insert' },
  )}
  create index audit_logs_time on audit_logs (tenant_id, id desc);
  create index audit_logs_entity on audit_logs (tenant_id, entity_type, entity_id, id desc);

  create table outbox (
    id uuid primary key,
    tenant_id uuid not null references tenants (id),
    seq bigint generated always as identity,
    event text not null,
    entity_type text not null,
    entity_id uuid not null,
    payload json not null,
    created_at timestamptz not null,
    locked_until timestamptz,
    attempts integer not null default 0,
    last_error text,
    processed_at timestamptz
  );
  create index outbox_pending on outbox (seq) where processed_at is null;
  create index outbox_pending_entity on outbox (entity_id, seq) where processed_at is null;
  create index outbox_entity on outbox (tenant_id, entity_id, seq);
  ${secureTenantTable('outbox', { grants: 'select, insert', systemGrants: 'select, update, delete' })}

  create table idempotency_keys (
    tenant_id uuid not null references tenants (id),
    caller text not null,
    path text not null,
    key text not null,
    request_hash bytea not null,
    status integer,
    headers json,
    body_sealed bytea,
    created_at timestamptz not null,
    primary key (tenant_id, caller, path, key)
  );
  create index idempotency_keys_age on idempotency_keys (created_at);
  ${secureTenantTable('idempotency_keys', { systemGrants: 'select, delete' })}

  ${tenantTable('settings', `name text not null, value jsonb not null, constraint settings_name_key unique (tenant_id, name)`)}

  ${tenantTable(
    'files',
    `kind text not null,
     name text not null,
     content_type text not null,
     entity_id uuid,
     entity_version integer,
     content bytea not null,
     created_at timestamptz not null`,
    { versioned: false },
  )}
  create unique index files_entity on files (tenant_id, kind, entity_id, entity_version);

  create table counters (
    tenant_id uuid not null references tenants (id),
    name text not null,
    next bigint not null,
    primary key (tenant_id, name)
  );
  ${secureTenantTable('counters')}

  create table workers (
    id uuid primary key,
    queues text[] not null,
    started_at timestamptz not null,
    seen_at timestamptz not null
  );
  grant select, insert, update, delete on workers to ${SYSTEM_ROLE}, ${APP_ROLE};
`;
