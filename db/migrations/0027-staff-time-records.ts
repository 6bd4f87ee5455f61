import { reference, tenantTable } from './schema.ts';

/** When people worked (ET, art. 34.9). Rows are never deleted: corrections change them, and cancelled ones stay. */
export const up = `
  ${tenantTable(
    'time_records',
    'When employees worked: the daily record of working time.',
    `
    employee_id uuid not null, -- Employee
    day date not null, -- Day in the company's time zone on which the work began, to which it belongs
    started_at timestamptz not null, -- When the work began
    ended_at timestamptz, -- When it ended; null while it goes on
    break_minutes integer not null, -- Minutes of breaks, which are no working time
    note text, -- Note
    last_reason text, -- Reason of the last correction or cancellation; null for a record that nobody has corrected
    cancelled_at timestamptz, -- When it was cancelled
    constraint time_records_no_overlap exclude using gist
      (tenant_id with =, employee_id with =, tstzrange(started_at, ended_at) with &&) where (cancelled_at is null),
    constraint time_records_ended_at_check check (ended_at >= started_at),
    constraint time_records_break_minutes_check check (break_minutes >= 0),
    constraint time_records_last_reason_check check (cancelled_at is null or last_reason is not null),
    ${reference('time_records', 'employee_id', 'employees')}
  `,
    { grants: 'select, insert, update' },
  )}
  create index time_records_employee on time_records (tenant_id, employee_id, day);
  create index time_records_by_day on time_records (tenant_id, day, started_at, id);
`;
