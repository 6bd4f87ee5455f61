/** Allows so many acts a second: each takes a token, tokens come with time, and only some are saved up. */
export class Tokens {
  #left: number;
  #at: number;

  /** @param left tokens at first. @param now in milliseconds, as in `refill` */
  constructor(left: number, now: number) {
    this.#left = left;
    this.#at = now;
  }

  /** Adds those of the time since the last call. @returns how many there are, also parts of one; less than 0 if too many were taken */
  refill(now: number, perSecond: number, most: number): number {
    this.#left = Math.min(most, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    return this.#left;
  }

  take(): void {
    this.#left -= 1;
  }
}
