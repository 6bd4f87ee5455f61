/** Memberships: the users of a company and their roles. */
import { asSystem } from '../../../db/as-system.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { type ApiKey, Invitation, Membership, User } from '../../../db/models/access/access.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { invalidMember, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { emitUserEvent, lockEmail } from '../accounts/accounts.ts';
import { notifyOfRemainingKeys, notifyOfWeakenedKeys } from '../api-keys/notices.ts';
import { assertNotInvited, changeInvitation, invite, withdrawInvitation } from '../invitations/invitations.ts';
import { findCompaniesRunBy, listOtherMemberships, mayAddDirectly, NO_ACCOUNT } from '../members/belonging.ts';
import { findPendingInvitation, getMembership, inviteeAsMember } from '../members/members.ts';
import { type Actor, assertNotLastOwner, lockOwners, requireOwnerFor } from '../members/owners.ts';
import { chosenRole, type Held, type RoleChoice } from '../roles/held.ts';
import type { Giver } from '../roles/roles.ts';
import { findAccount } from '../sessions/login.ts';
import { revokeTokens } from '../sessions/sessions.ts';

/**
 * Adds somebody to the company: at once if the caller also runs the company that owns the account, otherwise by invitation, whether or not
 * an account exists.
 * @returns the membership, or the one that the invitation offers
 * @throws ServiceError validation_failed (unknown user, not exactly one of userId and email), duplicate, forbidden, too_many_requests
 */
export async function createMembership(
  trx: Db,
  ctx: Context,
  actor: Actor & Giver,
  input: RoleChoice & { readonly userId?: string; readonly email?: string },
): Promise<Membership> {
  const { userId } = input;
  const held = await chosenRole(trx, actor, input);
  if (held === undefined) throw invalidMember('/role', 'required', 'is required, or roleId of a role of your own');
  requireOwnerFor(actor, held.role);
  if ((userId === undefined) === (input.email === undefined)) {
    throw validationFailed([{ pointer: '/userId', code: 'required', message: 'send either userId or email' }]);
  }
  const email = userId === undefined ? (input.email ?? '').trim() : await findAddableEmail(trx, ctx, userId);
  const account = await findAccountToAdd(trx, ctx, email);
  if (account?.atOnce === true) return await addMember(trx, ctx, account.user, held);
  return inviteeAsMember(await invite(trx, ctx, { email, held })).membership;
}

/**
 * Finds the account with an e-mail, and whether it may be added to the company of `ctx` without an invitation. Locks the e-mail until the
 * transaction ends.
 * @throws ServiceError duplicate if they are already a member or invited
 */
export async function findAccountToAdd(
  trx: Db,
  ctx: Context,
  email: string,
): Promise<{ readonly user: User; readonly atOnce: boolean } | undefined> {
  await lockEmail(trx, email);
  await assertNotInvited(trx, email);
  const { user, atOnce } = await asSystem(trx, ctx, async () => {
    const found = await findAccount(trx, email);
    return { user: found?.user, atOnce: await mayAddDirectly(trx, ctx, found?.user ?? NO_ACCOUNT) };
  });
  await assertNotMember(trx, user?.id ?? NO_ACCOUNT.id);
  return user === undefined ? undefined : { user, atOnce };
}

async function assertNotMember(trx: Db, userId: string): Promise<void> {
  const existing = await Membership.query(trx).findOne({ user_id: userId });
  if (existing === undefined) return;
  throw new ServiceError(
    'duplicate',
    `The user is already a member; PATCH /api/memberships/${existing.id} changes it`,
    { errors: [{ pointer: '/email', code: 'duplicate', message: 'is taken' }] },
  );
}

/** Adds an account as a member, and reactivates it if it had left its last company. */
export async function addMember(trx: Db, ctx: Context, user: User, held: Held): Promise<Membership> {
  const elsewhere = await asSystem(trx, ctx, () => listOtherMemberships(trx, ctx, user.id));
  if (!user.active && elsewhere.length === 0) await patchRow(trx, ctx, User, user, { active: true });
  await emitUserEvent(trx, ctx, 'user.created', user, held.role);
  return await insertRow(trx, ctx, Membership, { userId: user.id, ...held, active: true });
}

/**
 * Changes the role or whether the membership is active. @throws ServiceError not_found, stale_version, forbidden, last_owner,
 * invalid_transition
 */
export async function changeMembership(
  trx: Db,
  ctx: Context,
  actor: Actor & Giver,
  id: string,
  wanted: RoleChoice & { readonly active?: boolean },
  expectedVersion: number | null,
): Promise<Membership> {
  await lockOwners(trx, ctx);
  const { role: _role, roleId: _id, ...others } = wanted;
  const changes = { ...others, ...(await chosenRole(trx, actor, wanted)) };
  const invitation = await findPendingInvitation(trx, { id });
  if (invitation !== undefined) {
    return inviteeAsMember(await changeInvitation(trx, ctx, actor, invitation, changes, expectedVersion)).membership;
  }
  const membership = await getMembership(trx, id);
  assertVersion(membership, expectedVersion);
  requireOwnerFor(actor, membership.role, changes.role);
  const { role, permissions, active } = membership;
  const next = { role, permissions, active, ...changes };
  if (membership.role === 'owner' && (next.role !== 'owner' || !next.active)) {
    await assertNotLastOwner(trx, membership.userId);
  }
  const changed = await patchRow(trx, ctx, Membership, membership, changes);
  if (membership.active) {
    const user = await User.query(trx).findById(membership.userId).throwIfNotFound();
    await notifyOfWeakenedKeys(trx, ctx, user, membership, next.active ? next : null);
  }
  return changed;
}

/**
 * Ends a membership, or the invitation to one.
 * @returns the API keys that the user answered for, which are suspended
 * @throws ServiceError not_found, stale_version, forbidden, last_owner
 */
export async function deleteMembership(
  trx: Db,
  ctx: Context,
  actor: Actor,
  id: string,
  expectedVersion: number | null,
): Promise<ApiKey[]> {
  await lockOwners(trx, ctx);
  if ((await findPendingInvitation(trx, { id })) !== undefined) {
    await withdrawInvitation(trx, ctx, actor, id, expectedVersion);
    return [];
  }
  const membership = await getMembership(trx, id);
  assertVersion(membership, expectedVersion);
  return await endMembership(trx, ctx, actor, membership);
}

/**
 * Ends a membership and emits user.deleted; a user without another membership is deactivated. Call lockOwners first.
 * @returns the API keys that the user answered for, of which the owners are notified
 * @throws ServiceError forbidden, last_owner
 */
export async function endMembership(trx: Db, ctx: Context, actor: Actor, membership: Membership): Promise<ApiKey[]> {
  requireOwnerFor(actor, membership.role);
  if (membership.role === 'owner') await assertNotLastOwner(trx, membership.userId);
  const { user, elsewhere } = await asSystem(trx, ctx, async () => {
    // Locked, so that concurrent ends of memberships in several companies see one another.
    const locked = await User.query(trx).findById(membership.userId).forUpdate().throwIfNotFound();
    return { user: locked, elsewhere: await listOtherMemberships(trx, ctx, locked.id) };
  });
  await removeRow(trx, ctx, Membership, membership);
  await emitUserEvent(trx, ctx, 'user.deleted', user, membership.role);
  if (elsewhere.length === 0) {
    await patchRow(trx, ctx, User, user, { active: false });
    await asSystem(trx, ctx, () => revokeTokens(trx, ctx.now, { user_id: user.id }));
  }
  return await notifyOfRemainingKeys(trx, ctx, user);
}

/**
 * Finds the e-mail of a user by id: a member, an account that may be added at once, or an invitee of a company that the caller also runs.
 * For all other ids, the answer does not reveal whether they exist.
 */
async function findAddableEmail(trx: Db, ctx: Context, userId: string): Promise<string> {
  const email = await asSystem(trx, ctx, async () => {
    const user = await User.query(trx).findById(userId);
    if (user !== undefined) {
      const here = await Membership.query(trx).where({ user_id: userId, tenant_id: ctx.tenantId }).resultSize();
      return here > 0 || (await mayAddDirectly(trx, ctx, user)) ? user.email : undefined;
    }
    const run = new Set([ctx.tenantId, ...(await findCompaniesRunBy(trx, ctx.userId)).keys()]);
    const invitation = await Invitation.query(trx).findOne({ user_id: userId, status: 'pending' });
    return invitation !== undefined && run.has(invitation.tenantId) ? invitation.email : undefined;
  });
  if (email !== undefined) return email;
  throw invalidMember('/userId', 'invalid_reference', 'must be a user whom you can add by id; invite others by e-mail');
}
