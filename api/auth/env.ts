import { ServiceError } from '../../domain/errors.ts';
import type { AuthEnv } from '../../services/identity/tokens.ts';
import type { Deps } from '../route.ts';

/** What the identity services need of the process. @throws ServiceError unavailable when no signing key is configured */
export function authEnv(deps: Deps): AuthEnv {
  const { jwtSecret, jwtSecretPrevious, tokenTtlSeconds } = deps.config.auth;
  if (jwtSecret === undefined) throw new ServiceError('unavailable', 'JWT_SECRET is not set: no token can be signed');
  return { database: deps.database, jwtSecret, jwtSecretPrevious, tokenTtlSeconds, now: deps.now() };
}
