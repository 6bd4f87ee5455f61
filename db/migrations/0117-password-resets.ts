/** Requests for a new password by mail. Accounts belong to no company, so that only the system role sees them. */
import { SYSTEM_ROLE } from '../database.ts';

export const up = `
  create table password_resets (
    id uuid primary key,
    user_id uuid not null references users (id),
    company_id uuid not null references tenants (id),
    token_hash bytea constraint password_resets_token_hash_key unique,
    expires_at timestamptz not null,
    used_at timestamptz
  );
  create index password_resets_user on password_resets (user_id);
  create index password_resets_age on password_resets (expires_at);
  grant select, insert, update, delete on password_resets to ${SYSTEM_ROLE};
`;
