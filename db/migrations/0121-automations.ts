/** Rules of automations. Until now there were none. */
import { tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'automations',
    `name text not null,
     description text,
     trigger jsonb not null,
     conditions jsonb not null,
     actions jsonb not null,
     stop_on_error boolean not null,
     status text not null check (status in ('active', 'paused', 'disabled')),
     pause_reason text,
     execution_count integer not null default 0,
     last_executed_at timestamptz,
     created_by uuid,
     runs_as uuid,
     actor text`,
    { systemGrants: 'select' },
  )}
  -- What the relay asks of each event.
  create index automations_triggered on automations (tenant_id, (trigger ->> 'type')) where status = 'active';
`;
