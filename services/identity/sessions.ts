/**
 * Sessions: a short-lived access token, and a refresh token that is replaced at each use. All refresh tokens that follow
 * from one login are a family; when a replaced one turns up again, somebody copied it, and the whole family ends.
 */
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { User } from '../../db/models/identity.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Role } from '../../domain/permissions.ts';
import { signAccessToken } from './access-tokens.ts';
import { hashSecret, newSecret } from './secrets.ts';

const REFRESH_DAYS = 30;
const DAY_MS = 86_400_000;

export interface AuthEnv {
  readonly database: Database;
  readonly jwtSecret: string;
  readonly tokenTtlSeconds: number;
  readonly now: Date;
}

/** A company that the user may work in, with the role there. */
export interface TenantOfUser {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** The answer of login, refresh and switch-tenant (decisions, section 3). */
export interface Session {
  readonly token: string;
  /** Seconds that the token lives. */
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly user: Record<string, unknown>;
  /** The companies of the user, the longest membership first. */
  readonly tenants: readonly TenantOfUser[];
}

interface RefreshToken {
  readonly id: string;
  readonly family_id: string;
  readonly user_id: string;
  readonly tenant_id: string;
  readonly expires_at: string;
  readonly rotated_at: string | null;
  readonly revoked_at: string | null;
}

/** The active memberships of a user, the oldest first. Needs the system role. */
export async function tenantsOf(trx: Db, userId: string): Promise<TenantOfUser[]> {
  return await trx('memberships as m')
    .join('tenants as t', 't.id', 'm.tenant_id')
    .where({ 'm.user_id': userId, 'm.active': true })
    .orderBy([{ column: 'm.created_at' }, { column: 'm.id' }])
    .select('t.id', 't.name', 'm.role');
}

/**
 * Issues tokens for a user in a company. Needs the system role.
 * @param session.id the session to go on with; a new one when absent
 * @param session.tenantId the company to work in; the first of the user's when absent
 * @throws ServiceError not_a_member when the user has no (such) company
 */
export async function issueTokens(
  trx: Db,
  env: Omit<AuthEnv, 'database'>,
  user: User,
  session: { readonly id?: string; readonly tenantId?: string } = {},
): Promise<Session> {
  const tenants = await tenantsOf(trx, user.id);
  const tenant = session.tenantId === undefined ? tenants[0] : tenants.find(({ id }) => id === session.tenantId);
  if (tenant === undefined) {
    const where = session.tenantId === undefined ? 'in any company' : 'in this company';
    throw new ServiceError('not_a_member', `The user has no active membership ${where}`);
  }
  const sessionId = session.id ?? newId();
  const refreshToken = newSecret();
  await trx('refresh_tokens').insert({
    id: newId(),
    family_id: sessionId,
    user_id: user.id,
    tenant_id: tenant.id,
    token_hash: hashSecret(refreshToken),
    expires_at: new Date(env.now.getTime() + REFRESH_DAYS * DAY_MS).toISOString(),
    created_at: env.now.toISOString(),
  });
  return {
    token: signAccessToken(env, { userId: user.id, tenantId: tenant.id, sessionId }),
    expires_in: env.tokenTtlSeconds,
    refresh_token: refreshToken,
    user: User.present({ ...user }),
    tenants,
  };
}

/**
 * Exchanges a refresh token for new tokens in the same company, or in another of the user's when that membership has ended.
 * @throws ServiceError invalid_token (unknown, revoked or used before), token_expired, not_a_member
 */
export async function refreshSession(env: AuthEnv, refreshToken: string): Promise<Session> {
  const outcome = await env.database.withSystem(async (trx): Promise<Session | ServiceError> => {
    const found: RefreshToken | undefined = await trx('refresh_tokens')
      .where({ token_hash: hashSecret(refreshToken) })
      .forUpdate()
      .first();
    if (found === undefined || found.revoked_at !== null) return invalidRefreshToken();
    if (found.rotated_at !== null) {
      // Returned, not thrown: the end of the family has to be committed.
      await revokeTokens(trx, env.now, { family_id: found.family_id });
      return invalidRefreshToken();
    }
    if (Date.parse(found.expires_at) <= env.now.getTime()) {
      return new ServiceError('token_expired', 'The refresh token has expired; log in again');
    }
    const user = await User.query(trx).findById(found.user_id);
    if (user === undefined || !user.active) return invalidRefreshToken();
    await trx('refresh_tokens').where({ id: found.id }).update({ rotated_at: env.now.toISOString() });
    const stillMember = (await tenantsOf(trx, user.id)).some(({ id }) => id === found.tenant_id);
    const session = { id: found.family_id, ...(stillMember ? { tenantId: found.tenant_id } : {}) };
    return await issueTokens(trx, env, user, session);
  });
  if (outcome instanceof ServiceError) throw outcome;
  return outcome;
}

/** New tokens for another company of the user, in the same session. @throws ServiceError not_a_member, invalid_token (session ended) */
export async function switchTenant(
  env: AuthEnv,
  caller: { readonly userId: string; readonly sessionId: string },
  tenantId: string,
): Promise<Session> {
  return await env.database.withSystem(async (trx) => {
    const { userId, sessionId } = caller;
    const user = await User.query(trx).findById(userId);
    const open: unknown = await trx('refresh_tokens')
      .where({ family_id: sessionId, user_id: userId })
      .whereNull('revoked_at')
      .first('id');
    if (user === undefined || open === undefined) {
      throw new ServiceError('invalid_token', 'The session has ended; log in again');
    }
    return await issueTokens(trx, env, user, { id: sessionId, tenantId: tenantId.toLowerCase() });
  });
}

/** Ends a session: the one of the refresh token if it is the user's, else the one given. Unknown ones are ended already. */
export async function endSession(
  env: { readonly database: Database; readonly now: Date },
  userId: string,
  which: { readonly sessionId: string; readonly refreshToken: string | undefined },
): Promise<void> {
  await env.database.withSystem(async (trx) => {
    const named: RefreshToken | undefined =
      which.refreshToken === undefined
        ? undefined
        : await trx('refresh_tokens')
            .where({ token_hash: hashSecret(which.refreshToken), user_id: userId })
            .first();
    await revokeTokens(trx, env.now, { user_id: userId, family_id: named?.family_id ?? which.sessionId });
  });
}

/** Revokes refresh tokens, all but those of one session if given. Needs the system role. */
export async function revokeTokens(
  trx: Db,
  now: Date,
  which: { readonly user_id?: string; readonly family_id?: string },
  exceptSession?: string,
): Promise<void> {
  const query = trx('refresh_tokens').where(which).whereNull('revoked_at').update({ revoked_at: now.toISOString() });
  if (exceptSession !== undefined) query.whereNot({ family_id: exceptSession });
  await query;
}

function invalidRefreshToken(): ServiceError {
  return new ServiceError('invalid_token', 'The refresh token is not valid; log in again');
}
