import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';

/** The tables from which the system role deletes what is old: it sees of a row what says so, and nothing more. */
const PRUNED: readonly (readonly [string, string])[] = [
  ['notifications', 'id, created_at, read_at'],
  ['files', 'id, tenant_id, kind, entity_id, created_at, replaceable'],
];

/**
 * What is not kept for ever is deleted by the system role, of all companies at once. `prunings` tells when each kind was pruned, and since when
 * it is complete. Files that can be made again (PDFs of what is not posted) are marked when they are stored.
 */
export const up = `
  create table prunings (
    kind text primary key,
    -- Whatever is younger is all there.
    kept_since timestamptz,
    done_at timestamptz,
    -- Why it could not be pruned since.
    error text
  );
  alter table prunings enable row level security;
  alter table prunings force row level security;
  create policy prunings_read on prunings for select to ${APP_ROLE} using (true);
  create policy prunings_system on prunings to ${SYSTEM_ROLE} using (true) with check (true);
  grant select on prunings to ${APP_ROLE};
  grant select, insert, update on prunings to ${SYSTEM_ROLE};

  alter table files add column replaceable boolean not null default false;
  alter table files no force row level security;
  alter table documents no force row level security;
  update files f set replaceable = true
    where f.kind = 'document_pdf' and not exists (select from documents d
      where d.tenant_id = f.tenant_id and d.id = f.entity_id and d.posted_at is not null);
  alter table documents force row level security;
  alter table files force row level security;

  ${PRUNED.map(
    ([table, columns]) => `
      create policy ${table}_pruned on ${table} for select to ${SYSTEM_ROLE} using (true);
      create policy ${table}_pruning on ${table} for delete to ${SYSTEM_ROLE} using (true);
      grant select (${columns}), delete on ${table} to ${SYSTEM_ROLE};`,
  ).join('')}

  create policy tasks_pruning on tasks for delete to ${SYSTEM_ROLE} using (true);
  create policy tasks_told on tasks for update to ${SYSTEM_ROLE} using (true) with check (true);
  grant select (id, tenant_id, completed_at, result_url, version), delete, update (result_url, version) on tasks to ${SYSTEM_ROLE};
  grant delete, update (response_body) on webhook_attempts to ${SYSTEM_ROLE};
`;
