import { tenantTable } from './schema.ts';

/** Reports that are made at certain times. */
export const up = `
  ${tenantTable(
    'report_schedules',
    'Schedules of reports.',
    `
    name text not null, -- Name of the schedule
    report_name text not null, -- Report
    params jsonb not null, -- Parameters of the report
    cron text not null, -- Times, as a cron expression
    timezone text not null, -- Time zone of those times
    recipients text[] not null, -- Addresses that the report is sent to
    format text not null, -- File format
    skip_when_empty boolean not null, -- Whether an empty report is not sent
    active boolean not null, -- Whether it is in use
    pause_reason text, -- Why it was paused
    created_by uuid, -- User who created it; null if a program did
    actor text, -- Program that created it
    last_run_at timestamptz, -- When it last ran
    last_outcome text, -- Outcome of that run
    last_task_id uuid -- Task of that run
  `,
    { systemGrants: 'select' },
  )}
`;
