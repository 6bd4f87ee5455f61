/** Lets companies wait that owe time to the others: each pays back a part of the time that goes by, and then it is its turn. */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../../domain/errors.ts';

/** A request that has waited for so long is refused. */
const PATIENCE_MS = 20_000;
/** Waiting requests of a company. */
const MAX_WAITING = 200;
/** How often a waiting request looks whether it still must pay. */
const LOOK_MS = 100;
/** Beyond so many accounts those that owe nothing are forgotten. */
const MANY = 1000;

/** A steady clock, in milliseconds. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

export const STEADY_CLOCK: Clock = { now: () => performance.now(), sleep: delay };

/** All that a company does may take this many times what its large requests may take of a main thread. */
export const BUSY_TIMES = 5;

export interface Terms {
  /** The part of the time that goes by by which a debt shrinks now; 0 = nobody owes anything. */
  share(): number;
  /** Milliseconds that may be owed without a wait. */
  readonly aheadMs: number;
  /** The most that is owed, so that nobody pays for one act for long. */
  readonly mostMs: number;
  /** Others who were there within these milliseconds are still there. */
  readonly presentMs: number;
}

interface Account {
  owed: number;
  /** When `owed` was right, in milliseconds. */
  at: number;
  /** The last request that waits, or whose turn it was. */
  turns: Promise<unknown>;
  waiting: number;
}

export class Debts {
  readonly #terms: Terms;
  readonly #clock: Clock;
  readonly #mustPay: (holder: string) => boolean;
  readonly #accounts = new Map<string, Account>();
  /** The two holders that were here last. */
  #last = { holder: '', at: -Infinity };
  #other = { holder: '', at: -Infinity };

  /** @param mustPay whether a holder that owes too much waits at all, while others are there; always by default */
  constructor(terms: Terms, clock: Clock, mustPay: (holder: string) => boolean = () => true) {
    this.#terms = terms;
    this.#clock = clock;
    this.#mustPay = mustPay;
  }

  /**
   * Waits until the holder owes no more than it may, or nobody else is there; its requests go on one after the other.
   * @param begin called as soon as it is its turn
   * @returns what `begin` returns: at once if it need not wait, since nearly nobody does
   * @throws ServiceError too_many_requests after 20 seconds, or if too many wait
   */
  turn<T>(holder: string, begin: () => T): T | Promise<T> {
    this.see(holder);
    const account = this.#accounts.get(holder);
    if (account === undefined || this.isFree) return begin();
    if (account.waiting === 0 && !this.mustWait(holder)) return begin();
    return this.#wait(holder, account, begin);
  }

  async #wait<T>(holder: string, account: Account, begin: () => T): Promise<T> {
    if (account.waiting >= MAX_WAITING) throw busy();
    const until = this.#clock.now() + PATIENCE_MS;
    account.waiting += 1;
    const turn = account.turns.then(async () => {
      while (this.mustWait(holder)) {
        if (this.#clock.now() >= until) return null;
        const ms = (account.owed - this.#terms.aheadMs) / this.#terms.share();
        await this.#clock.sleep(Math.min(LOOK_MS, Math.ceil(ms)));
      }
      return { begun: begin() };
    });
    account.turns = turn;
    const granted = await turn.finally(() => {
      account.waiting -= 1;
    });
    if (granted === null) throw busy();
    return granted.begun;
  }

  /** Adds to what a holder owes, in milliseconds; less than 0 takes away what was too much. */
  charge(holder: string, ms: number): void {
    if (ms === 0 || this.#terms.share() === 0) return;
    const account = this.#accounts.get(holder) ?? this.#open(holder);
    account.owed = Math.min(this.#terms.mostMs, Math.max(0, this.#owed(account) + ms));
    account.at = this.#clock.now();
  }

  /** Whether nobody ever owes anything. */
  get isFree(): boolean {
    return this.#terms.share() === 0;
  }

  /** The milliseconds that a holder owes. */
  of(holder: string): number {
    const account = this.#accounts.get(holder);
    return account === undefined ? 0 : this.#owed(account);
  }

  /** The most that anybody owes. */
  get most(): number {
    return Math.max(0, ...[...this.#accounts.values()].map((account) => this.#owed(account)));
  }

  /** Whether a holder owes more than it may while others are there. */
  mustWait(holder: string): boolean {
    const other = this.#last.holder === holder ? this.#other : this.#last;
    return this.#isPresent(other) && this.of(holder) > this.#terms.aheadMs && this.#mustPay(holder);
  }

  /** Whether more than one holder is there. */
  get areSeveral(): boolean {
    return this.#isPresent(this.#last) && this.#isPresent(this.#other);
  }

  /** The holders that must wait. */
  get waiting(): string[] {
    return [...this.#accounts.keys()].filter((holder) => this.mustWait(holder));
  }

  /** Notes that a holder is there. */
  see(holder: string): void {
    if (this.#last.holder !== holder) this.#other = this.#last;
    this.#last = { holder, at: this.#clock.now() };
  }

  #isPresent({ at }: { readonly at: number }): boolean {
    return this.#clock.now() - at < this.#terms.presentMs;
  }

  #owed(account: Account): number {
    const now = this.#clock.now();
    account.owed = Math.max(0, account.owed - (now - account.at) * this.#terms.share());
    account.at = now;
    return account.owed;
  }

  #open(holder: string): Account {
    if (this.#accounts.size >= MANY) {
      for (const [name, account] of this.#accounts)
        if (account.waiting === 0 && this.#owed(account) === 0) this.#accounts.delete(name);
    }
    const account = { owed: 0, at: this.#clock.now(), turns: Promise.resolve(), waiting: 0 };
    this.#accounts.set(holder, account);
    return account;
  }
}

function busy(): ServiceError {
  return new ServiceError(
    'too_many_requests',
    "The company's large requests leave no time for others; send fewer at once",
    {
      retryAfter: 5,
    },
  );
}
