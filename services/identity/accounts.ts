/** User accounts as such, whatever company they work in. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { asSystem, insertGlobalRow, patchGlobalRow } from '../../db/global-write.ts';
import { newId } from '../../db/ids.ts';
import { User } from '../../db/models/identity.ts';
import type { DomainEvent } from '../../db/trail.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Role } from '../../domain/permissions.ts';
import { findAccount } from './login.ts';
import { revokeTokens } from './sessions.ts';

export interface NewAccount {
  /** Given when the account acts before it is stored (set-up). */
  readonly id?: string;
  readonly email: string;
  readonly name: string;
  readonly locale?: string | null;
  /** null: the account cannot log in until it gets a password. */
  readonly passwordHash: string | null;
}

/**
 * Creates a user account, on behalf of the company of `ctx`.
 * @param role what the event tells of the role there
 * @throws ServiceError duplicate when the e-mail (in any case) is known
 */
export async function createAccount(trx: Db, ctx: Context, account: NewAccount, role: Role): Promise<User> {
  const email = account.email.trim();
  const known = await asSystem(trx, ctx, () => findAccount(trx, email));
  if (known !== undefined) {
    throw new ServiceError(
      'duplicate',
      'There is a user with this e-mail already; POST /api/memberships brings an existing user into the company',
      { errors: [{ pointer: '/email', code: 'duplicate', message: 'is taken' }] },
    );
  }
  const id = account.id ?? newId();
  const values = { id, email, name: account.name, locale: account.locale ?? null, active: true, lastLoginAt: null };
  const user = await insertGlobalRow(trx, ctx, User, values, (row) => [userEvent('user.created', row, role)]);
  const { passwordHash } = account;
  if (passwordHash !== null) await asSystem(trx, ctx, () => storePassword(trx, ctx.now, user.id, passwordHash));
  return user;
}

/**
 * Replaces a user's password on behalf of the company of `ctx`, and ends the user's sessions, all but
 * `options.exceptSession`. The audit record says that it happened, and holds no hash.
 * @param options.changes of the account, made with it as one change
 */
export async function setPassword(
  trx: Db,
  ctx: Context,
  user: User,
  passwordHash: string,
  options: { readonly exceptSession?: string; readonly changes?: Partial<User> } = {},
): Promise<User> {
  await asSystem(trx, ctx, async () => {
    await storePassword(trx, ctx.now, user.id, passwordHash);
    await revokeTokens(trx, ctx.now, { user_id: user.id }, options.exceptSession);
  });
  return await patchGlobalRow(
    trx,
    ctx,
    User,
    user,
    { ...options.changes },
    { passwordChangedAt: ctx.now.toISOString() },
  );
}

/** Sets or replaces the password's hash. Needs the system role. */
async function storePassword(trx: Db, now: Date, userId: string, passwordHash: string): Promise<void> {
  await trx('user_credentials')
    .insert({ user_id: userId, password_hash: passwordHash, changed_at: now.toISOString() })
    .onConflict('user_id')
    .merge();
}

/** user.created and user.deleted, with the role in the company where it happens. */
export function userEvent(name: 'user.created' | 'user.deleted', user: User, role: Role): DomainEvent {
  return { name, payload: { user_id: user.id, email: user.email, name: user.name, role } };
}
