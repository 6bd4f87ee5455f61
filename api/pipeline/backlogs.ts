/**
 * Slows down the writes of companies that write faster than the workers follow, until both are as fast, and refuses them while what they
 * cause would come too late: what is accepted is delivered soon.
 */
import type { Logger } from 'pino';
import { ServiceError } from '../../domain/errors.ts';
import type { CallerCache } from '../../services/access/sessions/caller-cache.ts';
import { type Clock, STEADY_CLOCK } from '../../services/platform/fairness/debts.ts';
import { Tokens } from '../../services/platform/fairness/tokens.ts';
import { BACKLOG_CHANNEL, type Wait } from '../../services/platform/outbox/backlog.ts';

/** Relays tell each second; it counts for so long. */
const TOLD_MS = 2500;
/**
 * A backlog should be of so many seconds. A longer one should shrink by a part each second, the more the longer it is; the pause before
 * each write becomes longer while it shrinks less than that, and shorter while it shrinks more. A short one slows nobody down.
 */
const SECONDS = 6;
const SHRINK_PER_SECOND = 0.02;
const TOLERANCE = 0.03;
const SHORT_SECONDS = 4;
/** By how much the pause changes, in milliseconds. */
const SLOWER = { times: 1.25, plus: 20, most: 2000 } as const;
const FASTER = { times: 0.85, least: 10 } as const;
/** Writes are refused while events will wait for so long. */
const REFUSED_SECONDS = 20;
const RETRY_SECONDS = 5;
/**
 * Writes of a company that are never slowed down: so many a second, or at once after a while. They may be people's, and the backlog that of
 * an import, or of an integration beside them.
 */
const FREE_PER_SECOND = 2;
const FREE_AT_ONCE = 4;

interface Company {
  readonly seconds: number;
  /** Milliseconds. */
  readonly pause: number;
  /** Writes that are not slowed down. */
  readonly free: Tokens;
}

export class Backlogs {
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn'>;
  /** The companies that are slowed down. */
  #companies: ReadonlyMap<string, Company> = new Map();
  #toldAt = -Infinity;

  /** @param callers listens to what relays tell */
  constructor(callers: Pick<CallerCache, 'subscribe'>, logger: Pick<Logger, 'warn'>, clock: Clock = STEADY_CLOCK) {
    this.#logger = logger;
    this.#clock = clock;
    callers.subscribe(BACKLOG_CHANNEL, { notified: (payload) => this.#hear(JSON.parse(payload) as Wait[]) });
  }

  /** The number of companies whose writes are slowed down. */
  get slowed(): number {
    return this.#isOver ? 0 : this.#companies.size;
  }

  /**
   * Waits before a write of a company, if what it causes would wait for long.
   * @returns null if it need not wait, as nearly nobody does
   * @throws ServiceError too_many_requests if what it causes would come too late
   */
  turn(company: string): Promise<unknown> | null {
    if (this.#isOver) return null;
    const known = this.#companies.get(company);
    if (known === undefined || this.#takeFree(known)) return null;
    const { seconds, pause } = known;
    if (seconds >= REFUSED_SECONDS) {
      const message = 'More of this company is changed than can be delivered in time; try again in a moment';
      throw new ServiceError('too_many_requests', message, { retryAfter: RETRY_SECONDS });
    }
    return this.#clock.sleep(pause);
  }

  get #isOver(): boolean {
    return this.#clock.now() - this.#toldAt >= TOLD_MS;
  }

  #takeFree({ free }: Company): boolean {
    const isFree = free.refill(this.#clock.now(), FREE_PER_SECOND, FREE_AT_ONCE) >= 1;
    if (isFree) free.take();
    return isFree;
  }

  #hear(waits: readonly Wait[]): void {
    const now = this.#clock.now();
    const before = this.#isOver ? new Map<string, Company>() : this.#companies;
    const told = new Map(waits.map((wait) => [wait.tenantId, wait]));
    const companies = [...new Set([...told.keys(), ...before.keys()])].map((id): [string, Company] => {
      const wait = told.get(id) ?? { seconds: 0, growth: 0 };
      const { pause = 0, free = new Tokens(FREE_AT_ONCE, now) } = before.get(id) ?? {};
      return [id, { seconds: wait.seconds, pause: nextPause(pause, wait), free }];
    });
    this.#companies = new Map(companies.filter(([, { pause }]) => pause > 0));
    this.#toldAt = now;
    for (const [id, { seconds }] of this.#companies) {
      if (before.has(id)) continue;
      const about = { tenant_id: id, seconds };
      this.#logger.warn(about, 'Events of a company will wait for long, so its writes are slowed down');
    }
  }
}

function nextPause(pause: number, { seconds, growth }: Pick<Wait, 'seconds' | 'growth'>): number {
  const excess = growth + (seconds - SECONDS) * SHRINK_PER_SECOND;
  if (seconds > SHORT_SECONDS && excess > TOLERANCE) return Math.min(pause * SLOWER.times + SLOWER.plus, SLOWER.most);
  if (seconds > SHORT_SECONDS && excess >= -TOLERANCE) return pause;
  const next = pause * FASTER.times;
  return next < FASTER.least ? 0 : next;
}
