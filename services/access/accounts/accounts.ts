/** User accounts, which are independent of companies. */
import { asSystem } from '../../../db/as-system.ts';
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import { User } from '../../../db/models/access/access.ts';
import { query } from '../../../db/sql.ts';
import { insertRow } from '../../../db/write.ts';
import type { HeldRole } from '../../../domain/grants.ts';
import { revokeTokens } from '../sessions/sessions.ts';

export interface NewAccount {
  /** Given if the account acts (set-up) or is referred to (invitations) before it is stored. */
  readonly id?: string;
  readonly version?: number;
  readonly email: string;
  readonly name: string;
  readonly locale?: string | null;
  readonly passwordHash: string;
  /** Whether the person has proved that they own the address. */
  readonly verified?: boolean;
}

/**
 * Creates a user account on behalf of the company of `ctx`, which owns it until its e-mail is verified.
 * @throws ServiceError duplicate if the e-mail exists, in any case; raised when the transaction ends
 */
export async function createAccount(trx: Db, ctx: Context, account: NewAccount): Promise<User> {
  const { id = newId(), version = 1, name, locale = null, passwordHash, verified = false } = account;
  const user = await insertRow(trx, ctx, User, {
    id,
    version,
    email: account.email.trim(),
    name,
    locale,
    active: true,
    lastLoginAt: null,
    emailVerifiedAt: verified ? ctx.now.toISOString() : null,
    homeTenantId: ctx.tenantId,
  });
  await asSystem(trx, ctx, () => storePassword(trx, ctx.now, user.id, passwordHash));
  return user;
}

/** Locks an e-mail until the transaction ends, so that two transactions cannot both create an account for it. */
export async function lockEmail(trx: Db, email: string): Promise<void> {
  await lockName(trx, `email:${email.toLowerCase()}`);
}

/**
 * Replaces a user's password on behalf of the company of `ctx`. Ends the user's sessions except `options.exceptSession`, and voids reset
 * links mailed before. The audit record shows the change without the hash.
 * @param options.changes further changes of the account, written in the same update
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
    await voidResets(trx, user.id);
  });
  const changes = new Changes(ctx);
  const changed = changes.change(
    User,
    user,
    { ...options.changes },
    { note: { passwordChangedAt: ctx.now.toISOString() } },
  );
  await changes.write(trx);
  return changed;
}

/** Sets or replaces the password's hash. Needs the system role. */
async function storePassword(trx: Db, now: Date, userId: string, passwordHash: string): Promise<void> {
  await trx('user_credentials')
    .insert({ user_id: userId, password_hash: passwordHash, changed_at: now.toISOString() })
    .onConflict('user_id')
    .merge();
}

/** Voids the reset links mailed to a user. Lock the user first. Needs the system role. */
export async function voidResets(trx: Db, userId: string): Promise<void> {
  await query(trx, 'delete from password_resets where user_id = :userId and used_at is null', { userId });
}

/** Emits an event to the company of `ctx` when a user joins or leaves. */
export async function emitUserEvent(
  trx: Db,
  ctx: Context,
  name: 'user.created' | 'user.deleted',
  user: { readonly id: string; readonly email: string; readonly name: string },
  role: HeldRole,
): Promise<void> {
  const payload = { user_id: user.id, email: user.email, name: user.name, role };
  await new Changes(ctx).emit({ type: User.entityType, id: user.id }, { name, payload }).write(trx);
}
