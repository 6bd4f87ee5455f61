import type { Db } from '../../db/database.ts';
import { User } from '../../db/models/identity.ts';
import { ServiceError } from '../../domain/errors.ts';
import { countFailure, countSuccess, refuseWhenLimited } from './login-limits.ts';
import { verifyPassword } from './passwords.ts';
import { type AuthEnv, beginSession, type Session } from './tokens.ts';

/**
 * Logs a user in with e-mail (in any case) and password (decisions, section 3). An unknown e-mail gets the same answer
 * after the same work as a wrong password. No connection is held while the password is compared.
 * @param address the client's address, for the login limits
 * @throws ServiceError invalid_credentials, too_many_requests, not_a_member
 */
export async function login(
  env: AuthEnv,
  credentials: { readonly email: string; readonly password: string },
  address: string,
): Promise<Session> {
  const attempt = { email: credentials.email.trim(), address, now: env.now };
  const account = await env.database.withSystem(async (trx) => {
    await refuseWhenLimited(trx, attempt);
    return await findAccount(trx, attempt.email);
  });
  const fits = await verifyPassword(account?.passwordHash ?? null, credentials.password);
  if (account === undefined || !fits || !account.user.active) {
    const refusal = await env.database.withSystem((trx) => countFailure(trx, attempt));
    throw refusal ?? new ServiceError('invalid_credentials', 'E-mail or password is wrong');
  }
  return await env.database.withSystem(async (trx) => {
    await countSuccess(trx, attempt);
    const session = await beginSession(trx, env, { ...account.user, lastLoginAt: env.now.toISOString() } as User);
    // Not a change of the account that others must know of: no version, no audit record.
    await trx('users').where({ id: account.user.id }).update({ last_login_at: env.now.toISOString() });
    return session;
  });
}

/** A user with the hash of the password, if one is set. Needs the system role. */
export async function findAccount(
  trx: Db,
  email: string,
): Promise<{ readonly user: User; readonly passwordHash: string | null } | undefined> {
  const user = await User.query(trx).whereRaw('lower(email) = lower(?)', [email]).first();
  if (user === undefined) return undefined;
  const credentials: { password_hash: string } | undefined = await trx('user_credentials')
    .where({ user_id: user.id })
    .first('password_hash');
  return { user, passwordHash: credentials?.password_hash ?? null };
}
