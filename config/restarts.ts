/** Delays before a dead process is restarted: short at first, then longer; none after its fifth death within a minute. */

const MAX_DEATHS = 5;
const WITHIN_MS = 60_000;
const FIRST_DELAY_MS = 250;

export class Restarts {
  #deaths: number[] = [];

  /**
   * Counts a death.
   * @returns milliseconds to wait before the next start; undefined if it must not be restarted
   */
  afterDeath(now = Date.now()): number | undefined {
    this.#deaths = [...this.#deaths.filter((time) => now - time < WITHIN_MS), now];
    const count = this.#deaths.length;
    return count >= MAX_DEATHS ? undefined : FIRST_DELAY_MS * 2 ** (count - 1);
  }
}

/** Text for messages about a process that is not restarted. */
export const DEATHS_TEXT = `${MAX_DEATHS} times within a minute`;
