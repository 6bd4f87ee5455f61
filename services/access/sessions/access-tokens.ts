/** Access tokens: signed, short-lived, with only user, company and session. Permissions are read from the database. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { isUuid, newId } from '../../../db/ids.ts';
import { ServiceError } from '../../../domain/errors.ts';

const ISSUER = 'business-management-service';
const AUDIENCE = 'business-management-api';
/** The only accepted algorithm, regardless of a token's header. */
const ALGORITHM = 'HS256';

export interface AccessClaims {
  readonly userId: string;
  /** The company the token was issued for: the tenant of requests without x-tenant-id. */
  readonly tenantId: string;
  /** The family of refresh tokens that the token belongs to. */
  readonly sessionId: string;
}

/** Signs an access token that is valid for `tokenTtlSeconds` from `now`. */
export function signAccessToken(
  env: { readonly jwtSecret: string; readonly tokenTtlSeconds: number; readonly now: Date },
  claims: AccessClaims,
): string {
  const iat = seconds(env.now);
  const payload = { tid: claims.tenantId, sid: claims.sessionId, iat, exp: iat + env.tokenTtlSeconds };
  return jwt.sign(payload, env.jwtSecret, {
    algorithm: ALGORITHM,
    issuer: ISSUER,
    audience: AUDIENCE,
    subject: claims.userId,
    jwtid: newId(),
  });
}

interface Verified {
  readonly claims: AccessClaims;
  /** Seconds since 1970. */
  readonly exp: number;
}

/** Cache of verified tokens, by the secrets at that time and the token: each token comes with many requests. */
const verified = new Map<string, Verified>();
const MAX_VERIFIED = 10_000;

/**
 * Returns the claims of a token after checking its signature, issuer, audience and times. @throws ServiceError invalid_token, token_expired
 */
export function verifyAccessToken(
  env: { readonly jwtSecret: string; readonly jwtSecretPrevious?: string | undefined; readonly now: Date },
  token: string,
): AccessClaims {
  const known = `${env.jwtSecret} ${env.jwtSecretPrevious} ${token}`;
  const { claims, exp } = verified.get(known) ?? remember(known, verify(env, token));
  if (seconds(env.now) >= exp) throw expired();
  return claims;
}

function remember(known: string, found: Verified): Verified {
  if (verified.size >= MAX_VERIFIED) verified.clear();
  verified.set(known, found);
  return found;
}

function verify(env: Parameters<typeof verifyAccessToken>[0], token: string): Verified {
  let payload: unknown;
  try {
    payload = verifyPayload(token, env.jwtSecret, env.jwtSecretPrevious, env.now);
  } catch (error) {
    throw error instanceof jwt.TokenExpiredError ? expired() : invalidToken(error);
  }
  const { sub, tid, sid, exp } = payload as Record<string, unknown>;
  if (!isId(sub) || !isId(tid) || !isId(sid) || typeof exp !== 'number') throw invalidToken(undefined);
  return { claims: { userId: sub, tenantId: tid, sessionId: sid }, exp };
}

function expired(): ServiceError {
  return new ServiceError(
    'token_expired',
    'The token has expired; get a new one from /api/auth/refresh or log in again',
  );
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/** Verifies a token. One signed with the previous secret stays valid until it expires. */
function verifyPayload(token: string, secret: string, previous: string | undefined, now: Date): unknown {
  try {
    return jwt.verify(token, signingKey(secret), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      clockTimestamp: seconds(now),
    });
  } catch (error) {
    const isForeign = error instanceof jwt.JsonWebTokenError && error.message === 'invalid signature';
    if (!isForeign || previous === undefined) throw error;
    return verifyPayload(token, previous, undefined, now);
  }
}

const keys = new Map<string, KeyObject>();

/** Caches the key object: given a string, the library would first try to parse a public key, on every request. */
function signingKey(secret: string): KeyObject {
  const kept = keys.get(secret) ?? createSecretKey(Buffer.from(secret));
  keys.set(secret, kept);
  return kept;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

function invalidToken(cause: unknown): ServiceError {
  return new ServiceError('invalid_token', 'The token is not valid; log in again', { cause });
}
