/** Which users work in a company, and as what (decisions, section 3). */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { asSystem, patchGlobalRow } from '../../db/global-write.ts';
import { type ApiKey, Invitation, Membership, User } from '../../db/models/identity.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../db/write.ts';
import { invalidMember, ServiceError, validationFailed } from '../../domain/errors.ts';
import type { Role } from '../../domain/permissions.ts';
import { lockEmail, tellOfUser } from './accounts.ts';
import { keysOfLeaver } from './api-keys.ts';
import { mayAddAtOnce, membershipsElsewhere, NOBODY, placesRunBy } from './belonging.ts';
import { changeInvitation, invite, refuseInvited, withdrawInvitation } from './invitations.ts';
import { findAccount } from './login.ts';
import { asMember, getMembership, pendingOf } from './members.ts';
import { type Actor, lockOwners, refuseLastOwner, requireOwnerFor } from './owners.ts';
import { revokeTokens } from './sessions.ts';

/**
 * Brings somebody into the company: at once where whoever does it runs the account's company too, else by an invitation, whether
 * there is an account or not.
 * @returns the membership, or what they are invited to
 * @throws ServiceError validation_failed (unknown user, not exactly one of userId and email), duplicate, forbidden, too_many_requests
 */
export async function createMembership(
  trx: Db,
  ctx: Context,
  actor: Actor,
  input: { readonly userId?: string; readonly email?: string; readonly role: Role },
): Promise<Membership> {
  const { userId, role } = input;
  requireOwnerFor(actor, role);
  if ((userId === undefined) === (input.email === undefined)) {
    throw validationFailed([{ pointer: '/userId', code: 'required', message: 'give either userId or email' }]);
  }
  const email = userId === undefined ? (input.email ?? '').trim() : await emailOf(trx, ctx, userId);
  const account = await accountFor(trx, ctx, email);
  if (account?.atOnce === true) return await addMember(trx, ctx, account.user, role);
  return asMember(await invite(trx, ctx, { email, role })).membership;
}

/**
 * The account with an e-mail, and whether it may be added to the company of `ctx` without being asked. Whoever else names the e-mail
 * waits for the end of the transaction.
 * @throws ServiceError duplicate when they belong to the company already, or are invited
 */
export async function accountFor(
  trx: Db,
  ctx: Context,
  email: string,
): Promise<{ readonly user: User; readonly atOnce: boolean } | undefined> {
  await lockEmail(trx, email);
  await refuseInvited(trx, email);
  const { user, atOnce } = await asSystem(trx, ctx, async () => {
    const found = await findAccount(trx, email);
    return { user: found?.user, atOnce: await mayAddAtOnce(trx, ctx, found?.user ?? NOBODY) };
  });
  await refuseMember(trx, user?.id ?? NOBODY.id);
  return user === undefined ? undefined : { user, atOnce };
}

async function refuseMember(trx: Db, userId: string): Promise<void> {
  const existing = await Membership.query(trx).findOne({ user_id: userId });
  if (existing === undefined) return;
  throw new ServiceError(
    'duplicate',
    `The user is a member already; PATCH /api/memberships/${existing.id} changes it`,
    { errors: [{ pointer: '/email', code: 'duplicate', message: 'is taken' }] },
  );
}

/** Makes an account a member. One that had left its last company is active again. */
export async function addMember(trx: Db, ctx: Context, user: User, role: Role): Promise<Membership> {
  const elsewhere = await asSystem(trx, ctx, () => membershipsElsewhere(trx, ctx, user.id));
  if (!user.active && elsewhere.length === 0) await patchGlobalRow(trx, ctx, User, user, { active: true });
  await tellOfUser(trx, ctx, 'user.created', user, role);
  return await insertRow(trx, ctx, Membership, { userId: user.id, role, active: true });
}

/** Changes role or activity. @throws ServiceError not_found, stale_version, forbidden, last_owner, invalid_transition */
export async function changeMembership(
  trx: Db,
  ctx: Context,
  actor: Actor,
  id: string,
  changes: { readonly role?: Role; readonly active?: boolean },
  expectedVersion: number | null,
): Promise<Membership> {
  await lockOwners(trx, ctx);
  const invitation = await pendingOf(trx, { id });
  if (invitation !== undefined) {
    return asMember(await changeInvitation(trx, ctx, actor, invitation, changes, expectedVersion)).membership;
  }
  const membership = await getMembership(trx, id);
  assertVersion(membership, expectedVersion);
  requireOwnerFor(actor, membership.role, changes.role);
  const next = { role: membership.role, active: membership.active, ...changes };
  if (membership.role === 'owner' && (next.role !== 'owner' || !next.active)) {
    await refuseLastOwner(trx, membership.userId);
  }
  return await patchRow(trx, ctx, Membership, membership, changes);
}

/**
 * Ends a membership, or the invitation to one.
 * @returns the API keys that the user has made, which go on
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
  if ((await pendingOf(trx, { id })) !== undefined) {
    await withdrawInvitation(trx, ctx, actor, id, expectedVersion);
    return [];
  }
  const membership = await getMembership(trx, id);
  assertVersion(membership, expectedVersion);
  return await endMembership(trx, ctx, actor, membership);
}

/**
 * Ends a membership, which the company hears of as user.deleted; a user without any other is deactivated. Take it with lockOwners, so that the last owner stays.
 * @returns the API keys that the user has made; the owners are told of them
 * @throws ServiceError forbidden, last_owner
 */
export async function endMembership(trx: Db, ctx: Context, actor: Actor, membership: Membership): Promise<ApiKey[]> {
  requireOwnerFor(actor, membership.role);
  if (membership.role === 'owner') await refuseLastOwner(trx, membership.userId);
  const { user, elsewhere } = await asSystem(trx, ctx, async () => {
    // The lock makes parallel ends of their memberships in several companies see one another.
    const locked = await User.query(trx).findById(membership.userId).forUpdate().throwIfNotFound();
    return { user: locked, elsewhere: await membershipsElsewhere(trx, ctx, locked.id) };
  });
  await removeRow(trx, ctx, Membership, membership);
  await tellOfUser(trx, ctx, 'user.deleted', user, membership.role);
  if (elsewhere.length === 0) {
    await patchGlobalRow(trx, ctx, User, user, { active: false });
    await asSystem(trx, ctx, () => revokeTokens(trx, ctx.now, { user_id: user.id }));
  }
  return await keysOfLeaver(trx, ctx, user);
}

/**
 * The e-mail of somebody who is named by id: a member, an account that may be added at once, or whoever is invited to a company that
 * the caller runs too. Of all others it is not told whether they exist.
 */
async function emailOf(trx: Db, ctx: Context, userId: string): Promise<string> {
  const email = await asSystem(trx, ctx, async () => {
    const user = await User.query(trx).findById(userId);
    if (user !== undefined) {
      const here = await Membership.query(trx).where({ user_id: userId, tenant_id: ctx.tenantId }).resultSize();
      return here > 0 || (await mayAddAtOnce(trx, ctx, user)) ? user.email : undefined;
    }
    const run = new Set([ctx.tenantId, ...(await placesRunBy(trx, ctx.userId)).keys()]);
    const invitation = await Invitation.query(trx).findOne({ user_id: userId, status: 'pending' });
    return invitation !== undefined && run.has(invitation.tenantId) ? invitation.email : undefined;
  });
  if (email !== undefined) return email;
  throw invalidMember('/userId', 'invalid_reference', 'is nobody whom you may bring in by id; invite them by e-mail');
}
