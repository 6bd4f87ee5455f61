/** Limits concurrent work, in total and per caller. Waiting callers take turns, so that none of them can keep the others out. */

export interface QueueRules {
  /** Maximum concurrent work in total, and of one caller; unlimited by default. */
  readonly places?: number;
  readonly placesPerCaller?: number;
  /** Maximum waiting work, in total and of one caller; more is refused at once. Unlimited by default. */
  readonly waiting?: number;
  readonly waitingPerCaller?: number;
  /** Longest wait. Work that has waited this long is refused, or runs in addition to the others. */
  readonly patience?: { readonly ms: number; readonly afterwards: 'refuse' | 'run' };
  /** The error of refused work; required if the rules above can refuse any. */
  readonly refusal?: () => Error;
}

export class FairQueue {
  readonly #rules: QueueRules;
  /** Running work by caller. */
  readonly #running = new Map<string, number>();
  /** Waiting work by caller; the callers in the order of their turns, the work of each in the order of asking. */
  readonly #queues = new Map<string, Set<() => void>>();
  #total = 0;
  #waiting = 0;

  constructor(rules: QueueRules) {
    this.#rules = rules;
  }

  /** Work that waits for its turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `work` when it is its turn.
   * @param caller leave out to treat all callers as one
   * @throws the rules' refusal if too much is waiting, or it has waited too long
   */
  async run<T>(work: () => Promise<T>, caller = ''): Promise<T> {
    if (this.#hasPlace(caller)) this.#enter(caller);
    else await this.#turn(caller);
    try {
      return await work();
    } finally {
      this.#leave(caller);
      this.#wakeNext();
    }
  }

  #hasPlace(caller: string): boolean {
    const { places = Infinity, placesPerCaller = Infinity } = this.#rules;
    return this.#total < places && (this.#running.get(caller) ?? 0) < placesPerCaller;
  }

  #enter(caller: string): void {
    this.#total += 1;
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1);
  }

  #leave(caller: string): void {
    this.#total -= 1;
    const running = (this.#running.get(caller) ?? 0) - 1;
    if (running > 0) this.#running.set(caller, running);
    else this.#running.delete(caller);
  }

  /** Waits for a place, which is taken when the wait ends. */
  async #turn(caller: string): Promise<void> {
    const { waiting = Infinity, waitingPerCaller = Infinity, patience } = this.#rules;
    const queue = this.#queues.get(caller) ?? new Set();
    if (this.#waiting >= waiting || queue.size >= waitingPerCaller) throw this.#refusal();
    this.#queues.set(caller, queue);
    this.#waiting += 1;
    await new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        queue.delete(enter);
        if (queue.size === 0) this.#queues.delete(caller);
        this.#waiting -= 1;
      };
      const enter = () => {
        stopWaiting();
        this.#enter(caller);
        resolve();
      };
      const refuse = () => {
        stopWaiting();
        reject(this.#refusal());
      };
      queue.add(enter);
      if (patience !== undefined) timer = setTimeout(patience.afterwards === 'run' ? enter : refuse, patience.ms);
    });
  }

  #wakeNext(): void {
    for (const [caller, queue] of this.#queues) {
      if (!this.#hasPlace(caller)) continue;
      // Moves behind the other callers.
      this.#queues.delete(caller);
      this.#queues.set(caller, queue);
      const [enter] = queue;
      enter?.();
      return;
    }
  }

  #refusal(): Error {
    return this.#rules.refusal?.() ?? new Error('a queue that can refuse work must have a refusal');
  }
}
