/**
 * Has transactions take turns. More of them at a time than there are cores do not end sooner, and each further connection has to plan its
 * statements first, which takes longer than running them.
 */

/** So many at a time. */
export const AT_A_TIME = 6;
/** Longer than this nobody waits: those before may be waiting for a lock. */
const PATIENCE_MS = 100;

export class Turns {
  readonly #patienceMs: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** Runs `work` when it is its turn. */
  async in<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= AT_A_TIME) await this.#turn();
    this.#taken += 1;
    try {
      return await work();
    } finally {
      this.#taken -= 1;
      this.#next();
    }
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Ends when somebody before has finished, in the order of asking. */
  #turn(): Promise<void> {
    return new Promise((resolve) => {
      const come = () => {
        clearTimeout(timer);
        this.#waiting.delete(come);
        resolve();
      };
      const timer = setTimeout(come, this.#patienceMs);
      this.#waiting.add(come);
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (this.#taken < AT_A_TIME) first?.();
  }
}
