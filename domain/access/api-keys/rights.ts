/** Rights of an API key: those of its role that whoever answers for it has now. */
import { type Permission, ROLES, type Role } from '../../permissions.ts';

export interface Rights {
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
}

/** Roles about which there are rules of their own (services/access/members/owners.ts), the highest first. */
const RULING: readonly Role[] = ['owner', 'admin'];

/**
 * Computes the rights of a key.
 * @param role the key's own
 * @param answering the present role of the member who answers for it
 * @returns the permissions that both have. The role is the lower of the two as far as the rules about owners and administrators go
 */
export function keyRights(role: Role, answering: Role): Rights {
  const own = ROLES[role].permissions;
  const theirs = ROLES[answering].permissions;
  return {
    role: rank(answering) > rank(role) ? answering : role,
    permissions: role === answering ? own : new Set([...own].filter((permission) => theirs.has(permission))),
  };
}

/** Whether a role allows something that the caller may not do. */
export function exceeds(role: Role, permissions: ReadonlySet<string>): boolean {
  return [...ROLES[role].permissions].some((permission) => !permissions.has(permission));
}

function rank(role: Role): number {
  const index = RULING.indexOf(role);
  return index < 0 ? RULING.length : index;
}
