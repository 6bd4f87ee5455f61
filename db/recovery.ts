/**
 * Waits while the database is away: it restarts, or another server takes its place. Work that it interrupted is done again, unless it may
 * have been committed, so that a short outage delays requests instead of failing them (decision 0273).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isAway } from './errors.ts';

/** Pause between two looks, doubled up to the longest. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;

export class Recovery {
  readonly #patienceMs: number;
  readonly #answers: () => Promise<boolean>;
  /** Pending while the database is away; one look serves all who wait. */
  #back: Promise<void> | null = null;
  #waiting = 0;

  /**
   * @param patienceMs longest wait of one piece of work; 0 = none
   * @param answers whether the database can be written to; never rejects
   */
  constructor(patienceMs: number, answers: () => Promise<boolean>) {
    this.#patienceMs = patienceMs;
    this.#answers = answers;
  }

  /**
   * Does work, again if the database went away.
   * @param once must be without effect when it rejects because of that
   * @throws whatever `once` throws: the outage, if the database has not come back in time
   */
  run<T>(once: () => Promise<T>): Promise<T> {
    if (this.#patienceMs === 0) return once();
    return once().catch((error: unknown) => this.#later(error, once));
  }

  /** @param error of the first try */
  async #later<T>(error: unknown, once: () => Promise<T>): Promise<T> {
    const until = performance.now() + this.#patienceMs;
    for (let last = error; ; ) {
      if (!isAway(last) || !(await this.#isBackBy(until))) throw last;
      try {
        return await once();
      } catch (next) {
        last = next;
      }
    }
  }

  async #isBackBy(until: number): Promise<boolean> {
    const left = until - performance.now();
    if (left <= 0) return false;
    const over = new AbortController();
    this.#waiting++;
    try {
      this.#back ??= this.#watch();
      const isBack = this.#back.then(() => true);
      return await Promise.race([isBack, delay(left, false, { ref: false, signal: over.signal })]);
    } finally {
      this.#waiting--;
      over.abort();
    }
  }

  /** Looks until the database is back, or nobody waits any more. The first pause keeps a fault that stays from being repeated at once. */
  async #watch(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    do {
      await delay(pause, undefined, { ref: false });
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    } while (this.#waiting > 0 && !(await this.#answers()));
    this.#back = null;
  }
}
