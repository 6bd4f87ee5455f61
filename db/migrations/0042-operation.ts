import { SYSTEM_ROLE } from '../database.ts';

/**
 * What operators see of all companies: codes of documents, which documents are open, which tasks run, what came of tasks, and how
 * often the workers did what. Codes and states only: the system role still sees no names and no amounts.
 */
export const up = `
  create policy documents_system on documents for select to ${SYSTEM_ROLE} using (true);
  grant select (id, tenant_id, doc_type, status, code, partner_id) on documents to ${SYSTEM_ROLE};
  create index documents_open on documents (id) where status in ('D', 'O', 'P');

  alter table tasks add column counts json;
  create policy tasks_system on tasks for select to ${SYSTEM_ROLE} using (true);
  grant select (kind, status) on tasks to ${SYSTEM_ROLE};
  create index tasks_kinds on tasks (kind, status);

  create table work_counts (
    name text not null,
    labels text not null,
    value double precision not null,
    primary key (name, labels)
  );
  grant select, insert, update on work_counts to ${SYSTEM_ROLE};
`;
