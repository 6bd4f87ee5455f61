/**
 * Holds up the company whose events make most work while the processors are busy and other companies have events too: what its events start
 * takes processor time for long after they are handed over, and theirs would wait behind it. While the processors have time to spare,
 * all events are handed over as they come.
 */
import { BUSY_TIMES, type Clock, Debts, STEADY_CLOCK } from '../../services/platform/fairness/debts.ts';
import { BUSY_MS, processorReader } from '../../services/platform/fairness/processors.ts';

/** Milliseconds of processor time that a workflow takes from its start to its end, all processes together. */
const WORKFLOW_MS = 25;
const TERMS = { aheadMs: 500, mostMs: 5000, presentMs: 10_000 } as const;
/**
 * Events of a batch while processors are busy and several companies have events: few enough that those of others come soon. Who is alone
 * has large ones, in which a document's events are merged.
 */
const SMALL_BATCH = 10;
/** Events that start more than so many workflows are handed over one by one. */
const MANY_WORKFLOWS = 10;
/** Whoever owes less than this part of what another owes does not wait. */
const COMPARABLE = 0.5;
/**
 * The least that a company's events may take of a processor, whatever its requests may: an ordinary company's webhooks take a tenth,
 * and its own events would be held up.
 */
const LEAST_SHARE = 0.25;
/** Shortest time between two readings: processor time is counted in hundredths of a second. */
const READ_MS = 200;

export class Pace {
  readonly #debts: Debts;
  readonly #clock: Clock;
  readonly #read: () => { readonly isBusy: boolean };
  /** Companies whose last events have started many workflows each, and since when. */
  readonly #crowds = new Map<string, number>();
  #readAt = -Infinity;
  #busyUntil = -Infinity;

  /**
   * @param percent a fifth of the time of one processor for a company's events while processors are busy and others have events, a quarter
   * of it at least; 0 = no limit
   * @param read whether processors have been busy since the last reading
   */
  constructor(
    percent: number,
    clock: Clock = STEADY_CLOCK,
    read: () => { readonly isBusy: boolean } = processorReader(),
  ) {
    this.#clock = clock;
    this.#read = read;
    const share = percent === 0 ? 0 : Math.max(LEAST_SHARE, (percent * BUSY_TIMES) / 100);
    this.#debts = new Debts({ ...TERMS, share: () => share }, clock, (company) => this.#mustPay(company));
  }

  /** The companies whose events wait. */
  get held(): string[] {
    return this.#debts.waiting;
  }

  /** Companies whose events start many workflows each: a batch of them would keep Temporal busy for seconds. */
  get crowds(): string[] {
    const now = this.#clock.now();
    for (const [company, at] of this.#crowds) if (now - at >= TERMS.presentMs) this.#crowds.delete(company);
    return [...this.#crowds.keys()];
  }

  /** The most events to claim at once. @param usually while processors have time to spare, or a company is alone */
  batch(usually: number): number {
    return !this.#debts.isFree && this.#debts.areSeveral && this.#isBusy() ? SMALL_BATCH : usually;
  }

  /** Counts the workflows that were started for an event of a company. */
  started(company: string, workflows: number): void {
    this.#debts.see(company);
    this.#debts.charge(company, workflows * WORKFLOW_MS);
    if (this.#debts.isFree) return;
    if (workflows > MANY_WORKFLOWS) this.#crowds.set(company, this.#clock.now());
  }

  #mustPay(company: string): boolean {
    return this.#isBusy() && this.#debts.of(company) >= this.#debts.most * COMPARABLE;
  }

  #isBusy(): boolean {
    const now = this.#clock.now();
    if (now - this.#readAt >= READ_MS) {
      this.#readAt = now;
      if (this.#read().isBusy) this.#busyUntil = now + BUSY_MS;
    }
    return now < this.#busyUntil;
  }
}
