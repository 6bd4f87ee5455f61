/** The role that a member, an invitee or a key gets: one that every company has, or one of the company's own. */
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { OwnRole } from '../../../db/models/access/access.ts';
import { findRow } from '../../../db/queries/find.ts';
import { invalidMember, validationFailed } from '../../../domain/errors.ts';
import { CUSTOM, type HeldRole } from '../../../domain/grants.ts';
import type { Role } from '../../../domain/permissions.ts';
import { type Giver, requireGiver } from './roles.ts';

/** A choice of a role: not both. */
export interface RoleChoice {
  readonly role?: Role | undefined;
  /** A role of the company's own. */
  readonly roleId?: string | undefined;
}

/** Columns of whoever has a role. */
export interface Held {
  readonly role: HeldRole;
  readonly roleId: string | null;
  readonly permissions: readonly string[] | null;
}

/** The columns for one of the roles that every company has. */
export function heldRole(role: Role): Held {
  return { role, roleId: null, permissions: null };
}

/**
 * Resolves a choice.
 * @returns undefined if neither is chosen
 * @throws ServiceError validation_failed (both, unknown), forbidden (it allows more than the giver may)
 */
export async function chosenRole(trx: Db, giver: Giver, { role, roleId }: RoleChoice): Promise<Held | undefined> {
  if (roleId === undefined) return role === undefined ? undefined : heldRole(role);
  if (role !== undefined) {
    throw validationFailed([
      { pointer: '/roleId', code: 'not_applicable', message: 'cannot be given with role: choose one' },
    ]);
  }
  // Whoever changes the role changes all who have it: none may be added meanwhile.
  await lockName(trx, `role:${roleId}`);
  const own = await findRow(trx, OwnRole, { id: roleId });
  if (own === undefined) {
    throw invalidMember('/roleId', 'invalid_reference', 'must be the id of a role of the company (GET /api/roles)');
  }
  requireGiver(giver, own);
  return { role: CUSTOM, roleId, permissions: own.permissions };
}
