/** Runs of automations, and how far events are from what a person did. Rules did not run until now. */
import { reference, tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'automation_runs',
    `automation_id uuid not null,
     automation_version integer not null,
     trigger text not null,
     cause text not null,
     event_id uuid,
     document_id uuid,
     payment_id uuid,
     partner_id uuid,
     item_id uuid,
     event jsonb not null,
     actions jsonb not null,
     stop_on_error boolean not null,
     results jsonb not null,
     depth integer not null,
     status text not null check (status in ('running', 'success', 'partial', 'failed', 'skipped', 'cancelled')),
     reason text,
     turn integer not null default 1,
     tries integer not null default 0,
     executed_at timestamptz not null,
     started_at timestamptz not null,
     duration_ms integer,
     constraint automation_runs_cause_key unique (tenant_id, automation_id, cause),
     ${reference('automation_runs', 'automation_id', 'automations', 'on delete cascade')}`,
    { versioned: false, systemGrants: 'select, delete' },
  )}
  -- Logs of a rule, newest first; also how many runs it had within a minute.
  create index automation_runs_executed on automation_runs (tenant_id, automation_id, executed_at desc, id desc);
  create index automation_runs_running on automation_runs (tenant_id, automation_id) where status = 'running';
  create index automation_runs_ended on automation_runs (executed_at) where status <> 'running' and cause not like 'once/%';
  -- How many rules had to run for it to happen: 0 for what people and programs did.
  alter table outbox add column depth smallint not null default 0;
`;
