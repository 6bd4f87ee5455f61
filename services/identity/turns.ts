/** Turns at work that is slow on purpose: so much of it at a time, and those who ask for much of it wait for themselves. */
import { ServiceError } from '../../domain/errors.ts';

export interface TurnRules {
  /** How much is done at a time. */
  readonly places: number;
  /** How much may wait, in all and of one. */
  readonly waiting: number;
  readonly waitingOfOne: number;
}

/** Of each who asks one thing is done at a time, and of those who wait one after the other has a turn. */
export class Turns {
  readonly #rules: TurnRules;
  readonly #working = new Set<string>();
  /** Who waits, in the order of their next turns. */
  readonly #queues = new Map<string, (() => void)[]>();
  #waiting = 0;

  constructor(rules: TurnRules) {
    this.#rules = rules;
  }

  /** @throws ServiceError too_many_requests when too much waits already */
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
      // Behind all others: the next turn is theirs.
      this.#queues.delete(who);
      if (queue.length > 1) this.#queues.set(who, queue);
      this.#working.add(who);
      this.#waiting -= 1;
      queue.shift()?.();
      return;
    }
  }
}
