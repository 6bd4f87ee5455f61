/** The session in which a browser subscribed to pushes: they end with it. Unknown for those of earlier releases. */
import { SYSTEM_ROLE } from '../database.ts';

export const up = `
  alter table push_subscriptions add column session_id uuid;
  create policy push_subscriptions_session_read on push_subscriptions for select to ${SYSTEM_ROLE} using (true);
  create policy push_subscriptions_session_end on push_subscriptions for delete to ${SYSTEM_ROLE} using (true);
  grant select (user_id, session_id), delete on push_subscriptions to ${SYSTEM_ROLE};
`;
