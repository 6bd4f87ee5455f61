/**
 * Admits deliveries to an endpoint, so that a hung or slow one uses no more than its share of the worker. Deliveries that are not admitted
 * come back later: no attempt is spent, nothing is logged. Counted per worker process; several workers divide a share.
 */
import type { Share } from '../../../domain/integrations/webhooks/share.ts';
import { timeInWords } from '../../../domain/integrations/webhooks/texts.ts';
import { Endpoint } from './endpoint.ts';

/** Maximum time, and share of slots, for deliveries that wait in the process before they are deferred. */
const WAIT_MS = 500;
const WAITING_PART = 1 / 4;
/**
 * An exchange that lasts this long makes its endpoint slow. All slow endpoints together may use half of the worker; one company may not use
 * up that half.
 */
const LINGERING_MS = 1000;
const LINGERING_PART = 1 / 2;
/** Rate, per second, at which deferred deliveries return; each check costs as much as an attempt. */
const COMING_BACK = 10;
/** The same for endpoints whose exchanges last long: looking more often would not make a place free sooner. */
const COMING_BACK_TO_SLOW = 2;
const MIN_SPREAD_S = 2;
const MIN_SPREAD_OF_SLOW_S = 10;
const MAX_SPREAD_S = 900;
/** With so many deferred deliveries to an endpoint, a further one joins them at once: its first look would find no place. */
const CROWD = 10;
/** Above this number of endpoints, idle ones are removed from time to time. */
const MANY_ENDPOINTS = 1000;

/** The members of an exchange that the gate needs. */
interface Outcome {
  readonly httpStatus: number | null;
  readonly error: string | null;
}

export type Passage<T> =
  | { readonly kind: 'passed'; readonly result: T }
  /** The delivery should come back; `seconds` differs for each, so that not all come at once. */
  | { readonly kind: 'waits'; readonly reason: string; readonly seconds: number };

/** Identifies a webhook to the gate. */
export interface GatedWebhook {
  readonly id: string;
  /** The company that owns it. */
  readonly tenantId: string;
  readonly url: string;
  readonly maxInFlight: number;
  readonly ratePerSecond: number;
}

/** Called whenever a circuit opens, with the reason, or closes again. */
type CircuitListener = (webhook: GatedWebhook, change: { readonly open: boolean; readonly reason: string }) => void;

interface Refusal {
  readonly reason: string;
  /** Returning earlier is useless. */
  readonly notBeforeMs: number;
}

export class Gate {
  readonly #slots: number;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #changed: CircuitListener;
  readonly #endpoints = new Map<string, Endpoint>();
  #peers = 1;
  #lingering = 0;
  /** Number of lingering exchanges by company. */
  readonly #lingeringByTenant = new Map<string, number>();
  #waiting = 0;

  /** @param slots deliveries that the worker takes on at once */
  constructor(options: {
    readonly slots: number;
    readonly now?: () => number;
    readonly random?: () => number;
    readonly changed?: CircuitListener;
  }) {
    this.#slots = options.slots;
    this.#changed = options.changed ?? (() => undefined);
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? Math.random;
  }

  /** Number of workers that share the deliveries. */
  set peers(count: number) {
    this.#peers = Math.max(1, count);
  }

