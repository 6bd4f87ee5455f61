/**
 * Shares the main thread between companies. Large bodies and answers keep it for tens of milliseconds, during which everybody else waits,
 * and a few of a company in a row are enough to keep it for ever. So each company owes what its large ones took, pays back a part of
 * the time that goes by, and waits while it owes too much, unless nobody else is there.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../domain/errors.ts';

/** Milliseconds of a stage that are nothing to speak of: ordinary requests never owe anything. */
const SMALL_MS = 2;
/** Milliseconds that may be owed without a wait. */
const AHEAD_MS = 250;
/** The most that is owed, so that nobody pays for one act for long. */
const MOST_MS = 600;
/** Others who were there within these milliseconds are still there. */
const PRESENT_MS = 1000;
/** A request that has waited for so long is refused. */
const PATIENCE_MS = 20_000;
/** Waiting requests of a company. */
const MAX_WAITING = 200;
/** How often a waiting request looks whether others are still there. */
const LOOK_MS = 100;
/** Weight of the last request in what the next one is expected to take. */
const NEWEST = 0.2;
/** Beyond so many accounts those that owe nothing are forgotten. */
const MANY = 1000;

interface Account {
  owed: number;
  /** When `owed` was right, in milliseconds. */
  at: number;
  /** Milliseconds that a request takes, on average. */
  usual: number;
  /** The last request that waits, or whose turn it was. */
  turns: Promise<unknown>;
  waiting: number;
}

/** A steady clock, in milliseconds. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

export class ThreadShares {
  readonly #share: number;
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();
  /** The two holders that were here last. */
  #last = { holder: '', at: -Infinity };
  #other = { holder: '', at: -Infinity };

  /**
   * @param percent of the time that a company's large requests may take while others are there; 0 = no limit
   */
  constructor(percent: number, clock: Clock = { now: () => performance.now(), sleep: delay }) {
    this.#share = percent / 100;
    this.#clock = clock;
  }

  /**
   * Waits for the holder's turn. What the request takes must be settled.
   * @throws ServiceError too_many_requests after 20 seconds, or if too many wait
   */
  async turn(holder: string): Promise<Use> {
    this.#see(holder);
    const account = this.#accounts.get(holder);
    const settle = (expected: number) => {
      let left = expected;
      return new Use((ms) => {
        this.#settle(holder, ms, left);
        left = 0;
      });
    };
    if (this.#share === 0 || account === undefined) return settle(0);
    if (account.waiting === 0 && !this.#mustWait(holder, account)) return settle(expect(account));
    if (account.waiting >= MAX_WAITING) throw busy();
    const until = this.#clock.now() + PATIENCE_MS;
    account.waiting += 1;
    const turn = account.turns.then(async () => {
      while (this.#mustWait(holder, account)) {
        if (this.#clock.now() >= until) return null;
        await this.#clock.sleep(Math.min(LOOK_MS, Math.ceil((account.owed - AHEAD_MS) / this.#share)));
      }
      return settle(expect(account));
    });
    account.turns = turn;
    const use = await turn;
    account.waiting -= 1;
    if (use === null) throw busy();
    return use;
  }

  #mustWait(holder: string, account: Account): boolean {
    const now = this.#clock.now();
    account.owed = Math.max(0, account.owed - (now - account.at) * this.#share);
    account.at = now;
    const other = this.#last.holder === holder ? this.#other : this.#last;
    return account.owed > AHEAD_MS && now - other.at < PRESENT_MS;
  }

  #settle(holder: string, ms: number, expected: number): void {
    const known = this.#accounts.get(holder);
    if (known === undefined && ms === 0) return;
    const now = this.#clock.now();
    const account = known ?? { owed: 0, at: now, usual: 0, turns: Promise.resolve(), waiting: 0 };
    if (known === undefined) this.#add(holder, account);
    account.owed = Math.min(MOST_MS, Math.max(0, account.owed - (now - account.at) * this.#share + ms - expected));
    account.at = now;
    account.usual += (ms - account.usual) * NEWEST;
  }

  #add(holder: string, account: Account): void {
    if (this.#accounts.size >= MANY) {
      for (const [name, { owed, at, waiting }] of this.#accounts)
        if (waiting === 0 && owed <= (this.#clock.now() - at) * this.#share) this.#accounts.delete(name);
    }
    this.#accounts.set(holder, account);
  }

  #see(holder: string): void {
    if (this.#last.holder !== holder) this.#other = this.#last;
    this.#last = { holder, at: this.#clock.now() };
  }
}

/** Lets an account owe at once what its request will probably take: others of the same company may be right behind it. */
function expect(account: Account): number {
  account.owed += account.usual;
  return account.usual;
}

/** Measures how much of the thread one request takes. */
export class Use {
  readonly #settle: (ms: number) => void;
  #ms = 0;
  #ended = false;

  /** @param settle called with milliseconds when it ends, and then for what comes later; by default nobody pays */
  constructor(settle: (ms: number) => void = () => undefined) {
    this.#settle = settle;
  }

  /** Does some work in one go, which counts if it takes long. @param times of its duration that are counted, for what goes with it */
  measure<T>(work: () => T, times = 1): T {
    const began = performance.now();
    try {
      return work();
    } finally {
      this.#add((performance.now() - began) * times);
    }
  }

  /** Counts bytes that are worked through piece by piece. */
  addBytes(bytes: number): void {
    this.#add((bytes / 1024) * MS_PER_KIB);
  }

  /** The answer is there, though a stream may go on. */
  end(): void {
    this.#ended = true;
    this.#settle(this.#ms);
  }

  #add(ms: number): void {
    if (ms <= SMALL_MS) return;
    if (this.#ended) this.#settle(ms);
    else this.#ms += ms;
  }
}

/** Milliseconds for a KiB of a file that is read or written row by row. */
const MS_PER_KIB = 0.25;

function busy(): ServiceError {
  return new ServiceError(
    'too_many_requests',
    "The company's large requests leave no time for others; send fewer at once",
    {
      retryAfter: 5,
    },
  );
}
