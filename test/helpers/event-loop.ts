/**
 * Watches the event loop while requests are answered: none may block it. A stretch is measured in CPU time, so other processes do not
 * count. What else runs in the process of the tests does (hooks, compilation, other requests): a request that is suspected is sent
 * again by itself at the end, and blocks only if it does so each time.
 */
import assert from 'node:assert/strict';
import { MAX_STRETCH_MS, mainThreadCpu, slowness } from './main-thread.ts';

/** Sends a request and reads its answer. */
type Send<Answer> = (signal?: AbortSignal) => Promise<Answer>;

interface Suspect {
  readonly name: string;
  readonly status: number;
  readonly send: Send<{ readonly status: number }>;
}

const TICK_MS = 10;
const REPEATS = 3;
/** For all repeats of an application; hooks have 30 seconds. */
const REPEATS_MS = 10_000;

const suspects = new Map<string, Suspect[]>();
/** Requests that are being answered, with the longest stretch of each. */
const watched = new Set<{ longest: number }>();
let timer: NodeJS.Timeout | undefined;
let last = 0;

/** Between two ticks, the loop came around once; it was busy for so long. */
function tick(): void {
  const now = mainThreadCpu();
  for (const one of watched) one.longest = Math.max(one.longest, now - last);
  last = now;
}

/** Does something, and measures for how long it kept the main thread at most, in milliseconds of CPU. */
export async function longestStretch<Answer>(
  send: () => Promise<Answer>,
): Promise<{ answer: Answer; longest: number }> {
  const one = { longest: 0 };
  if (watched.size > 0) tick();
  else {
    last = mainThreadCpu();
    timer = setInterval(tick, TICK_MS);
  }
  watched.add(one);
  try {
    const answer = await send();
    tick();
    return { answer, longest: one.longest };
  } finally {
    watched.delete(one);
    if (watched.size === 0) clearInterval(timer);
  }
}

/** Whether everybody else has waited for too long. */
export function isTooLong(longest: number): boolean {
  return longest > TICK_MS + MAX_STRETCH_MS && longest > TICK_MS + MAX_STRETCH_MS * slowness();
}

/** Sends a request of a test to an application, and suspects it if the loop was blocked meanwhile. */
export async function watchLoop<Answer extends { readonly status: number }>(
  address: string,
  name: string,
  send: Send<Answer>,
): Promise<Answer> {
  const { answer, longest } = await longestStretch(() => send());
  if (isTooLong(longest)) {
    const known = suspects.get(address) ?? [];
    suspects.set(address, known);
    if (!known.some((one) => one.name === name)) known.push({ name, status: answer.status, send });
  }
  return answer;
}

/**
 * Sends again what is suspected of an application that is about to stop. An answer with another status shows nothing.
 * @throws AssertionError naming the requests that block the loop each time
 */
export async function assertNothingBlocks(address: string): Promise<void> {
  const signal = AbortSignal.timeout(REPEATS_MS);
  const blocking: string[] = [];
  for (const { name, status, send } of suspects.get(address) ?? []) {
    let least = Number.POSITIVE_INFINITY;
    for (let repeat = 0; repeat < REPEATS && isTooLong(least); repeat += 1) {
      const again = await longestStretch(() => send(signal)).catch(() => undefined);
      least = again?.answer.status === status ? Math.min(least, again.longest) : 0;
    }
    if (isTooLong(least)) blocking.push(`${name} blocks the event loop for ${least.toFixed(0)} ms`);
  }
  suspects.delete(address);
  assert.deepEqual(blocking, []);
}
