/**
 * Roles of a company's own. Those who have one carry its permissions in their own row, so that requests need not look for them; a change of
 * the role changes their rows with it.
 */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { ApiKey, Invitation, Membership, OwnRole } from '../../../db/models/access/access.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion, insertRow, removeRow } from '../../../db/write.ts';
import { lacking } from '../../../domain/access/api-keys/rights.ts';
import { notFound, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { effective, GRANTABLE, grantFaults } from '../../../domain/grants.ts';
import { COMMON_PERMISSIONS, ROLES } from '../../../domain/permissions.ts';

/** Maximum roles of a company's own. */
const MAX_ROLES = 100;

/** Whoever makes, changes or gives roles. */
export interface Giver {
  readonly permissions: ReadonlySet<string>;
}

export interface RoleInput {
  readonly name: string;
  readonly permissions: readonly string[];
}

/** Reads a role of the company's own. @throws ServiceError not_found */
export async function getRole(reader: Reader, id: string): Promise<OwnRole> {
  const role = await findRow(reader, OwnRole, { id });
  if (role === undefined) throw notFound('The role');
  return role;
}

/**
 * Makes a role.
 * @throws ServiceError validation_failed (a permission that cannot be given, a name of the service's own roles), forbidden (a permission
 * that the giver lacks), duplicate, invalid_transition (too many)
 */
export async function createRole(trx: Db, ctx: Context, giver: Giver, input: RoleInput): Promise<OwnRole> {
  checkName(input.name);
  checkPermissions(giver, input.permissions);
  await lockName(trx, `roles of ${ctx.tenantId}`);
  if ((await OwnRole.query(trx).resultSize()) >= MAX_ROLES) {
    throw new ServiceError(
      'invalid_transition',
      `A company has at most ${MAX_ROLES} roles of its own: delete one first`,
    );
  }
  return await insertRow(trx, ctx, OwnRole, { name: input.name.trim(), permissions: withCommon(input.permissions) });
}

/**
 * Changes a role, and what all who have it may do from their next request on.
 * @throws ServiceError not_found, stale_version, and as `createRole`
 */
export async function changeRole(
  trx: Db,
  ctx: Context,
  giver: Giver,
  id: string,
  changes: Partial<RoleInput>,
  ifMatch: number | null,
): Promise<OwnRole> {
  await lockName(trx, `role:${id}`);
  const role = await getRole(trx, id);
  assertVersion(role, ifMatch);
  checkPermissions(giver, role.permissions);
  if (changes.name !== undefined) checkName(changes.name);
  const permissions = changes.permissions === undefined ? undefined : withCommon(changes.permissions);
  if (permissions !== undefined) checkPermissions(giver, permissions);
  const collected = new Changes(ctx);
  const changed = collected.change(OwnRole, role, {
    ...(changes.name === undefined ? {} : { name: changes.name.trim() }),
    ...(permissions === undefined ? {} : { permissions }),
  });
  if (permissions !== undefined) {
    const has = { role_id: id };
    for (const one of await Membership.query(trx).where(has)) collected.change(Membership, one, { permissions });
    for (const one of await Invitation.query(trx).where(has)) collected.change(Invitation, one, { permissions });
    for (const one of await ApiKey.query(trx).where(has)) collected.change(ApiKey, one, { permissions });
  }
  await collected.write(trx);
  return changed;
}

/** Deletes a role that nobody has. @throws ServiceError not_found, stale_version, forbidden, in_use */
export async function deleteRole(
  trx: Db,
  ctx: Context,
  giver: Giver,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  await lockName(trx, `role:${id}`);
  const role = await getRole(trx, id);
  assertVersion(role, ifMatch);
  checkPermissions(giver, role.permissions);
  const has = { role_id: id };
  const members = await Membership.query(trx).where(has).resultSize();
  const invited = await Invitation.query(trx).where(has).resultSize();
  const keys = await ApiKey.query(trx).where(has).resultSize();
  if (members + invited + keys > 0) {
    throw new ServiceError(
      'in_use',
      `The role cannot be deleted because ${members} members, ${invited} invitations and ${keys} API keys have it; give them another`,
    );
  }
  await removeRow(trx, ctx, OwnRole, role);
}

/** The permissions of a role, sorted, with what every member may read. */
function withCommon(permissions: readonly string[]): string[] {
  return [...new Set([...permissions, ...COMMON_PERMISSIONS])].sort();
}

/** The roles of the service have names of their own. */
function checkName(name: string): void {
  const taken = Object.entries(ROLES).some(([code, { name: own }]) =>
    [code, own.toLowerCase(), 'custom'].includes(name.trim().toLowerCase()),
  );
  if (!taken) return;
  throw validationFailed([
    { pointer: '/name', code: 'duplicate', message: 'is the name of a role that every company has' },
  ]);
}

function checkPermissions(giver: Giver, permissions: readonly string[]): void {
  const refusal =
    'cannot be given by itself, because with it people could give themselves more; make them administrators';
  const faults = grantFaults(permissions, { grantable: GRANTABLE, refusal, pointer: '/permissions' });
  if (faults.length > 0) throw validationFailed(faults);
  requireAll(giver, permissions);
}

function requireAll(giver: Giver, permissions: readonly string[]): void {
  const missing = lacking(effective(permissions, GRANTABLE), giver.permissions);
  if (missing.length === 0) return;
  throw new ServiceError('forbidden', `You cannot give what you may not do yourself: ${missing.join(', ')}`);
}

/** Requires that whoever gives a role may do all that it allows. */
export function requireGiver(giver: Giver, role: OwnRole): void {
  requireAll(giver, role.permissions);
}
