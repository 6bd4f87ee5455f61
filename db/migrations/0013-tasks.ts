import { tenantTable } from './schema.ts';

/** Background tasks. What they were asked for and how far they have come lies here; Temporal only drives them. */
export const up = `
  ${tenantTable(
    'tasks',
    `kind text not null,
     type text not null check (type in ('export', 'report', 'sync', 'backup')),
     status text not null check (status in ('running', 'completed', 'failed')),
     progress smallint not null check (progress between 0 and 100),
     message text not null,
     result_url text,
     error text,
     input json not null,
     position json,
     created_by uuid,
     actor text,
     completed_at timestamptz`,
  )}
  create index tasks_time on tasks (tenant_id, created_at desc nulls last, id desc);
  create index tasks_creator on tasks (tenant_id, created_by, created_at desc nulls last, id desc);
`;
