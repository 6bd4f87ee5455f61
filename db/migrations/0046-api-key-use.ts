import { SYSTEM_ROLE } from '../database.ts';

/**
 * API keys show who has made them, by name also once that person has left, and when they were last used. Keys that were made without
 * an end keep on without one: nobody has chosen for them, but ending them would stop programs.
 */
export const up = `
  alter table api_keys add column created_by_name text, add column last_used_at timestamptz;
  alter table api_keys no force row level security;
  alter table users no force row level security;
  update api_keys k set created_by_name = u.name from users u where u.id = k.created_by;
  alter table users force row level security;
  alter table api_keys force row level security;
  create index api_keys_maker on api_keys (tenant_id, created_by);
  grant update (last_used_at) on api_keys to ${SYSTEM_ROLE};
`;
