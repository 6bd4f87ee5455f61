import type { Context as KoaContext } from 'koa';
import { addressGroup } from '../../domain/addresses.ts';
import { ServiceError } from '../../domain/errors.ts';

const WINDOW_MS = 60_000;
/** How many sessions and keys, and how many addresses, are counted individually per minute; any further ones share one counter. */
const MAX_COUNTED = 50_000;

export interface RateLimit {
  /** Counts a request for its authenticated sender, or else its address. @throws ServiceError too_many_requests */
  count(http: KoaContext, sender: string | null): void;
  /** Refuses a sender that has exceeded the limit, before authenticating it. @throws ServiceError too_many_requests */
  refuse(http: KoaContext, sender: string): void;
}

/**
 * Limits the requests per minute of each session and API key (or else address), and tells the client how many are left (`RateLimit`,
 * `RateLimit-Policy`). Each process counts on its own.
 * @param perMinute 0 = no limit
 */
export function createRateLimit(perMinute: number, now: () => Date): RateLimit {
  if (perMinute === 0) return { count: () => {}, refuse: () => {} };
  const time = () => now().getTime();
  const senders = new Counters();
  const addresses = new Counters();
  return {
    count: (http, sender) =>
      tell(http, sender === null ? addresses.count(addressGroup(http.ip), time()) : senders.count(sender, time())),
    refuse(http, sender) {
      if (senders.counted(sender, time()) >= perMinute) tell(http, senders.count(sender, time()));
    },
  };

  function tell(http: KoaContext, { count, seconds }: Counted): void {
    http.set('RateLimit-Policy', `"default";q=${perMinute};w=${WINDOW_MS / 1000}`);
    http.set('RateLimit', `"default";r=${Math.max(0, perMinute - count)};t=${seconds}`);
    if (count > perMinute) {
      throw new ServiceError(
        'too_many_requests',
        `More than ${perMinute} requests in a minute; continue in ${seconds} s`,
        { retryAfter: seconds },
      );
    }
  }
}

interface Counted {
  readonly count: number;
  /** Until the counters are reset. */
  readonly seconds: number;
}

/** Counters of the current minute. */
export class Counters {
  #counts = new Map<string, number>();
  #begun = 0;

  /** @returns the new count of this name */
  count(name: string, time: number): Counted {
    this.#begin(time);
    const counted = this.#counts.size < MAX_COUNTED || this.#counts.has(name) ? name : '';
    const count = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, count);
    return { count, seconds: Math.ceil((this.#begun + WINDOW_MS - time) / 1000) };
  }

  /** The count of this name, if it is counted individually. */
  counted(name: string, time: number): number {
    this.#begin(time);
    return this.#counts.get(name) ?? 0;
  }

  #begin(time: number): void {
    // Also handles a clock that was set back.
    if (Math.abs(time - this.#begun) < WINDOW_MS) return;
    this.#counts = new Map();
    this.#begun = time;
  }
}
