import type { Db } from '../../../db/database.ts';
import { User } from '../../../db/models/access/access.ts';
import { addressGroup } from '../../../domain/addresses.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { assertNotLimited, countFailure, countSuccess } from './login-limits.ts';
import { checkInTurn, type PasswordCheck } from './passwords.ts';
import { lockUser } from './sessions.ts';
import { type AuthEnv, beginSession, type Session } from './tokens.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A user with their password hash, if set. */
export interface Account {
  readonly user: User;
  readonly passwordHash: string | null;
}

/**
 * Logs a user in with e-mail (in any case) and password. An unknown e-mail leads to the same answer after the same work as a wrong
 * password. No connection is held while the password is compared.
 * @param address the client's address, for the login limits
 * @throws ServiceError invalid_credentials, too_many_requests, not_a_member
 */
export async function login(env: AuthEnv, credentials: Credentials, address: string): Promise<Session> {
  return await checkInTurn(addressGroup(address), (fits) => attemptLogin(env, credentials, address, fits));
}

async function attemptLogin(
  env: AuthEnv,
  { email: given, password }: Credentials,
  address: string,
  fits: PasswordCheck,
): Promise<Session> {
  const { account, attempt } = await env.database.withSystem(async (trx) => {
    const found = await findAccount(trx, given.trim());
    const counted = { email: found?.user.email ?? given.trim(), address, now: env.now };
    await assertNotLimited(trx, counted);
    return { account: found, attempt: counted };
  });
  const isRight = await fits(account?.passwordHash ?? null, password);
  if (account === undefined || !isRight || !account.user.active) {
    const refusal = await env.database.withSystem((trx) => countFailure(trx, attempt));
    throw refusal ?? wrongCredentials();
  }
  return await env.database.withSystem(async (trx) => {
    const { id, email } = account.user;
    // A user who was locked or got another password during the comparison stays logged out.
    await lockUser(trx, id);
    const current = await findAccount(trx, email);
    if (current?.user.active !== true || current.passwordHash !== account.passwordHash) throw wrongCredentials();
    await countSuccess(trx, attempt);
    const session = await beginSession(trx, env, { ...current.user, lastLoginAt: env.now.toISOString() } as User);
    // Recorded without a new version or audit record.
    await User.query(trx).findById(id).patch({ lastLoginAt: env.now.toISOString() });
    return session;
  });
}

function wrongCredentials(): ServiceError {
  return new ServiceError('invalid_credentials', 'E-mail or password is wrong');
}

/** Finds the account of an e-mail, in any case. Needs the system role. */
export async function findAccount(trx: Db, email: string): Promise<Account | undefined> {
  const user = await User.query(trx).whereRaw('lower(email) = lower(?)', [email]).first();
  // Queried even without an account, so that the response time does not reveal whether there is one.
  const credentials: { password_hash: string } | undefined = await trx('user_credentials')
    .where({ user_id: user?.id ?? NO_USER })
    .first('password_hash');
  return user === undefined ? undefined : { user, passwordHash: credentials?.password_hash ?? null };
}

const NO_USER = '00000000-0000-0000-0000-000000000000';
