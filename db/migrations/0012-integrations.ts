import { SYSTEM_ROLE } from '../database.ts';
import { reference, secureTenantTable, table, tenantTable } from './schema.ts';

/** Plugins, webhooks and automations. */
export const up = `
  ${tenantTable(
    'plugins',
    'Programs of others that a company lets work on its data.',
    `
    name text not null, -- Name of the plugin
    release text not null, -- Version of the plugin, as its manifest says
    description text, -- What it does
    custom_fields jsonb not null, -- Custom fields that it asks for
    permissions text[] not null, -- Permissions that it has
    status text not null check (status in ('enabled', 'disabled')), -- enabled or disabled
    token_hash bytea not null constraint plugins_token_hash_key unique, -- SHA-256 of the token that it calls with
    token_rotated_at timestamptz, -- When the token was replaced
    created_by uuid, -- User who installed it
    base_url text, -- Address at which it is called
    hooks jsonb not null, -- Hooks that it can fire
    actions jsonb not null, -- Actions that rules can ask of it
    secret_encrypted bytea, -- Secret that signs calls to it
    retired_secrets_encrypted bytea, -- Replaced secrets that still sign, with their ends
    secret_rotated_at timestamptz, -- When the secret was replaced
    error_told_at timestamptz, -- When members were last notified that it fails
    constraint plugins_name_key unique (tenant_id, name)
  `,
    { systemGrants: 'select' },
  )}
  grant update (secret_encrypted, retired_secrets_encrypted) on plugins to ${SYSTEM_ROLE};
  create trigger plugins_caller after update of status, permissions, token_hash on plugins for each row
    execute function notify_caller();
  create trigger plugins_caller_gone after delete on plugins for each row execute function notify_caller();
  alter table custom_fields add ${reference('custom_fields', 'plugin_id', 'plugins')};

  ${tenantTable(
    'webhooks',
    'Registrations of addresses that events are sent to.',
    `
    name text not null, -- Name of the webhook
    url text not null, -- Address that events are sent to
    method text not null default 'POST' check (method in ('POST', 'GET')), -- POST or GET
    events text[] not null, -- Events that are sent
    headers jsonb not null default '{}', -- Headers that are sent with them
    secret_encrypted bytea, -- Secret that signs deliveries
    status text not null default 'active' check (status in ('active', 'inactive')), -- active or inactive
    retry_policy jsonb not null, -- Pauses between attempts
    created_by uuid, -- User who registered it
    -- Form of the registration: several events, or one event with filters
    form text not null default 'events' check (form in ('events', 'event')),
    filter_types text[], -- Types of notifications that are sent; null for all
    filters jsonb, -- Conditions that an event must meet; null for none
    retired_secrets_encrypted bytea, -- Replaced secrets that still sign, with their ends
    secret_rotated_at timestamptz, -- When the secret was replaced
    -- Maximum concurrent deliveries
    max_in_flight integer not null default 10 check (max_in_flight between 1 and 100),
    -- Maximum deliveries a second
    rate_per_second integer not null default 100 check (rate_per_second between 1 and 1000),
    constraint webhooks_one_event check ((form = 'events') or (cardinality(events) = 1)),
    constraint webhooks_filter_types
      check (filter_types is null or (form = 'event' and events = '{notification.created}'))
  `,
    { systemGrants: 'select' },
  )}
  grant update (secret_encrypted, retired_secrets_encrypted) on webhooks to ${SYSTEM_ROLE};
  create index webhooks_active on webhooks (tenant_id) where status = 'active';

  ${tenantTable(
    'webhook_attempts',
    'Log of delivery attempts. Rows are only ever inserted and pruned.',
    `
    webhook_id uuid not null, -- Webhook
    event_id uuid not null, -- Event
    event text not null, -- Name of the event
    document_id uuid, -- Document that the event is about
    attempt integer not null, -- Number of the attempt; 0 where none was made
    status text not null check (status in ('success', 'failed', 'skipped')), -- success, failed or skipped
    http_status integer, -- Status of the answer
    response_body text, -- Beginning of the answer
    response_time_ms integer, -- Time until the answer, in milliseconds
    error text, -- Why it failed
    sent_at timestamptz not null, -- When it was sent
    redelivery_id uuid, -- Request for redelivery that it belongs to; the retry policy applies to each anew
    test boolean not null default false, -- Whether it was a test
    ${reference('webhook_attempts', 'webhook_id', 'webhooks', 'on delete cascade')}
  `,
    { grants: 'select, insert, delete', systemGrants: 'select, insert, delete', versioned: false },
  )}
  grant update (response_body) on webhook_attempts to ${SYSTEM_ROLE};
  create unique index webhook_attempts_delivery on webhook_attempts (tenant_id, webhook_id, event_id, attempt);
  create index webhook_attempts_log on webhook_attempts (tenant_id, webhook_id, sent_at desc nulls last, id desc)
    include (status, http_status, response_time_ms, test);
  create index webhook_attempts_missed on webhook_attempts (tenant_id, webhook_id, sent_at desc nulls last, id desc)
    where status <> 'success';
  create index webhook_attempts_event on webhook_attempts (event_id);
  create index webhook_attempts_bodies on webhook_attempts (sent_at) where response_body is not null;

  ${table(
    'webhook_health',
    'How webhooks fare: how long they have been failing, and when they were disabled for it.',
    `
    webhook_id uuid primary key, -- Webhook
    tenant_id uuid not null references tenants (id), -- Company of the webhook
    failing_since timestamptz, -- First failure since the last success
    failures integer not null default 0, -- Failures since then
    -- Share of the time until it is disabled at which members were last warned
    warned_percent smallint not null default 0,
    disabled_at timestamptz, -- When it was disabled
    disabled_reason text, -- Why it was disabled
    constraint webhook_health_failing check ((failing_since is null) = (failures = 0)),
    ${reference('webhook_health', 'webhook_id', 'webhooks', 'on delete cascade')}
  `,
  )}
  ${secureTenantTable('webhook_health')}

  ${tenantTable(
    'automations',
    'Rules: what is done when something happens.',
    `
    name text not null, -- Name of the rule
    description text, -- What it is for
    trigger jsonb not null, -- Event, time or start of the service that it waits for
    conditions jsonb not null, -- Conditions that must hold
    actions jsonb not null, -- What is done, in order
    stop_on_error boolean not null, -- Whether a failed action ends the run
    status text not null check (status in ('active', 'paused', 'disabled')), -- active, paused or disabled
    pause_reason text, -- Why it was paused
    execution_count integer not null default 0, -- Number of runs
    last_executed_at timestamptz, -- When it last ran
    created_by uuid, -- User who created it
    runs_as uuid, -- User whose permissions its actions have
    actor text -- Program that created it
  `,
    { systemGrants: 'select' },
  )}
  create index automations_triggered on automations (tenant_id, ((trigger->>'type'))) where status = 'active';

  ${tenantTable(
    'automation_runs',
    'Runs of automations.',
    `
    automation_id uuid not null, -- Automation
    automation_version integer not null, -- Version of the automation that ran
    trigger text not null, -- Type of trigger
    cause text not null, -- What it ran for; each cause runs an automation once
    event_id uuid, -- Event that triggered it
    document_id uuid, -- Document that the event is about
    payment_id uuid, -- Payment that the event is about
    partner_id uuid, -- Partner that the event is about
    item_id uuid, -- Item that the event is about
    event jsonb not null, -- Data of the event
    actions jsonb not null, -- Actions as they were when it began
    stop_on_error boolean not null, -- Whether a failed action ends it
    results jsonb not null, -- Results of the actions
    depth integer not null, -- Number of rules that ran before for it to happen
    -- running, success, partial, failed, skipped or cancelled
    status text not null check (status in ('running', 'success', 'partial', 'failed', 'skipped', 'cancelled')),
    reason text, -- Why it was skipped, failed or cancelled
    turn integer not null default 1, -- Raised by each rerun, from 1
    tries integer not null default 0, -- Attempts at the next action
    executed_at timestamptz not null, -- When the run was first begun
    started_at timestamptz not null, -- When its last turn began
    duration_ms integer, -- Duration in milliseconds; null while it runs
    constraint automation_runs_cause_key unique (tenant_id, automation_id, cause),
    ${reference('automation_runs', 'automation_id', 'automations', 'on delete cascade')}
  `,
    { systemGrants: 'select, delete', versioned: false },
  )}
  create index automation_runs_executed on automation_runs (tenant_id, automation_id, executed_at desc, id desc);
  create index automation_runs_running on automation_runs (tenant_id, automation_id) where status = 'running';
  create index automation_runs_ended on automation_runs (executed_at)
    where status <> 'running' and cause not like 'once/%';
`;
