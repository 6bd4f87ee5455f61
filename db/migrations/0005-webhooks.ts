import { reference, tenantTable } from './schema.ts';

/** Webhooks and the log of their delivery attempts. */
export const up = `
  ${tenantTable(
    'webhooks',
    `name text not null,
     url text not null,
     method text not null default 'POST' check (method in ('POST', 'GET')),
     events text[] not null,
     headers jsonb not null default '{}',
     secret_encrypted bytea,
     status text not null default 'active' check (status in ('active', 'inactive')),
     retry_policy jsonb not null,
     created_by uuid`,
    { systemGrants: 'select' },
  )}
  create index webhooks_active on webhooks (tenant_id) where status = 'active';

  ${tenantTable(
    'webhook_attempts',
    `webhook_id uuid not null,
     event_id uuid not null,
     event text not null,
     document_id uuid,
     attempt integer not null,
     status text not null check (status in ('success', 'failed', 'skipped')),
     http_status integer,
     response_body text,
     response_time_ms integer,
     error text,
     sent_at timestamptz not null,
     ${reference('webhook_attempts', 'webhook_id', 'webhooks', 'on delete cascade')}`,
    { versioned: false, grants: 'select, insert, delete', systemGrants: 'select, insert' },
  )}
  create index webhook_attempts_log on webhook_attempts (tenant_id, webhook_id, sent_at desc, id desc);
  create unique index webhook_attempts_delivery on webhook_attempts (tenant_id, webhook_id, event_id, attempt);
`;
