import { SYSTEM_ROLE } from '../database.ts';

/** What the comparison of the database with Temporal sees of all companies: which tasks and matchings should be under way. */
export const up = `
  grant select (created_at) on tasks to ${SYSTEM_ROLE};
  create policy payments_system on payments for select to ${SYSTEM_ROLE} using (true);
  grant select (id, tenant_id, reconciliation, updated_at) on payments to ${SYSTEM_ROLE};
`;
