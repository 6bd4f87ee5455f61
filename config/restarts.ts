/** When a process that has died is started again: soon at first, later each time, and not after its fifth death within a minute. */

const MAX_DEATHS = 5;
const WITHIN_MS = 60_000;
const FIRST_DELAY_MS = 250;

export class Restarts {
  #deaths: number[] = [];

  /**
   * Counts a death.
   * @returns how many milliseconds to wait before the next start; undefined when there should be none
   */
  afterDeath(now = Date.now()): number | undefined {
    this.#deaths = [...this.#deaths.filter((time) => now - time < WITHIN_MS), now];
    const count = this.#deaths.length;
    return count >= MAX_DEATHS ? undefined : FIRST_DELAY_MS * 2 ** (count - 1);
  }
}

/** For messages about a process that is not started again. */
export const DEATHS_TEXT = `${MAX_DEATHS} times within a minute`;
