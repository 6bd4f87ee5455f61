/** The version of the interface, a day: which one an answer follows, and which one a client expects. */
import type { Middleware } from 'koa';
import { ServiceError } from '../../domain/errors.ts';

/** Changes only with what breaks clients; docs/clients.md says what that is. */
export const API_VERSION = '2026-11-01';

/** Names the version in each answer, and refuses a client that expects another. */
export function apiVersion(): Middleware {
  return (http, next) => {
    http.set('api-version', API_VERSION);
    const expected = http.get('api-version');
    if (expected !== '' && expected !== API_VERSION)
      throw new ServiceError(
        'bad_request',
        `api-version must be ${API_VERSION}, or be left out: there is no other version`,
      );
    return next();
  };
}
