import { asSystem } from '../../../db/as-system.ts';
import type { Context } from '../../../db/context.ts';
import type { Database } from '../../../db/database.ts';
import { User } from '../../../db/models/access/access.ts';
import { addressGroup } from '../../../domain/addresses.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { findAccount } from '../sessions/login.ts';
import { assertNotLimited, countFailure, countSuccess, type LoginAttempt } from '../sessions/login-limits.ts';
import { checkInTurn, checkNewPassword, hashPassword, type PasswordCheck } from '../sessions/passwords.ts';
import { setPassword } from './accounts.ts';

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  /** The session to keep; all others of the user end. */
  readonly sessionId: string;
  /** The client's address: wrong passwords count as failed logins. */
  readonly address: string;
}

/**
 * Replaces the password of the user of `ctx`.
 * @throws ServiceError validation_failed (wrong current password, or a new one that breaks the rules), too_many_requests
 */
export async function changePassword(database: Database, ctx: Context, change: PasswordChange): Promise<void> {
  checkNewPassword(change.newPassword, '/newPassword');
  const who = addressGroup(change.address);
  const { user, attempt } = await checkInTurn(who, (fits) => checkCurrentPassword(database, ctx, change, fits));
  const passwordHash = await hashPassword(change.newPassword, who);
  await database.withTenant(ctx, async (trx) => {
    await setPassword(trx, ctx, user, passwordHash, { exceptSession: change.sessionId });
    await asSystem(trx, ctx, () => countSuccess(trx, attempt));
  });
}

/** Checks the current password. @returns the user */
async function checkCurrentPassword(
  database: Database,
  ctx: Context,
  change: PasswordChange,
  fits: PasswordCheck,
): Promise<{ readonly user: User; readonly attempt: LoginAttempt }> {
  const { account, attempt } = await database.withSystem(async (trx) => {
    const user = ctx.userId === null ? undefined : await User.query(trx).findById(ctx.userId);
    if (user === undefined) throw new ServiceError('forbidden', 'Only a user has a password');
    const counted = { email: user.email, address: change.address, now: ctx.now };
    await assertNotLimited(trx, counted);
    return { account: await findAccount(trx, user.email), attempt: counted };
  });
  if (account === undefined || !(await fits(account.passwordHash, change.currentPassword))) {
    const refusal = await database.withSystem((trx) => countFailure(trx, attempt));
    throw refusal ?? invalidMember('/currentPassword', 'wrong_password', 'is not your current password');
  }
  return { user: account.user, attempt };
}
