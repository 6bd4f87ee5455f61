/** Issues access tokens, and refresh tokens that renew them. */
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { User } from '../../../db/models/access/access.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { HeldRole } from '../../../domain/grants.ts';
import { signAccessToken } from './access-tokens.ts';
import { hashSecret, newSecret } from './secrets.ts';

const DAY_MS = 86_400_000;
/** Lifetime of a refresh token. */
const REFRESH_MS = 30 * DAY_MS;
/** Maximum lifetime of a session, from its login. */
const SESSION_MS = 90 * DAY_MS;

export interface AuthEnv {
  readonly database: Database;
  readonly jwtSecret: string;
  /** Verifies older tokens; no longer used for signing. */
  readonly jwtSecretPrevious?: string | undefined;
  readonly tokenTtlSeconds: number;
  readonly now: Date;
}

/** A company that the user may work in, with the role there. */
export interface UserTenant {
  readonly id: string;
  readonly name: string;
  readonly role: HeldRole;
}

/** The answer of switch-tenant. */
export interface Access {
  readonly token: string;
  /** Lifetime of the token in seconds. */
  readonly expires_in: number;
  readonly user: Record<string, unknown>;
  /** The companies of the user, longest membership first. */
  readonly tenants: readonly UserTenant[];
}

/** The answer of login and refresh. */
export interface Session extends Access {
  readonly refresh_token: string;
}

/** The session and company that tokens are issued for. */
export interface Grant {
  readonly sessionId: string;
  readonly endsAt: Date;
  /** The company to work in; defaults to the user's first. */
  readonly tenantId?: string;
}

type TokenEnv = Omit<AuthEnv, 'database'>;

/** Lists the companies of a user's active memberships, oldest first. Needs the system role. */
export async function listUserTenants(trx: Db, userId: string): Promise<UserTenant[]> {
  return await trx('memberships as m')
    .join('tenants as t', 't.id', 'm.tenant_id')
    .where({ 'm.user_id': userId, 'm.active': true })
    .orderBy([{ column: 'm.created_at' }, { column: 'm.id' }])
    .select('t.id', 't.name', 'm.role');
}

/**
 * Starts a session of a user in the first of their companies. Needs the system role.
 * @throws ServiceError not_a_member if the user has no company
 */
export async function beginSession(trx: Db, env: TokenEnv, user: User): Promise<Session> {
  return await issueTokens(trx, env, user, { sessionId: newId(), endsAt: maxSessionEnd(env.now) });
}

/** Issues an access token and a refresh token. Needs the system role. @throws ServiceError not_a_member */
export async function issueTokens(trx: Db, env: TokenEnv, user: User, grant: Grant): Promise<Session> {
  const { tenantId, token, expires_in, ...known } = await issueAccess(trx, env, user, grant);
  const refresh_token = newSecret();
  const { sessionId, endsAt } = grant;
  const expiresAt = Math.min(env.now.getTime() + REFRESH_MS, endsAt.getTime());
  await trx('refresh_tokens').insert({
    id: newId(),
    family_id: sessionId,
    user_id: user.id,
    tenant_id: tenantId,
    token_hash: hashSecret(refresh_token),
    expires_at: new Date(expiresAt).toISOString(),
    session_ends_at: endsAt.toISOString(),
    created_at: env.now.toISOString(),
  });
  return { token, expires_in, refresh_token, ...known };
}

/** Issues an access token, which expires with its session at the latest. Needs the system role. @throws ServiceError not_a_member */
export async function issueAccess(
  trx: Db,
  env: TokenEnv,
  user: User,
  { sessionId, endsAt, tenantId }: Grant,
): Promise<Access & { readonly tenantId: string }> {
  const tenants = await listUserTenants(trx, user.id);
  const tenant = tenantId === undefined ? tenants[0] : tenants.find(({ id }) => id === tenantId);
  if (tenant === undefined) {
    const where = tenantId === undefined ? 'in any company' : 'in this company';
    throw new ServiceError('not_a_member', `The user has no active membership ${where}`);
  }
  const left = Math.floor((endsAt.getTime() - env.now.getTime()) / 1000);
  const tokenTtlSeconds = Math.min(env.tokenTtlSeconds, left);
  return {
    tenantId: tenant.id,
    token: signAccessToken({ ...env, tokenTtlSeconds }, { userId: user.id, tenantId: tenant.id, sessionId }),
    expires_in: tokenTtlSeconds,
    user: User.toJson({ ...user }),
    tenants,
  };
}

/** The end of a session that began at `began`. */
export function maxSessionEnd(began: Date): Date {
  return new Date(began.getTime() + SESSION_MS);
}
