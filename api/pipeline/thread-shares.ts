/**
 * Shares the main thread between companies. Large bodies and answers keep it for tens of milliseconds, during which everybody else waits,
 * and a few of a company in a row are enough to keep it for ever. So each company owes what its large ones took, pays back a part of
 * the time that goes by, and waits while it owes too much, unless nobody else is there. While processors are busy, each of them keeps the
 * thread for longer, and the part is smaller.
 */
import { type Clock, Debts, STEADY_CLOCK } from '../../services/platform/fairness/debts.ts';

/** Milliseconds of a stage that are nothing to speak of: ordinary requests never owe anything. */
const SMALL_MS = 2;
/** The part of its share that a company has while processors are busy; so what is owed is paid back within the patience of a request. */
const WHILE_BUSY = 0.4;
const TERMS = { aheadMs: 250, mostMs: 600, presentMs: 1000 } as const;
/** Weight of the last request in what the next one is expected to take. */
const NEWEST = 0.2;
/** Beyond so many companies what their requests usually take is forgotten. */
const MANY = 1000;

export class ThreadShares {
  readonly #debts: Debts;
  /** Milliseconds that a company's requests take, on average. */
  readonly #usual = new Map<string, number>();

  /**
   * @param percent of the time that a company's large requests may take while others are there; 0 = no limit
   * @param isBusy whether the processors are
   */
  constructor(percent: number, isBusy: () => boolean, clock: Clock = STEADY_CLOCK) {
    const share = () => (percent / 100) * (isBusy() ? WHILE_BUSY : 1);
    this.#debts = new Debts({ share, ...TERMS }, clock);
  }

  /**
   * Waits for the holder's turn. What the request takes must be settled.
   * @throws ServiceError too_many_requests after 20 seconds, or if too many wait
   */
  turn(holder: string): Use | Promise<Use> {
    return this.#debts.turn(holder, () => {
      // Owed at once: others of the same company may be right behind it.
      let expected = this.#usual.get(holder) ?? 0;
      this.#debts.charge(holder, expected);
      return new Use((ms) => {
        this.#debts.charge(holder, ms - expected);
        expected = 0;
        this.#learn(holder, ms);
      });
    });
  }

  #learn(holder: string, ms: number): void {
    const usual = this.#usual.get(holder) ?? 0;
    if (usual === 0 && ms === 0) return;
    if (this.#usual.size >= MANY) this.#usual.clear();
    this.#usual.set(holder, usual + (ms - usual) * NEWEST);
  }
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
