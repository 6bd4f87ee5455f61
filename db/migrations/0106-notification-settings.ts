/** What users choose of notifications; events say who caused them, and when people were notified of them. */
import { APP_ROLE } from '../database.ts';
import { tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'notification_settings',
    `user_id uuid not null constraint notification_settings_user_id_fkey references users (id),
     value jsonb not null,
     constraint notification_settings_user_key unique (tenant_id, user_id)`,
  )}
  alter table outbox add column user_id uuid, add column told_at timestamptz;
  grant update (told_at) on outbox to ${APP_ROLE};
`;
