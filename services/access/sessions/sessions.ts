/**
 * Sessions: a short-lived access token, and a refresh token that is replaced at each use. All refresh tokens descending from one login form
 * a family; if a replaced one is used again, somebody copied it, and the whole family ends. Code that replaces or revokes refresh tokens
 * locks the user's row: a token created concurrently would outlive its family.
 */
import type { Database, Db } from '../../../db/database.ts';
import { User } from '../../../db/models/access/access.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { endSubscriptions } from '../../messages/push/subscriptions.ts';
import { hashSecret } from './secrets.ts';
import { type Access, type AuthEnv, issueAccess, issueTokens, listUserTenants, type Session } from './tokens.ts';

interface RefreshToken {
  readonly id: string;
  readonly family_id: string;
  readonly user_id: string;
  readonly tenant_id: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly rotated_at: string | null;
  readonly revoked_at: string | null;
  readonly session_ends_at: string;
}

/**
 * Exchanges a refresh token for new tokens.
 * @param tenantId the company to continue in; defaults to the same one, or to another of the user's if that membership has ended
 * @throws ServiceError invalid_token (unknown, revoked or used before), token_expired; not_a_member, which keeps the token valid
 */
export async function refreshSession(env: AuthEnv, refreshToken: string, tenantId?: string): Promise<Session> {
  const outcome = await env.database.withSystem(async (trx): Promise<Session | ServiceError> => {
    const which = { token_hash: hashSecret(refreshToken) };
    const known: { user_id: string } | undefined = await trx('refresh_tokens').where(which).first('user_id');
    if (known === undefined) return invalidRefreshToken();
    const user = await lockUser(trx, known.user_id);
    const found: RefreshToken | undefined = await trx('refresh_tokens').where(which).first();
    if (user === undefined || found === undefined || found.revoked_at !== null) return invalidRefreshToken();
    const { id, user_id, family_id } = found;
    if (found.rotated_at !== null) {
      // Returned, not thrown: the revocation of the family must be committed.
      await revokeTokens(trx, env.now, { user_id, family_id });
      return invalidRefreshToken();
    }
    const endsAt = new Date(found.session_ends_at);
    if (Math.min(Date.parse(found.expires_at), endsAt.getTime()) <= env.now.getTime()) {
      return new ServiceError('token_expired', 'The refresh token has expired; log in again');
    }
    if (!user.active) return invalidRefreshToken();
    await trx('refresh_tokens').where({ id }).update({ rotated_at: env.now.toISOString() });
    const stillMember = (await listUserTenants(trx, user_id)).some((tenant) => tenant.id === found.tenant_id);
    const where = tenantId?.toLowerCase() ?? (stillMember ? found.tenant_id : undefined);
    const grant = { sessionId: family_id, endsAt };
    return await issueTokens(trx, env, user, where === undefined ? grant : { ...grant, tenantId: where });
  });
  if (outcome instanceof ServiceError) throw outcome;
  return outcome;
}

/**
 * Issues an access token for another company of the user, in the same session. @throws ServiceError not_a_member, invalid_token (session
 * ended)
 */
export async function switchTenant(
  env: AuthEnv,
  caller: { readonly userId: string; readonly sessionId: string },
  tenantId: string,
): Promise<Access> {
  return await env.database.withSystem(async (trx) => {
    const { userId, sessionId } = caller;
    const user = await User.query(trx).findById(userId);
    const current: RefreshToken | undefined = await trx('refresh_tokens')
      .where({ family_id: sessionId, user_id: userId })
      .whereNull('revoked_at')
      .orderBy('created_at', 'desc')
      .first();
    if (user === undefined || current === undefined || new Date(current.session_ends_at) <= env.now) {
      throw new ServiceError('invalid_token', 'The session has ended; log in again');
    }
    const grant = { sessionId, endsAt: new Date(current.session_ends_at), tenantId: tenantId.toLowerCase() };
    const { tenantId: _known, ...access } = await issueAccess(trx, env, user, grant);
    return access;
  });
}

/** Ends a session: that of the refresh token if it belongs to the user, else the given one. Unknown sessions count as ended. */
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

/**
 * Ends the sessions of a user, except one if given: revokes refresh tokens, and ends pushes to their browsers in all companies. Needs the
 * system role.
 */
export async function revokeTokens(
  trx: Db,
  now: Date,
  which: { readonly user_id: string; readonly family_id?: string },
  exceptSession?: string,
): Promise<void> {
  await lockUser(trx, which.user_id);
  const query = trx('refresh_tokens').where(which).whereNull('revoked_at').update({ revoked_at: now.toISOString() });
  if (exceptSession !== undefined) query.whereNot({ family_id: exceptSession });
  await query;
  await endSubscriptions(trx, which.user_id, { session: which.family_id, exceptSession });
}

/** Locks the user and with it their refresh tokens until the transaction ends. Needs the system role. */
export async function lockUser(trx: Db, userId: string): Promise<User | undefined> {
  return await User.query(trx).findById(userId).forNoKeyUpdate();
}

function invalidRefreshToken(): ServiceError {
  return new ServiceError('invalid_token', 'The refresh token is not valid; log in again');
}
