/** The users of a company. An account may belong to several companies; each sees only its own members. */
import { asSystem } from '../../../db/as-system.ts';
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { type ApiKey, Membership, User } from '../../../db/models/access/access.ts';
import { assertVersion, insertRow, patchRow } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { createAccount, emitUserEvent, setPassword, voidResets } from '../accounts/accounts.ts';
import { notifyOfWeakenedKeys } from '../api-keys/notices.ts';
import { changeInvitation, invite, withdrawInvitation } from '../invitations/invitations.ts';
import { assertOwnAccount, listOtherMemberships } from '../members/belonging.ts';
import { findMember, findPendingInvitation, getMember, inviteeAsMember, type Member } from '../members/members.ts';
import { type Actor, assertNotLastOwner, lockOwners, requireOwnerFor } from '../members/owners.ts';
import { chosenRole, heldRole, type RoleChoice } from '../roles/held.ts';
import { revokeTokens } from '../sessions/sessions.ts';
import { addMember, endMembership, findAccountToAdd } from './memberships.ts';

export interface NewUser extends RoleChoice {
  readonly email: string;
  readonly name: string;
  readonly locale?: string | null;
  /** Hash of a password that meets the rules. */
  readonly passwordHash?: string | null;
}

type UserActor = Actor & { readonly permissions: ReadonlySet<string> };

/**
 * Creates a user and their membership in the company. A user without a password is invited, and so is anybody whose e-mail belongs to an
 * account that the company does not own; the given data does not reach that account.
 * @throws ServiceError duplicate (of the company's own), forbidden (only an owner creates owners),
 * too_many_requests
 */
export async function createUser(trx: Db, ctx: Context, actor: UserActor, input: NewUser): Promise<Member> {
  const { passwordHash = null, name, locale } = input;
  const held = (await chosenRole(trx, actor, input)) ?? heldRole('viewer');
  const email = input.email.trim();
  requireOwnerFor(actor, held.role);
  const account = await findAccountToAdd(trx, ctx, email);
  const details = { name, ...(locale === undefined ? {} : { locale }) };
  if (account?.atOnce === true) {
    await addMember(trx, ctx, account.user, held);
    const isOwn = account.user.homeTenantId === ctx.tenantId;
    const changes = { ...details, ...(passwordHash === null ? {} : { passwordHash }) };
    return await (isOwn
      ? changeUser(trx, ctx, actor, account.user.id, changes, null)
      : getMember(trx, account.user.id));
  }
  if (account !== undefined || passwordHash === null) {
    return inviteeAsMember(await invite(trx, ctx, { email, ...details, held }));
  }
  const user = await createAccount(trx, ctx, { email, ...details, passwordHash });
  await emitUserEvent(trx, ctx, 'user.created', user, held.role);
  const membership = await insertRow(trx, ctx, Membership, { userId: user.id, ...held, active: true });
  return { user, membership };
}

export interface UserChanges {
  readonly email?: string;
  readonly name?: string;
  readonly locale?: string | null;
  readonly active?: boolean;
  /** Hash of a password that meets the rules. */
  readonly passwordHash?: string;
}

/**
 * Changes a user's account. Everybody may change their own name and locale; other changes need permission to update users, and an account
 * that the company owns.
 * @throws ServiceError not_found, stale_version, forbidden, last_owner, duplicate, invalid_transition (invited)
 */
export async function changeUser(
  trx: Db,
  ctx: Context,
  actor: UserActor,
  userId: string,
  changes: UserChanges,
  expectedVersion: number | null,
): Promise<Member> {
  await lockOwners(trx, ctx);
  const existing = await findMember(trx, userId);
  if (existing === undefined) return await changeInvited(trx, ctx, actor, userId, changes, expectedVersion);
  const { membership } = existing;
  const own = userId === ctx.userId && Object.keys(changes).every((member) => member === 'name' || member === 'locale');
  if (!own) requireUpdate(actor);
  const user = await asSystem(trx, ctx, async () => {
    const locked = await User.query(trx).findById(userId).forUpdate().throwIfNotFound();
    if (!own) await assertOwnAccount(trx, ctx, locked, await listOtherMemberships(trx, ctx, userId));
    return locked;
  });
  assertVersion(user, expectedVersion);
  if (!own) requireOwnerFor(actor, membership.role);
  if (changes.active === false && membership.role === 'owner') await assertNotLastOwner(trx, userId);
  const changed = await writeChanges(trx, ctx, user, changes);
  if (changes.active === false) {
    await asSystem(trx, ctx, () => revokeTokens(trx, ctx.now, { user_id: userId }));
    if (user.active && membership.active) await notifyOfWeakenedKeys(trx, ctx, user, membership, null);
  }
  return { user: changed, membership };
}

async function writeChanges(
  trx: Db,
  ctx: Context,
  user: User,
  { passwordHash, email, ...rest }: UserChanges,
): Promise<User> {
  const moved = email?.trim().toLowerCase() === user.email.toLowerCase() ? {} : { emailVerifiedAt: null };
  const members = { ...rest, ...(email === undefined ? {} : { email: email.trim(), ...moved }) };
  // A link sent to the previous address would falsely prove ownership of the new one.
  if (email !== undefined) await asSystem(trx, ctx, () => voidResets(trx, user.id));
  if (passwordHash === undefined) return await patchRow(trx, ctx, User, user, members);
  return await setPassword(trx, ctx, user, passwordHash, { changes: members });
}

async function changeInvited(
  trx: Db,
  ctx: Context,
  actor: UserActor,
  userId: string,
  changes: UserChanges,
  expectedVersion: number | null,
): Promise<Member> {
  const invitation = await findPendingInvitation(trx, { userId });
  if (invitation === undefined) throw notFound('The user');
  requireUpdate(actor);
  const { passwordHash: password, ...others } = changes;
  const sent = { ...others, ...(password === undefined ? {} : { password }) };
  return inviteeAsMember(await changeInvitation(trx, ctx, actor, invitation, sent, expectedVersion));
}

function requireUpdate(actor: UserActor): void {
  if (actor.permissions.has('users:update')) return;
  throw new ServiceError('forbidden', 'Your role allows you to change only your own name and locale');
}

/**
 * Ends a user's membership in the company, or their invitation; a user without another membership is deactivated.
 * @returns the API keys that they created, which stay valid
 * @throws ServiceError not_found, stale_version, forbidden, last_owner
 */
export async function deleteUser(
  trx: Db,
  ctx: Context,
  actor: Actor,
  userId: string,
  expectedVersion: number | null,
): Promise<ApiKey[]> {
  await lockOwners(trx, ctx);
  const invitation = await findPendingInvitation(trx, { userId });
  if (invitation !== undefined) {
    await withdrawInvitation(trx, ctx, actor, invitation.id, expectedVersion);
    return [];
  }
  const { user, membership } = await getMember(trx, userId);
  assertVersion(user, expectedVersion);
  const keys = await endMembership(trx, ctx, actor, membership);
  await new Changes(ctx).audit({ type: User.entityType, id: userId }, User.toJson({ ...user }), null).write(trx);
  return keys;
}
