/** Browsers that get notifications by Web Push, and the key pair by which their push services know this service. */
import { SYSTEM_ROLE } from '../database.ts';
import { tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'push_subscriptions',
    `user_id uuid not null constraint push_subscriptions_user_id_fkey references users (id),
     endpoint text not null,
     p256dh text not null,
     auth text not null,
     constraint push_subscriptions_endpoint_key unique (tenant_id, user_id, endpoint)`,
  )}
  create table push_keys (
    name text primary key check (name = 'vapid'),
    public_key text not null,
    private_key_sealed bytea not null
  );
  grant select, insert, update on push_keys to ${SYSTEM_ROLE};
`;
