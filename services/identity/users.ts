/** The users of a company (decisions, section 3). An account may belong to several companies; each sees only its own members. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { asSystem, patchGlobalRow } from '../../db/global-write.ts';
import { Membership, User } from '../../db/models/identity.ts';
import { auditStatement } from '../../db/trail.ts';
import { assertVersion, insertRow } from '../../db/write.ts';
import { notFound, ServiceError } from '../../domain/errors.ts';
import type { Role } from '../../domain/permissions.ts';
import { createAccount, setPassword } from './accounts.ts';
import { endMembership, membershipsElsewhere } from './memberships.ts';
import { type Actor, lockOwners, refuseLastOwner, requireOwnerFor } from './owners.ts';
import { checkNewPassword, hashPassword } from './passwords.ts';
import { revokeTokens } from './sessions.ts';

/** A user as shown in a company: the account and the role there. */
export interface Member {
  readonly user: User;
  readonly membership: Membership;
}

/** A user with the membership in the tenant. @throws ServiceError not_found */
export async function getMember(db: Db, userId: string): Promise<Member> {
  const [user, membership] = await Promise.all([
    User.query(db).findById(userId),
    Membership.query(db).findOne({ user_id: userId }),
  ]);
  if (user === undefined || membership === undefined) throw notFound('The user');
  return { user, membership };
}

/**
 * Creates a user and his membership in the company. Without a password the account cannot log in yet.
 * @throws ServiceError duplicate (known e-mail), validation_failed (password), forbidden (only an owner makes owners)
 */
export async function createUser(
  trx: Db,
  ctx: Context,
  actor: Actor,
  input: {
    readonly email: string;
    readonly name: string;
    readonly locale?: string | null;
    readonly password?: string;
    readonly role?: Role;
  },
): Promise<Member> {
  const { password, role = 'viewer', ...account } = input;
  requireOwnerFor(actor, role);
  if (password !== undefined) checkNewPassword(password, '/password');
  const passwordHash = password === undefined ? null : await hashPassword(password, ctx.tenantId);
  const user = await createAccount(trx, ctx, { ...account, passwordHash }, role);
  const membership = await insertRow(trx, ctx, Membership, { userId: user.id, role, active: true });
  return { user, membership };
}

export interface UserChanges {
  readonly email?: string;
  readonly name?: string;
  readonly locale?: string | null;
  readonly active?: boolean;
  readonly password?: string;
}

/**
 * Changes a user's account. Everybody may change his own name and locale; the rest is for who may update users, and of
 * accounts that work in other companies as well nothing, since those would be changed with it.
 * @throws ServiceError not_found, stale_version, forbidden, last_owner, duplicate, validation_failed
 */
export async function changeUser(
  trx: Db,
  ctx: Context,
  actor: Actor & { readonly permissions: ReadonlySet<string> },
  userId: string,
  changes: UserChanges,
  expectedVersion: number | null,
): Promise<Member> {
  await lockOwners(trx, ctx);
  const { membership } = await getMember(trx, userId);
  const { user, others } = await asSystem(trx, ctx, async () => ({
    user: await User.query(trx).findById(userId).forUpdate().throwIfNotFound(),
    others: await membershipsElsewhere(trx, ctx, userId),
  }));
  assertVersion(user, expectedVersion);
  const { password, email, ...rest } = changes;
  const own = userId === ctx.userId && Object.keys(changes).every((member) => member === 'name' || member === 'locale');
  if (!own) allowChange(actor, membership, others);
  if (changes.active === false && membership.role === 'owner') await refuseLastOwner(trx, userId);
  if (password !== undefined) checkNewPassword(password, '/password');

  const members = { ...rest, ...(email === undefined ? {} : { email: email.trim() }) };
  const changed =
    password === undefined
      ? await patchGlobalRow(trx, ctx, User, user, members)
      : await setPassword(trx, ctx, user, await hashPassword(password, ctx.tenantId), { changes: members });
  if (changes.active === false) await asSystem(trx, ctx, () => revokeTokens(trx, ctx.now, { user_id: userId }));
  return { user: changed, membership };
}

function allowChange(
  actor: Actor & { readonly permissions: ReadonlySet<string> },
  membership: Membership,
  others: number,
): void {
  if (!actor.permissions.has('users:update')) {
    throw new ServiceError('forbidden', 'Your role may change only your own name and locale');
  }
  requireOwnerFor(actor, membership.role);
  if (others > 0) {
    throw new ServiceError(
      'forbidden',
      'The user works in other companies too, which would be changed as well; change the membership instead',
    );
  }
}

/**
 * Ends a user's membership in the company; without another one he is deactivated.
 * @throws ServiceError not_found, stale_version, forbidden, last_owner
 */
export async function deleteUser(
  trx: Db,
  ctx: Context,
  actor: Actor,
  userId: string,
  expectedVersion: number | null,
): Promise<void> {
  await lockOwners(trx, ctx);
  const { user, membership } = await getMember(trx, userId);
  assertVersion(user, expectedVersion);
  await endMembership(trx, ctx, actor, membership);
  const entity = { type: User.entityType, id: userId };
  const audit = auditStatement(ctx, entity, 'DELETE', User.present({ ...user }), null);
  await trx.raw(audit.sql, audit.bindings as never);
}
