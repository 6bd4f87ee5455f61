/** Fair turns at expensive work: a limited number at a time, with a queue for each caller. */
import { ServiceError } from '../../domain/errors.ts';

export interface TurnRules {
  /** How many run at a time. */
  readonly places: number;
  /** How many may wait, in total and per caller. */
  readonly waiting: number;
  readonly waitingOfOne: number;
}

/** Runs one piece of work per caller at a time, and gives waiting callers turns in rotation. */
export class Turns {
  readonly #rules: TurnRules;
  readonly #working = new Set<string>();
  /** Waiting work by caller, in the order of their next turns. */
  readonly #queues = new Map<string, (() => void)[]>();
  #waiting = 0;

  constructor(rules: TurnRules) {
    this.#rules = rules;
  }

  /** @throws ServiceError too_many_requests when too many are waiting */
  async run<T>(who: string, work: () => Promise<T>): Promise<T> {
    if (this.#working.size < this.#rules.places && !this.#working.has(who)) this.#working.add(who);
    else await this.#wait(who);
    try {
      return await work();
    } finally {
      this.#working.delete(who);
      this.#next();
    }
  }

  #wait(who: string): Promise<void> {
    const queue = this.#queues.get(who) ?? [];
    if (this.#waiting >= this.#rules.waiting || queue.length >= this.#rules.waitingOfOne) {
      throw new ServiceError('too_many_requests', 'Too many passwords are being checked; try again', { retryAfter: 1 });
    }
    this.#waiting += 1;
    this.#queues.set(who, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  #next(): void {
    for (const [who, queue] of this.#queues) {
      if (this.#working.has(who)) continue;
      // Moved behind the other callers.
      this.#queues.delete(who);
      if (queue.length > 1) this.#queues.set(who, queue);
      this.#working.add(who);
      this.#waiting -= 1;
      queue.shift()?.();
      return;
    }
  }
}
