import { reference, secureTenantTable, tenantTable } from './schema.ts';

/** Redeliveries and test deliveries in the log; how long a webhook has been failing; notifications of people. */
export const up = `
  -- An event that is only sent as a test: the relay hands it to nobody.
  alter table outbox add column test boolean not null default false;

  -- Which request for redelivery an attempt belongs to; the retry policy applies to each anew.
  alter table webhook_attempts add column redelivery_id uuid;
  alter table webhook_attempts add column test boolean not null default false;
  -- The log in its order; statistics are answered from the index alone.
  drop index webhook_attempts_log;
  create index webhook_attempts_log on webhook_attempts (tenant_id, webhook_id, sent_at desc nulls last, id desc)
    include (status, http_status, response_time_ms, test);
  create index webhook_attempts_missed on webhook_attempts (tenant_id, webhook_id, sent_at desc nulls last, id desc)
    where status <> 'success';

  create table webhook_health (
    webhook_id uuid primary key,
    tenant_id uuid not null references tenants (id),
    failing_since timestamptz,
    failures integer not null default 0,
    warned_percent smallint not null default 0,
    disabled_at timestamptz,
    disabled_reason text,
    constraint webhook_health_failing check ((failing_since is null) = (failures = 0)),
    ${reference('webhook_health', 'webhook_id', 'webhooks', 'on delete cascade')}
  );
  ${secureTenantTable('webhook_health')}

  ${tenantTable(
    'notifications',
    `user_id uuid not null constraint notifications_user_id_fkey references users (id),
     type text not null check (type in ('email_status', 'document_sent', 'payment_received', 'payment_made', 'document_locked',
       'automation_triggered', 'plugin_error', 'system_alert', 'mention', 'task_completed')),
     title text not null,
     body text not null,
     read boolean not null default false,
     read_at timestamptz,
     metadata jsonb,
     action_url text,
     action_label text,
     constraint notifications_read_at check (read = (read_at is not null))`,
  )}
  create index notifications_time on notifications (tenant_id, user_id, created_at desc nulls last, id desc);
  create index notifications_unread on notifications (tenant_id, user_id) where not read;
`;
