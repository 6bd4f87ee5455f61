import { concurrently } from './concurrent-indexes.ts';

/** Each login looks for counters that have expired, of which there may be many after an attack. */
export const up = concurrently({ name: 'login_limits_expire', table: 'login_limits', of: '(expire)' });
