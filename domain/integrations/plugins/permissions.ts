/** Permissions that a plugin may be granted. */

import type { FieldError } from '../../errors.ts';
import { type Permission, ROLES } from '../../permissions.ts';

/** Resources that a plugin may not write: it could gain further permissions, through another key or events about everything. */
const REFUSED = ['users', 'memberships', 'tenants', 'api_keys', 'plugins', 'roles', 'webhooks', 'automations'];

/** All permissions that can be granted. */
export const PLUGIN_PERMISSIONS: readonly Permission[] = [...ROLES.owner.permissions].filter((permission) => {
  const [resource = '', action] = permission.split(':');
  return action === 'read' || !REFUSED.includes(resource);
});

/** Finds the faults of requested permissions. @param pointer of their list */
export function permissionFaults(wanted: readonly string[], pointer: string): FieldError[] {
  return wanted.flatMap((permission, index): FieldError[] => {
    if ((PLUGIN_PERMISSIONS as readonly string[]).includes(permission)) return [];
    const exists = (ROLES.owner.permissions as ReadonlySet<string>).has(permission);
    const message = exists
      ? 'cannot be granted to a plugin, because with it the plugin could grant itself more'
      : 'must be a permission, such as items:read or reports:sales (GET /api/roles lists them)';
    return [{ pointer: `${pointer}/${index}`, code: exists ? 'not_applicable' : 'unknown_permission', message }];
  });
}

/** The effective ones among stored permissions; permissions that no longer exist grant nothing. */
export function grantedPermissions(stored: readonly string[]): ReadonlySet<Permission> {
  return new Set(PLUGIN_PERMISSIONS.filter((permission) => stored.includes(permission)));
}
