/** Reads that may be some seconds old go to a standby of the database, so that long lists and reports cost the primary nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { type Clock, STEADY_CLOCK } from '../../services/platform/fairness/debts.ts';

/** Longest wait for an answer about the standby, how long it holds, and how long one that does not answer is left alone. */
const LOOK_MS = 500;
const KNOWN_MS = 1000;
const AWAY_MS = 5000;

export class Standby {
  readonly #database: Database;
  readonly #mostSeconds: number;
  readonly #clock: Clock;
  #knownUntil = -Infinity;
  #isUsable = false;
  #looking: Promise<void> | null = null;

  /**
   * @param database the standby
   * @param mostSeconds how far behind it may be
   */
  constructor(database: Database, mostSeconds: number, clock: Clock = STEADY_CLOCK) {
    this.#database = database;
    this.#mostSeconds = mostSeconds;
    this.#clock = clock;
  }

  /** The standby, if it can be reached and is not too far behind. It is asked once a second at most. */
  async usable(): Promise<Database | null> {
    if (this.#clock.now() >= this.#knownUntil) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
      await this.#looking;
    }
    return this.#isUsable ? this.#database : null;
  }

  /** A read has failed there: the next one asks again whether it is usable. */
  failed(): void {
    this.#knownUntil = -Infinity;
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #look(): Promise<void> {
    const asked = this.#database.secondsBehind();
    const behind = await Promise.race([asked, sleep(LOOK_MS, null, { ref: false })]);
    this.#isUsable = behind !== null && behind <= this.#mostSeconds;
    this.#knownUntil = this.#clock.now() + (behind === null ? AWAY_MS : KNOWN_MS);
  }
}

/** Whether a caller takes a state that is some seconds old. @param prefer the header Prefer (RFC 7240) */
export function takesStale(prefer: string): boolean {
  return prefer.split(',').some((one) => /^\s*stale\s*(;|$)/i.test(one));
}
