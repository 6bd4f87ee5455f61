import type { Context as KoaContext } from 'koa';
import { addressGroup } from '../../domain/addresses.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Siblings } from '../siblings.ts';

const WINDOW_MS = 60_000;
/**
 * Maximum number of sessions and keys, and of addresses, counted individually per minute; all others share one counter.
 */
const MAX_COUNTED = 50_000;
/**
 * Processes report their counts to each other in batches: together, the unreported requests are at most this part of
 * the limit.
 */
const MAX_UNREPORTED = 0.05;

export interface RateLimit {
  /** Counts a request for its authenticated sender, or else its address. @throws ServiceError too_many_requests */
  count(http: KoaContext, sender: string | null): void;
  /** Refuses a sender that has exceeded the limit, before authenticating it. @throws ServiceError too_many_requests */
  refuse(http: KoaContext, sender: string): void;
}

/**
 * Limits the requests per minute of each session and API key (or else address), and tells the client how many are left
 * (`RateLimit`, `RateLimit-Policy`). The processes of one address count together.
 * @param perMinute 0 = no limit
 */
export function createRateLimit(perMinute: number, now: () => Date, siblings: Siblings): RateLimit {
  if (perMinute === 0) return { count: () => {}, refuse: () => {} };
  const time = () => now().getTime();
  const senders = sharedCounters('requests of senders', perMinute, siblings);
  const addresses = sharedCounters('requests of addresses', perMinute, siblings);
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
  /** Seconds until the counters are reset. */
  readonly seconds: number;
}

/** Creates counters that processes share. Senders already beyond the limit are no longer reported. */
function sharedCounters(topic: string, perMinute: number, siblings: Siblings): Counters {
  const others = siblings.processes - 1;
  const lot = Math.max(1, Math.floor((perMinute * MAX_UNREPORTED) / Math.max(1, others)));
  const counters = new Counters(lot, (lots, total) => {
    if (total - lots.count <= perMinute) siblings.send(topic, lots);
  });
  siblings.receive<CountBatch>(topic, (batch) => counters.add(batch));
  return counters;
}

/** Requests of one name in one minute. */
export interface CountBatch {
  readonly name: string;
  readonly minute: number;
  readonly count: number;
}

/** Counters of the current minute. */
export class Counters {
  readonly #lot: number;
  readonly #report: (lot: CountBatch, total: number) => void;
  #counts = new Map<string, { count: number; unreported: number }>();
  #minute = 0;

  /** @param report called after each `lot` requests counted here, with the total count of their name */
  constructor(lot = 1, report: (lot: CountBatch, total: number) => void = () => undefined) {
    this.#lot = lot;
    this.#report = report;
  }

  /** Counts a request. @returns the new count of this name */
  count(name: string, time: number): Counted {
    this.#begin(clockMinute(time));
    const entry = this.#entry(name);
    entry.count += 1;
    entry.unreported += 1;
    if (entry.unreported >= this.#lot) {
      this.#report({ name, minute: this.#minute, count: entry.unreported }, entry.count);
      entry.unreported = 0;
    }
    return { count: entry.count, seconds: Math.ceil(((this.#minute + 1) * WINDOW_MS - time) / 1000) };
  }

  /** Adds requests counted by other processes. */
  add({ name, minute, count }: CountBatch): void {
    if (minute > this.#minute) this.#begin(minute);
    if (minute === this.#minute) this.#entry(name).count += count;
  }

  /** The count of this name, if it is counted individually. */
  counted(name: string, time: number): number {
    this.#begin(clockMinute(time));
    return this.#counts.get(name)?.count ?? 0;
  }

  #entry(name: string): { count: number; unreported: number } {
    const counted = this.#counts.size < MAX_COUNTED || this.#counts.has(name) ? name : '';
    const entry = this.#counts.get(counted) ?? { count: 0, unreported: 0 };
    this.#counts.set(counted, entry);
    return entry;
  }

  /** Starts another minute, also if the clock was set back. */
  #begin(minute: number): void {
    if (minute === this.#minute) return;
    this.#counts = new Map();
    this.#minute = minute;
  }
}

/** Minutes start by the clock, so that all processes count the same ones. */
function clockMinute(time: number): number {
  return Math.floor(time / WINDOW_MS);
}
