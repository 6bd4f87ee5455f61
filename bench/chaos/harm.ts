/** Does harm to the parts of a service, at random. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './target.ts';

export interface Fault {
  readonly part: string;
  readonly kind: string;
  /** Time by `performance.now()`. */
  readonly at: number;
}

const LEAST_PAUSE_MS = 4000;
const MORE_PAUSE_MS = 6000;

/**
 * Does harm until the time is over: first a part is chosen, each as often as any other, and then one of the ways to harm it.
 * @param random numbers from 0 to 1
 */
export async function doHarm({ harms }: Target, until: number, random: () => number): Promise<Fault[]> {
  const faults: Fault[] = [];
  const parts = [...new Set(harms.map(({ part }) => part))];
  const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  for (;;) {
    await sleep(LEAST_PAUSE_MS + random() * MORE_PAUSE_MS);
    if (performance.now() > until) return faults;
    const part = one(parts);
    const harm = one(harms.filter((other) => other.part === part));
    const at = performance.now();
    if (await harm.do()) faults.push({ part, kind: harm.kind, at });
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
