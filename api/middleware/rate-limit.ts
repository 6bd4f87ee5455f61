import { createHash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { ServiceError } from '../../domain/errors.ts';

const WINDOW_SECONDS = 60;

/**
 * Limits the requests of each token (of each address where there is none) to so many a minute, and tells the client how
 * many are left (`RateLimit`, `RateLimit-Policy`). Each process counts for itself.
 * @param perMinute 0 = no limit
 * @returns a check that throws ServiceError too_many_requests
 */
export function createRateLimit(perMinute: number): (http: KoaContext, bearer: string | undefined) => Promise<void> {
  if (perMinute === 0) return async () => {};
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  return async (http, bearer) => {
    const key = bearer === undefined ? `address:${http.ip}` : createHash('sha256').update(bearer).digest('base64');
    const state = await limiter.consume(key).catch((refused: unknown) => {
      if (refused instanceof Error) throw refused;
      return refused as RateLimiterRes;
    });
    const seconds = Math.ceil(state.msBeforeNext / 1000);
    http.set('RateLimit-Policy', `"default";q=${perMinute};w=${WINDOW_SECONDS}`);
    http.set('RateLimit', `"default";r=${Math.max(0, state.remainingPoints)};t=${seconds}`);
    if (state.consumedPoints > perMinute) {
      throw new ServiceError(
        'too_many_requests',
        `More than ${perMinute} requests in a minute; go on in ${seconds} s`,
        {
          retryAfter: seconds,
        },
      );
    }
  };
}
