/** A circuit breaker: pauses an endpoint when most deliveries to it fail. Times are milliseconds of any one clock. */

/** Deliveries are judged by their latest attempt, so that a delivery with many retries counts once. */
const WINDOW_MS = 5 * 60_000;
const MIN_DELIVERIES = 10;
const FAILING_SHARE = 0.7;
const OPEN_MS = 30_000;
const MAX_REMEMBERED = 100;

export class Breaker {
  /** The latest outcomes by delivery, oldest first. */
  readonly #outcomes = new Map<string, { readonly failed: boolean; readonly at: number }>();
  #openUntil: number | null = null;
  /** The delivery that tests whether the endpoint works again. */
  #trial: string | null = null;

  /** Time until which nothing may be sent; null if sending is allowed. During a trial, the end of the next pause. */
  openUntil(now: number): number | null {
    if (this.#openUntil === null) return null;
    if (this.#trial !== null) return now + OPEN_MS;
    return now < this.#openUntil ? this.#openUntil : null;
  }

  /** Whether it is open; a trial under way does not close it. */
  get isOpen(): boolean {
    return this.#openUntil !== null;
  }

  /** The reason why nothing may be sent, in words. */
  get reason(): string {
    const failed = [...this.#outcomes.values()].filter((outcome) => outcome.failed).length;
    return `${failed} of the last ${this.#outcomes.size} deliveries failed`;
  }

  /** Records that a delivery is sent; after a pause it is the trial. */
  begin(delivery: string): void {
    if (this.#openUntil !== null) this.#trial = delivery;
  }

  /** Records the outcome of a delivery; null if it was cut off, which proves nothing. */
  end(delivery: string, failed: boolean | null, now: number): void {
    const trial = this.#trial === delivery;
    if (trial) this.#trial = null;
    if (failed === null) return;
    this.#remember(delivery, failed, now);
    if (trial && !failed) {
      this.#openUntil = null;
      this.#outcomes.clear();
    } else if (trial || (this.#openUntil === null && this.#isFailing())) {
      this.#openUntil = now + OPEN_MS;
    }
  }

  #remember(delivery: string, failed: boolean, now: number): void {
    this.#outcomes.delete(delivery); // The last entry of a map is the newest.
    this.#outcomes.set(delivery, { failed, at: now });
    for (const [oldest, { at }] of this.#outcomes) {
      if (this.#outcomes.size <= MAX_REMEMBERED && at > now - WINDOW_MS) break;
      this.#outcomes.delete(oldest);
    }
  }

  #isFailing(): boolean {
    const outcomes = [...this.#outcomes.values()];
    const failed = outcomes.filter((outcome) => outcome.failed).length;
    return outcomes.length >= MIN_DELIVERIES && failed / outcomes.length >= FAILING_SHARE;
  }
}
