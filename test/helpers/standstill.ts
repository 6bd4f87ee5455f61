/** Measures how long the process stands still, as requests of others notice it. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** No request may wait longer than this because of what another one contains. */
export const MAX_STANDSTILL_MS = 100;

/**
 * Runs work until it leaves the event loop free, at most three times: on a busy machine the process may stand still because others run.
 * @returns the longest standstill of the best run, in milliseconds
 */
export async function longestStandstill(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 1; run <= 3 && best > MAX_STANDSTILL_MS; run += 1) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    // The histogram counts only what passes between two of its ticks.
    await new Promise((resolve) => setTimeout(resolve, 15));
    await work();
    await new Promise((resolve) => setTimeout(resolve, 15));
    delay.disable();
    best = Math.min(best, delay.max / 1e6);
  }
  return best;
}
