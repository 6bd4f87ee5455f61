/** Finds those who have a role of the company's own, when it changes or is to be deleted. */
import { concurrently } from './concurrent-indexes.ts';

export const up = concurrently(
  { name: 'memberships_own_role', table: 'memberships', of: '(tenant_id, role_id) where role_id is not null' },
  { name: 'invitations_own_role', table: 'invitations', of: '(tenant_id, role_id) where role_id is not null' },
  { name: 'api_keys_own_role', table: 'api_keys', of: '(tenant_id, role_id) where role_id is not null' },
);
