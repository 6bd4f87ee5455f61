import { concurrently } from './concurrent-indexes.ts';

/** The browsers of a user in all companies, which end with a session. */
export const up = concurrently({ name: 'push_subscriptions_user', table: 'push_subscriptions', of: '(user_id)' });
