/** Permissions that a plugin may be granted. */

import type { FieldError } from '../../errors.ts';
import { allButWriting, EMPOWERING, effective, grantFaults } from '../../grants.ts';
import type { Permission, Resource } from '../../permissions.ts';

/** Resources that a plugin may not write: it could gain further permissions, through another key or events about everything. */
const REFUSED: readonly Resource[] = [...EMPOWERING, 'webhooks'];

/** All permissions that can be granted. */
export const PLUGIN_PERMISSIONS: readonly Permission[] = allButWriting(REFUSED);

/** Finds the faults of requested permissions. @param pointer of their list */
export function permissionFaults(wanted: readonly string[], pointer: string): FieldError[] {
  const refusal = 'cannot be granted to a plugin, because with it the plugin could grant itself more';
  return grantFaults(wanted, { grantable: PLUGIN_PERMISSIONS, refusal, pointer });
}

/** The effective ones among stored permissions. */
export function grantedPermissions(stored: readonly string[]): ReadonlySet<Permission> {
  return effective(stored, PLUGIN_PERMISSIONS);
}