  /**
   * Runs the exchange if its endpoint admits it. Its place is free once its outcome is logged: when the worker dies, no more answers of an
   * endpoint than it has places are in no log.
   * @param delivery identifies the delivery, the same each time it returns
   * @throws what the exchange or `log` throws
   */
  async pass<T extends Outcome>(
    webhook: GatedWebhook,
    delivery: string,
    exchange: () => Promise<T>,
    log: (outcome: T) => Promise<void> = async () => undefined,
  ): Promise<Passage<T>> {
    const endpoint = this.#gatedEndpoint(webhook);
    endpoint.returned(delivery);
    const refusal = this.#tryBegin(endpoint, webhook.tenantId, delivery);
    if (refusal !== null && !(await this.#placeIn(endpoint, webhook.tenantId, delivery, refusal)))
      return this.#away(endpoint, delivery, refusal);
    let outcome: T | null = null;
    try {
      outcome = await this.#watched(endpoint, webhook.tenantId, exchange);
      await log(outcome);
      return { kind: 'passed', result: outcome };
    } finally {
      this.#end(endpoint, webhook, delivery, outcome);
    }
  }

  /** Runs the exchange; its endpoint counts as slow while it lasts long. */
  async #watched<T>(endpoint: Endpoint, tenantId: string, exchange: () => Promise<T>): Promise<T> {
    let lingers = false;
    const timer = setTimeout(() => {
      lingers = true;
      endpoint.lingering += 1;
      this.#linger(tenantId, 1);
    }, LINGERING_MS);
    try {
      return await exchange();
    } finally {
      clearTimeout(timer);
      if (lingers) {
        endpoint.lingering -= 1;
        this.#linger(tenantId, -1);
      }
    }
  }

  #gatedEndpoint({ id, maxInFlight, ratePerSecond }: GatedWebhook): Endpoint {
    const share: Share = {
      max_in_flight: Math.ceil(maxInFlight / this.#peers),
      rate_per_second: ratePerSecond / this.#peers,
    };
    let endpoint = this.#endpoints.get(id);
    if (endpoint === undefined) {
      this.#forgetIdle();
      endpoint = new Endpoint(share, this.#now());
      this.#endpoints.set(id, endpoint);
    }
    endpoint.share = share;
    return endpoint;
  }

  #forgetIdle(): void {
    if (this.#endpoints.size < MANY_ENDPOINTS || this.#endpoints.size % 100 !== 0) return;
    const now = this.#now();
    for (const [id, endpoint] of this.#endpoints) if (endpoint.isIdle(now)) this.#endpoints.delete(id);
  }

  #linger(tenantId: string, change: 1 | -1): void {
    this.#lingering += change;
    const left = (this.#lingeringByTenant.get(tenantId) ?? 0) + change;
    if (left > 0) this.#lingeringByTenant.set(tenantId, left);
    else this.#lingeringByTenant.delete(tenantId);
  }

  /** Begins a delivery if possible. @returns the refusal; null if it has begun */
  #tryBegin(endpoint: Endpoint, tenantId: string, delivery: string): Refusal | null {
    const now = this.#now();
    const openUntil = endpoint.breaker.openUntil(now);
    if (openUntil !== null) {
      const time = timeInWords(new Date(openUntil), new Date(now));
      return { reason: `${endpoint.breaker.reason}, circuit open until ${time}`, notBeforeMs: openUntil - now };
    }
    const limit = endpoint.limit(now);
    if (endpoint.inFlight >= limit) {
      return { reason: `${limit} ${limit === 1 ? 'request is' : 'requests are'} under way already`, notBeforeMs: 0 };
    }
    const nextToken = endpoint.nextToken(now);
    if (nextToken > 0) return { reason: 'the rate of the webhook is used up', notBeforeMs: nextToken };
    if (endpoint.lingering > 0) {
      const places = this.#slots * LINGERING_PART;
      if (this.#lingering >= places) return { reason: 'slow receivers take up half of the worker', notBeforeMs: 0 };
      if ((this.#lingeringByTenant.get(tenantId) ?? 0) >= places / (this.#lingeringByTenant.size + 1)) {
        return { reason: 'slow receivers of the company take up its share', notBeforeMs: 0 };
      }
    }
    endpoint.begin(now);
    endpoint.breaker.begin(delivery);
    return null;
  }

  /** Waits a moment for a place if one can be expected. @returns whether it has begun */
  async #placeIn(endpoint: Endpoint, tenantId: string, delivery: string, refusal: Refusal): Promise<boolean> {
    if (
      endpoint.lingering > 0 ||
      refusal.notBeforeMs > WAIT_MS ||
      endpoint.waiters.length >= Math.max(endpoint.limit(this.#now()), 10) ||
      this.#waiting >= this.#slots * WAITING_PART
    ) {
      return false;
    }
    this.#waiting += 1;
    try {
      return await new Promise<boolean>((decided) => {
        const waiter = {
          start: () => {
            if (this.#tryBegin(endpoint, tenantId, delivery) !== null) return;
            leave();
            decided(true);
          },
        };
        const leave = () => {
          endpoint.waiters.splice(endpoint.waiters.indexOf(waiter), 1);
          clearTimeout(timeout);
          clearInterval(tokens);
        };
        const timeout = setTimeout(() => {
          leave();
          decided(false);
        }, WAIT_MS);
        // An exchange that is logged announces its place; the next one by rate only becomes free with time.
        const tokens = setInterval(() => waiter.start(), Math.max(10, refusal.notBeforeMs || WAIT_MS));
        endpoint.waiters.push(waiter);
      });
    } finally {
      this.#waiting -= 1;
    }
  }

  #end(endpoint: Endpoint, webhook: GatedWebhook, delivery: string, outcome: Outcome | null): void {
    const now = this.#now();
    const { breaker } = endpoint;
    const wasOpen = breaker.isOpen;
    const success = outcome?.error === null;
    endpoint.end(outcome === null ? null : { answered: outcome.httpStatus !== null, success }, now);
    breaker.end(delivery, outcome === null ? null : !success, now);
    if (breaker.isOpen !== wasOpen) this.#changed(webhook, { open: breaker.isOpen, reason: breaker.reason });
    for (const waiter of [...endpoint.waiters]) {
      if (endpoint.inFlight >= endpoint.limit(now)) break;
      waiter.start();
    }
  }

  /**
   * Seconds after which a new delivery should first look for a place: 0, unless many wait for its endpoint already.
   * @param delivery as in `pass`
   */
  firstLookIn(webhookId: string, delivery: string): number {
    const endpoint = this.#endpoints.get(webhookId);
    if (endpoint === undefined || endpoint.awaited(this.#now()) < CROWD) return 0;
    const openUntil = endpoint.breaker.openUntil(this.#now());
    return this.#defer(endpoint, delivery, openUntil === null ? 0 : openUntil - this.#now());
  }

  #away<T>(endpoint: Endpoint, delivery: string, { reason, notBeforeMs }: Refusal): Passage<T> {
    return { kind: 'waits', reason, seconds: this.#defer(endpoint, delivery, notBeforeMs) };
  }

  /** Deferred deliveries return spread over a time in which the endpoint, or else the worker, can handle them. @returns seconds */
  #defer(endpoint: Endpoint, delivery: string, notBeforeMs: number): number {
    const now = this.#now();
    const here = endpoint.awaited(now) + 1;
    let all = 1;
    for (const other of this.#endpoints.values()) all += other.awaited(now);
    const isSlow = endpoint.lingering > 0;
    const pace = Math.max(endpoint.pace(now), ((isSlow ? COMING_BACK_TO_SLOW : COMING_BACK) * here) / all);
    const spread = Math.min(MAX_SPREAD_S, Math.max(isSlow ? MIN_SPREAD_OF_SLOW_S : MIN_SPREAD_S, here / pace));
    const seconds = notBeforeMs / 1000 + this.#random() * spread;
    endpoint.defer(delivery, now + seconds * 1000);
    return seconds;
  }
}
