import { APP_ROLE } from '../database.ts';

/**
 * Access tokens end with their session: each request sees whether the session of its token goes on. It sees that of the
 * members of its tenant only, and nothing of the refresh tokens themselves.
 */
export const up = `
  create policy refresh_tokens_of_tenant on refresh_tokens for select to ${APP_ROLE}
    using (exists (select 1 from memberships m where m.user_id = refresh_tokens.user_id));
  grant select (family_id, user_id, revoked_at) on refresh_tokens to ${APP_ROLE};
`;
