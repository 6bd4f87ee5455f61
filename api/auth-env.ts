import { ServiceError } from '../domain/errors.ts';
import type { AuthEnv } from '../services/access/sessions/tokens.ts';
import type { Deps } from './route.ts';

/** Environment of the identity services. @throws ServiceError unavailable when no signing key is configured */
export function authEnv(deps: Deps): AuthEnv {
  const { jwtSecret, jwtSecretPrevious, tokenTtlSeconds } = deps.config.auth;
  if (jwtSecret === undefined)
    throw new ServiceError('unavailable', 'Tokens cannot be signed because JWT_SECRET is not set');
  return { database: deps.database, jwtSecret, jwtSecretPrevious, tokenTtlSeconds, now: deps.now() };
}
