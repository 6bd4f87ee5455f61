import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import { asSystem } from '../../db/global-write.ts';
import { User } from '../../db/models/identity.ts';
import { invalidMember, ServiceError } from '../../domain/errors.ts';
import { setPassword } from './accounts.ts';
import { findAccount } from './login.ts';
import { countFailure, countSuccess, refuseWhenLimited } from './login-limits.ts';
import { checkNewPassword, hashPassword, verifyPassword } from './passwords.ts';

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  /** The session that goes on; all others of the user end. */
  readonly sessionId: string;
  /** The client's address; wrong passwords count as failed logins do. */
  readonly address: string;
}

/**
 * Replaces the password of the user of `ctx`.
 * @throws ServiceError validation_failed (wrong current password, new one against the rules), too_many_requests
 */
export async function changePassword(database: Database, ctx: Context, change: PasswordChange): Promise<void> {
  checkNewPassword(change.newPassword, '/newPassword');
  const account = await database.withSystem(async (trx) => {
    const user = ctx.userId === null ? undefined : await User.query(trx).findById(ctx.userId);
    if (user === undefined) throw new ServiceError('forbidden', 'Only a user has a password');
    await refuseWhenLimited(trx, { email: user.email, address: change.address, now: ctx.now });
    return await findAccount(trx, user.email);
  });
  const attempt = { email: account?.user.email ?? '', address: change.address, now: ctx.now };
  if (account === undefined || !(await verifyPassword(account.passwordHash, change.currentPassword))) {
    const refusal = await database.withSystem((trx) => countFailure(trx, attempt));
    throw refusal ?? invalidMember('/currentPassword', 'wrong_password', 'is not your present password');
  }
  const passwordHash = await hashPassword(change.newPassword);
  await database.withTenant(ctx, async (trx) => {
    await setPassword(trx, ctx, account.user, passwordHash, { exceptSession: change.sessionId });
    await asSystem(trx, ctx, () => countSuccess(trx, attempt));
  });
}
