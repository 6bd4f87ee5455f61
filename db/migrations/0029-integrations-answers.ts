/** Runs of automations keep the answers of their calls for later actions. */
import { SYSTEM_ROLE } from '../database.ts';

export const up = `
  alter table automation_runs add column answers_encrypted bytea;
  comment on column automation_runs.answers_encrypted is 'Answers of calls that later actions refer to, encrypted';
  grant update (answers_encrypted) on automation_runs to ${SYSTEM_ROLE};
`;
