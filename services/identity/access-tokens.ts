/** Access tokens: signed, short-lived, and nothing in them but who, where and which session. What a user may do is read from the database. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { isUuid, newId } from '../../db/ids.ts';
import { ServiceError } from '../../domain/errors.ts';

const ISSUER = 'business-management-service';
const AUDIENCE = 'business-management-api';
/** The only algorithm that is accepted, whatever a token's header says. */
const ALGORITHM = 'HS256';

export interface AccessClaims {
  readonly userId: string;
  /** The company the token was issued for: the tenant of requests without x-tenant-id. */
  readonly tenantId: string;
  /** The family of refresh tokens that it belongs to. */
  readonly sessionId: string;
}

/** A signed token that is valid for `tokenTtlSeconds` from `now`. */
export function signAccessToken(
  env: { readonly jwtSecret: string; readonly tokenTtlSeconds: number; readonly now: Date },
  claims: AccessClaims,
): string {
  const iat = Math.floor(env.now.getTime() / 1000);
  const payload = { tid: claims.tenantId, sid: claims.sessionId, iat, exp: iat + env.tokenTtlSeconds };
  return jwt.sign(payload, env.jwtSecret, {
    algorithm: ALGORITHM,
    issuer: ISSUER,
    audience: AUDIENCE,
    subject: claims.userId,
    jwtid: newId(),
  });
}

/** The claims of a token after its signature, issuer, audience and time are checked. @throws ServiceError invalid_token, token_expired */
export function verifyAccessToken(
  env: { readonly jwtSecret: string; readonly jwtSecretPrevious?: string | undefined; readonly now: Date },
  token: string,
): AccessClaims {
  let payload: unknown;
  try {
    payload = payloadOf(token, env.jwtSecret, env.jwtSecretPrevious, env.now);
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) {
      throw new ServiceError(
        'token_expired',
        'The token has expired; get a new one from /api/auth/refresh or log in again',
      );
    }
    throw invalidToken(error);
  }
  const { sub, tid, sid, exp } = payload as Record<string, unknown>;
  if (!isId(sub) || !isId(tid) || !isId(sid) || typeof exp !== 'number') throw invalidToken(undefined);
  return { userId: sub, tenantId: tid, sessionId: sid };
}

/** What the token holds. One that the secret before the present one has signed is good until it expires. */
function payloadOf(token: string, secret: string, previous: string | undefined, now: Date): unknown {
  try {
    return jwt.verify(token, keyOf(secret), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      clockTimestamp: Math.floor(now.getTime() / 1000),
    });
  } catch (error) {
    const isForeign = error instanceof jwt.JsonWebTokenError && error.message === 'invalid signature';
    if (!isForeign || previous === undefined) throw error;
    return payloadOf(token, previous, undefined, now);
  }
}

const keys = new Map<string, KeyObject>();

/** Kept: from a text, the library would try to make a public key first, with each request. */
function keyOf(secret: string): KeyObject {
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
