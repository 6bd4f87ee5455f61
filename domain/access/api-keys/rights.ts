/** Rights of an API key: those of its role, or its own permissions, that whoever answers for it has now. */
import type { FieldError } from '../../errors.ts';
import { GRANTABLE, grantFaults, heldPermissions, ruledRole, type StoredRights } from '../../grants.ts';
import type { Permission, Role } from '../../permissions.ts';

export interface Rights {
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
}

/** Finds the faults of permissions for a key. @param pointer of their list */
export function keyPermissionFaults(wanted: readonly string[], pointer: string): FieldError[] {
  const refusal =
    'cannot be given to an API key by itself, because with it the key could give itself more; choose a role';
  return grantFaults(wanted, { grantable: GRANTABLE, refusal, pointer });
}

/** Roles about which there are rules of their own (services/access/members/owners.ts), the highest first. */
const RULING: readonly Role[] = ['owner', 'admin'];

/**
 * Computes the rights of a key.
 * @param answering the present rights of the member who answers for it; null for a key of the service itself
 * @returns the permissions that both have. The role is the lower of the two as far as the rules about owners and administrators go; null
 * for a key whose role does not exist
 */
export function keyRights(key: StoredRights, answering: StoredRights | null): Rights | null {
  const role = ruledRole(key.role);
  if (role === null) return null;
  const own = heldPermissions(key);
  if (answering === null) return { role, permissions: own };
  const theirRole = ruledRole(answering.role);
  if (theirRole === null) return null;
  const theirs = heldPermissions(answering);
  return {
    role: rank(theirRole) > rank(role) ? theirRole : role,
    permissions: new Set([...own].filter((permission) => theirs.has(permission))),
  };
}

/** The permissions that a caller lacks. */
export function lacking(wanted: ReadonlySet<Permission>, permissions: ReadonlySet<string>): Permission[] {
  return [...wanted].filter((permission) => !permissions.has(permission));
}

function rank(role: Role): number {
  const index = RULING.indexOf(role);
  return index < 0 ? RULING.length : index;
}
