/** Does harm to the parts of the service: they are killed, or stand still for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import { partProcesses } from '../processes.ts';

export interface Fault {
  readonly part: string;
  readonly kind: 'killed' | 'stopped';
  /** Time by `performance.now()`. */
  readonly at: number;
}

/** Parts, each of which has its turn as often as any other. */
const PARTS = ['PostgreSQL', 'Temporal', 'worker', 'API', 'Chromium'] as const;
const STOPPED_MS = 3000;
const LEAST_PAUSE_MS = 4000;
const MORE_PAUSE_MS = 6000;

/**
 * Does harm until the time is over.
 * @param root the process that started all others
 * @param random numbers from 0 to 1
 */
export async function doHarm(root: number, until: number, random: () => number): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (;;) {
    await sleep(LEAST_PAUSE_MS + random() * MORE_PAUSE_MS);
    if (performance.now() > until) return faults;
    const part = PARTS[Math.floor(random() * PARTS.length)] as string;
    const kind = random() < 0.7 ? 'killed' : 'stopped';
    const pids = partProcesses(root, part);
    // Chromium runs while something is printed.
    if (pids.length === 0) continue;
    faults.push({ part, kind, at: performance.now() });
    if (kind === 'killed') signal(pids.slice(0, 1), 'SIGKILL');
    else {
      signal(pids, 'SIGSTOP');
      await sleep(STOPPED_MS);
      signal(pids, 'SIGCONT');
    }
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
