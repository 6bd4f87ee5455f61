/** Which users work in a company, and as what (decisions, section 3). */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { asSystem, patchGlobalRow } from '../../db/global-write.ts';
import { Membership, User } from '../../db/models/identity.ts';
import { eventStatement } from '../../db/trail.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../db/write.ts';
import { invalidMember, notFound, ServiceError, validationFailed } from '../../domain/errors.ts';
import type { Role } from '../../domain/permissions.ts';
import { userEvent } from './accounts.ts';
import { findAccount } from './login.ts';
import { type Actor, lockOwners, refuseLastOwner, requireOwnerFor } from './owners.ts';
import { revokeTokens } from './sessions.ts';

/** A membership of the tenant. @throws ServiceError not_found */
export async function getMembership(db: Db, id: string): Promise<Membership> {
  const membership = await Membership.query(db).findById(id);
  if (membership === undefined) throw notFound('The membership');
  return membership;
}

/**
 * Brings an existing user into the company, for which he is a new one: user.created. A user who had left his last company is active again.
 * @throws ServiceError validation_failed (unknown user, not exactly one of userId and email), duplicate, forbidden
 */
export async function createMembership(
  trx: Db,
  ctx: Context,
  actor: Actor,
  input: { readonly userId?: string; readonly email?: string; readonly role: Role },
): Promise<Membership> {
  requireOwnerFor(actor, input.role);
  const { user, others } = await asSystem(trx, ctx, async () => {
    const found = await findUser(trx, input);
    return { user: found, others: await membershipsElsewhere(trx, ctx, found.id) };
  });
  const existing = await Membership.query(trx).findOne({ user_id: user.id });
  if (existing !== undefined) {
    throw new ServiceError(
      'duplicate',
      `The user is a member already; PATCH /api/memberships/${existing.id} changes it`,
    );
  }
  if (!user.active && others === 0) await patchGlobalRow(trx, ctx, User, user, { active: true });
  await tell(trx, ctx, 'user.created', user, input.role);
  return await insertRow(trx, ctx, Membership, { userId: user.id, role: input.role, active: true });
}

/** Changes role or activity. @throws ServiceError not_found, stale_version, forbidden, last_owner */
export async function changeMembership(
  trx: Db,
  ctx: Context,
  actor: Actor,
  id: string,
  changes: { readonly role?: Role; readonly active?: boolean },
  expectedVersion: number | null,
): Promise<Membership> {
  await lockOwners(trx, ctx);
  const membership = await getMembership(trx, id);
  assertVersion(membership, expectedVersion);
  requireOwnerFor(actor, membership.role, changes.role);
  const next = { role: membership.role, active: membership.active, ...changes };
  if (membership.role === 'owner' && (next.role !== 'owner' || !next.active)) {
    await refuseLastOwner(trx, membership.userId);
  }
  return await patchRow(trx, ctx, Membership, membership, changes);
}

/** Ends a membership. @throws ServiceError not_found, stale_version, forbidden, last_owner */
export async function deleteMembership(
  trx: Db,
  ctx: Context,
  actor: Actor,
  id: string,
  expectedVersion: number | null,
): Promise<void> {
  await lockOwners(trx, ctx);
  const membership = await getMembership(trx, id);
  assertVersion(membership, expectedVersion);
  await endMembership(trx, ctx, actor, membership);
}

/**
 * Ends a membership, which the company hears of as user.deleted; a user without any other is deactivated. Take it with lockOwners, so that the last owner stays.
 * @returns the user as he was
 * @throws ServiceError forbidden, last_owner
 */
export async function endMembership(trx: Db, ctx: Context, actor: Actor, membership: Membership): Promise<User> {
  requireOwnerFor(actor, membership.role);
  if (membership.role === 'owner') await refuseLastOwner(trx, membership.userId);
  const { user, others } = await asSystem(trx, ctx, async () => {
    // The lock makes parallel ends of his memberships in several companies see one another.
    const locked = await User.query(trx).findById(membership.userId).forUpdate().throwIfNotFound();
    return { user: locked, others: await membershipsElsewhere(trx, ctx, locked.id) };
  });
  await removeRow(trx, ctx, Membership, membership);
  await tell(trx, ctx, 'user.deleted', user, membership.role);
  if (others === 0) {
    await patchGlobalRow(trx, ctx, User, user, { active: false });
    await asSystem(trx, ctx, () => revokeTokens(trx, ctx.now, { user_id: user.id }));
  }
  return user;
}

async function tell(
  trx: Db,
  ctx: Context,
  name: 'user.created' | 'user.deleted',
  user: User,
  role: Role,
): Promise<void> {
  const entity = { type: User.entityType, id: user.id };
  const { sql, bindings } = eventStatement(ctx, entity, userEvent(name, user, role));
  await trx.raw(sql, bindings as never);
}

/** How many memberships, active or not, a user has in other companies. Needs the system role. */
export async function membershipsElsewhere(trx: Db, ctx: Context, userId: string): Promise<number> {
  return await Membership.query(trx).where({ user_id: userId }).whereNot({ tenant_id: ctx.tenantId }).resultSize();
}

async function findUser(trx: Db, input: { readonly userId?: string; readonly email?: string }): Promise<User> {
  const { userId, email } = input;
  if ((userId === undefined) === (email === undefined)) {
    throw validationFailed([{ pointer: '/userId', code: 'required', message: 'give either userId or email' }]);
  }
  const user =
    userId === undefined
      ? (await findAccount(trx, (email ?? '').trim()))?.user
      : await User.query(trx).findById(userId);
  if (user === undefined) {
    const pointer = userId === undefined ? '/email' : '/userId';
    throw invalidMember(pointer, 'invalid_reference', 'is no user; POST /api/users creates one');
  }
  return user;
}
