import type { Context as KoaContext } from 'koa';
import { addressGroup } from '../../domain/addresses.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Identity } from '../../services/identity/authenticate.ts';

const WINDOW_MS = 60_000;
/** So many sessions and keys, and so many addresses, are counted one by one in a minute; what comes beyond counts as one. */
const COUNTED = 50_000;

/** Counts a request for its session or API key, or for its address. @throws ServiceError too_many_requests */
export type RateLimit = (http: KoaContext, caller: Identity | null) => void;

/**
 * Limits the requests of each session and API key (of each address where there is none) to so many a minute, and tells the client how
 * many are left (`RateLimit`, `RateLimit-Policy`). Each process counts for itself.
 * @param perMinute 0 = no limit
 */
export function createRateLimit(perMinute: number, now: () => Date): RateLimit {
  if (perMinute === 0) return () => {};
  const callers = new Counters();
  const addresses = new Counters();
  return (http, caller) => {
    const time = now().getTime();
    const { count, seconds } =
      caller === null ? addresses.count(addressGroup(http.ip), time) : callers.count(nameOf(caller), time);
    http.set('RateLimit-Policy', `"default";q=${perMinute};w=${WINDOW_MS / 1000}`);
    http.set('RateLimit', `"default";r=${Math.max(0, perMinute - count)};t=${seconds}`);
    if (count > perMinute) {
      throw new ServiceError(
        'too_many_requests',
        `More than ${perMinute} requests in a minute; go on in ${seconds} s`,
        { retryAfter: seconds },
      );
    }
  };
}

/** Whoever calls, however they spell their token, and in whatever company. */
function nameOf({ sessionId, apiKeyId }: Identity): string {
  return sessionId === null ? `key ${apiKeyId}` : `session ${sessionId}`;
}

/** What was counted in the present minute. */
export class Counters {
  #counts = new Map<string, number>();
  #begun = 0;

  /** @returns how many of this name there are now, and the seconds until all is forgotten */
  count(name: string, time: number): { readonly count: number; readonly seconds: number } {
    // Also where the clock was set back.
    if (Math.abs(time - this.#begun) >= WINDOW_MS) {
      this.#counts = new Map();
      this.#begun = time;
    }
    const counted = this.#counts.size < COUNTED || this.#counts.has(name) ? name : '';
    const count = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, count);
    return { count, seconds: Math.ceil((this.#begun + WINDOW_MS - time) / 1000) };
  }
}
