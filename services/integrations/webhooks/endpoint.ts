/** State of one endpoint in a worker: exchanges in flight, its answers, and waiting deliveries. */
import { Breaker } from '../../../domain/integrations/webhooks/breaker.ts';
import type { Share } from '../../../domain/integrations/webhooks/share.ts';
import { Tokens } from '../../platform/fairness/tokens.ts';

/** An endpoint without recent success starts with this share, and doubles it with each success. */
const FIRST_SHARE = 2;
const PROVEN_MS = 60_000;
const PACE_MS = 10_000;
/** Longer than a breaker remembers. */
const FORGOTTEN_MS = 10 * 60_000;
/** Deliveries that have not returned by then were taken by another worker. */
const OVERDUE_MS = 60_000;

export class Endpoint {
  readonly breaker = new Breaker();
  /** Exchanges in flight, and how many of them have lasted a second or more. */
  inFlight = 0;
  lingering = 0;
  /** Deliveries waiting in this process. */
  readonly waiters: { start(): void }[] = [];
  /** Deferred deliveries, by the time at which they return. */
  readonly #away = new Map<string, number>();
  #swept = 0;
  #share: Share;
  #grown = FIRST_SHARE;
  #lastSuccess = Number.NEGATIVE_INFINITY;
  readonly #tokens: Tokens;
  /** Deliveries accepted in this interval and in the one before. */
  #paced = { since: 0, taken: 0, before: 0 };
  #lastBegun = Number.NEGATIVE_INFINITY;

  constructor(share: Share, now: number) {
    this.#share = share;
    this.#tokens = new Tokens(share.rate_per_second, now);
  }

  /** Applies a changed share. */
  set share(share: Share) {
    this.#share = share;
  }

  /** Maximum exchanges in flight. */
  limit(now: number): number {
    const grown = now - this.#lastSuccess > PROVEN_MS ? Math.min(this.#grown, FIRST_SHARE) : this.#grown;
    return Math.min(grown, this.#share.max_in_flight);
  }

  /** Milliseconds until its rate allows another exchange. */
  nextToken(now: number): number {
    const rate = this.#share.rate_per_second;
    const tokens = this.#tokens.refill(now, rate, Math.max(1, rate));
    return tokens >= 1 ? 0 : ((1 - tokens) / rate) * 1000;
  }

  begin(now: number): void {
    this.inFlight += 1;
    this.#tokens.take();
    this.#lastBegun = now;
  }

  /** @param answered whether there was any answer @param success whether it was 2xx */
  end(outcome: { readonly answered: boolean; readonly success: boolean } | null, now: number): void {
    this.inFlight -= 1;
    if (outcome === null) return;
    if (outcome.success) {
      this.#grown = Math.min(this.limit(now) * 2, this.#share.max_in_flight);
      this.#lastSuccess = now;
      this.#count(now);
    } else if (!outcome.answered) {
      this.#grown = Math.max(1, Math.floor(this.limit(now) / 2));
    }
  }

  #count(now: number): void {
    if (now - this.#paced.since >= PACE_MS) {
      const adjacent = now - this.#paced.since < 2 * PACE_MS;
      this.#paced = { since: now, taken: 0, before: adjacent ? this.#paced.taken : 0 };
    }
    this.#paced.taken += 1;
  }

  /** Deliveries per second that it accepted recently. */
  pace(now: number): number {
    const { since, taken, before } = this.#paced;
    if (now - since > 2 * PACE_MS) return 0;
    return Math.max(taken, before) / (PACE_MS / 1000);
  }

  /** Number of deferred deliveries expected back. */
  awaited(now: number): number {
    if (now - this.#swept > PACE_MS) {
      this.#swept = now;
      for (const [delivery, due] of this.#away) if (due < now - OVERDUE_MS) this.#away.delete(delivery);
    }
    return this.#away.size;
  }

  defer(delivery: string, due: number): void {
    this.#away.set(delivery, due);
  }

  returned(delivery: string): void {
    this.#away.delete(delivery);
  }

  /** Whether it can be forgotten. */
  isIdle(now: number): boolean {
    const quiet = this.inFlight === 0 && this.waiters.length === 0 && this.awaited(now) === 0;
    return quiet && now - this.#lastBegun > FORGOTTEN_MS;
  }
}
