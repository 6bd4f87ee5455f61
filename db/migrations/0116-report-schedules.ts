/** Reports that are made at certain times. Until now there were none. */
import { tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'report_schedules',
    `name text not null,
     report_name text not null,
     params jsonb not null,
     cron text not null,
     timezone text not null,
     recipients text[] not null,
     format text not null,
     skip_when_empty boolean not null,
     active boolean not null,
     pause_reason text,
     created_by uuid,
     actor text,
     last_run_at timestamptz,
     last_outcome text,
     last_task_id uuid`,
    { systemGrants: 'select' },
  )}
`;
