import { concurrently } from './concurrent-indexes.ts';

/** A user's notifications, newest first, and those that came after one. */
export const up = concurrently({
  name: 'notifications_of_user',
  table: 'notifications',
  of: '(tenant_id, user_id, id desc)',
});
