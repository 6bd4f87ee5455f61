import { concurrently } from './concurrent-indexes.ts';

/** What is deleted some day, by its age. Most are partial: a row that is kept for ever is in none of them. */
export const up = concurrently(
  { name: 'webhook_attempts_event', table: 'webhook_attempts', of: '(event_id)' },
  { name: 'webhook_attempts_bodies', table: 'webhook_attempts', of: '(sent_at) where response_body is not null' },
  {
    name: 'refresh_tokens_end',
    table: 'refresh_tokens',
    of: '(least(coalesce(session_ends_at, expires_at), revoked_at))',
  },
  {
    name: 'files_of_tasks',
    table: 'files',
    of: `(created_at) where kind in ('task_input', 'task_result')`,
  },
  { name: 'files_replaceable', table: 'files', of: '(created_at) where replaceable' },
  { name: 'tasks_completed', table: 'tasks', of: '(completed_at) where completed_at is not null' },
  { name: 'notifications_read', table: 'notifications', of: '(read_at) where read_at is not null' },
  { name: 'login_limits_expire', table: 'login_limits', of: '(expire)' },
);
