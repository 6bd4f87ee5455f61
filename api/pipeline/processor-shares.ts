/**
 * Shares the processors between companies while they are busy. The processor time that this process takes is divided among the companies
 * whose requests are under way: whose it is exactly cannot be told, but who has twenty requests under way took more than who has one.
 * The company that took most waits, so that the others don't. While the processors have time to spare, nobody waits.
 */
import { BUSY_TIMES, type Clock, Debts, STEADY_CLOCK } from '../../services/platform/fairness/debts.ts';
import { BUSY_MS, processorReader, type Reading } from '../../services/platform/fairness/processors.ts';

const TERMS = { aheadMs: 500, mostMs: 2000, presentMs: 1000 } as const;
const TICK_MS = 200;
/** A request counts for so long: later it waits for something else, or its bytes are counted as they come (decision 0238). */
const COUNTS_MS = 2000;
/** Whoever owes less than this part of what another owes does not wait. */
const COMPARABLE = 0.5;

export class ProcessorShares {
  readonly #debts: Debts;
  readonly #clock: Clock;
  readonly #read: () => Reading;
  readonly #underWay = new Set<{ readonly company: string; readonly since: number }>();
  #busyUntil = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param percent a fifth of the time of one processor that a company's requests may take while processors are busy and others are there;
   * 0 = no limit
   * @param read called every 200 ms while requests are under way
   */
  constructor(percent: number, clock: Clock = STEADY_CLOCK, read = processorReader()) {
    this.#clock = clock;
    this.#read = read;
    const share = (percent * BUSY_TIMES) / 100;
    this.#debts = new Debts({ ...TERMS, share: () => share }, clock, (holder) => this.#mustPay(holder));
  }

  /** Whether the processors are busy, or were a moment ago. */
  get areBusy(): boolean {
    return this.#clock.now() < this.#busyUntil;
  }

  /**
   * Waits for the company's turn.
   * @returns to be called once the request is over
   * @throws ServiceError too_many_requests after 20 seconds, or if too many wait
   */
  turn(company: string): (() => void) | Promise<() => void> {
    return this.#debts.turn(company, () => this.#begin(company));
  }

  /** Divides what was used since the last time; called by a timer while requests are under way. */
  tick(): void {
    const { used, isBusy } = this.#read();
    if (this.#underWay.size === 0) this.#stop();
    if (!isBusy) return;
    const now = this.#clock.now();
    this.#busyUntil = now + BUSY_MS;
    const counting = [...this.#underWay].filter(({ since }) => now - since <= COUNTS_MS);
    for (const { company } of counting) this.#debts.charge(company, used / counting.length);
  }

  #begin(company: string): () => void {
    if (this.#debts.isFree) return () => undefined;
    const one = { company, since: this.#clock.now() };
    this.#underWay.add(one);
    if (this.#timer === null) {
      // What was used before is nobody's.
      this.#read();
      this.#timer = setInterval(() => this.tick(), TICK_MS).unref();
    }
    return () => {
      this.#underWay.delete(one);
    };
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #mustPay(company: string): boolean {
    return this.areBusy && this.#debts.of(company) >= this.#debts.most * COMPARABLE;
  }
}
