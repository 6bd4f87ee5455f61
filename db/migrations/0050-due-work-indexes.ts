import { concurrently } from './concurrent-indexes.ts';

/** The outbox by time: its rows lie in that order, so that a few bytes for many pages are enough, and who writes pays nothing. */
export const up = concurrently(
  { name: 'outbox_time', table: 'outbox', of: 'using brin (created_at)' },
  { name: 'tasks_running', table: 'tasks', of: `(id) where status = 'running'` },
  { name: 'payments_pending', table: 'payments', of: `(id) where reconciliation = 'pending'` },
);
