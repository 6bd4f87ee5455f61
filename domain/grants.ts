/** Single permissions, given to people and programs: which may be given, and which of those asked for may not. */
import type { FieldError } from './errors.ts';
import { type Permission, type Resource, ROLES, type Role, rolePermissions } from './permissions.ts';

/**
 * The role of members and keys with permissions of their own, or of a role of the company's own. Processes of version 1.0.0 do not know it,
 * and give no rights.
 */
export const CUSTOM = 'custom';
/** The role of a member or a key as it is stored. */
export type HeldRole = Role | typeof CUSTOM;

/** A role and permissions as they are stored. */
export interface StoredRights {
  readonly role: string;
  /** Null for those of the role. */
  readonly permissions: readonly string[] | null;
}

/** Resources with which people and programs that write them could give themselves more. */
export const EMPOWERING: readonly Resource[] = [
  'users',
  'memberships',
  'tenants',
  'api_keys',
  'plugins',
  'roles',
  'automations',
];

/** The permissions that may be given one by one. */
export const GRANTABLE: readonly Permission[] = allButWriting(EMPOWERING);

/** The permissions of a member or a key; none if its role does not exist. */
export function heldPermissions({ role, permissions }: StoredRights): ReadonlySet<Permission> {
  return role === CUSTOM ? effective(permissions ?? [], GRANTABLE) : rolePermissions(role);
}

/** The role that rules about owners and administrators see; null for one that does not exist. */
export function ruledRole(role: string): Role | null {
  if (role === CUSTOM) return 'viewer';
  return Object.hasOwn(ROLES, role) ? (role as Role) : null;
}

/** All permissions except those to write some resources. */
export function allButWriting(refused: readonly Resource[]): readonly Permission[] {
  return [...ROLES.owner.permissions].filter((permission) => {
    const [resource = '', action] = permission.split(':');
    return action === 'read' || !(refused as readonly string[]).includes(resource);
  });
}

/**
 * Finds the faults of permissions that somebody asks for.
 * @param refusal why the others cannot be given
 * @param pointer of their list
 */
export function grantFaults(
  wanted: readonly string[],
  { grantable, refusal, pointer }: { grantable: readonly Permission[]; refusal: string; pointer: string },
): FieldError[] {
  return wanted.flatMap((permission, index): FieldError[] => {
    if ((grantable as readonly string[]).includes(permission)) return [];
    const exists = (ROLES.owner.permissions as ReadonlySet<string>).has(permission);
    const message = exists
      ? refusal
      : 'must be a permission, such as items:read or reports:sales (GET /api/roles lists them)';
    return [{ pointer: `${pointer}/${index}`, code: exists ? 'not_applicable' : 'unknown_permission', message }];
  });
}

/** The effective ones among stored permissions; permissions that no longer exist grant nothing. */
export function effective(stored: readonly string[], grantable: readonly Permission[]): ReadonlySet<Permission> {
  return new Set(grantable.filter((permission) => stored.includes(permission)));
}
