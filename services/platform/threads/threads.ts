/**
 * Runs what users have written (templates) in threads, each run with a deadline that ends its thread, and each company with its share of
 * the threads (decision 0218). Threads start when they are first needed, and end when they have been idle for a while.
 */
import { availableParallelism, loadavg } from 'node:os';
import { Piscina } from 'piscina';
import { FairQueue } from '../../../db/fair-queue.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { monotonicMs, type Run } from './task.ts';

/** Two, so that a company, which gets one, leaves another to the others. */
const THREADS = 2;
/** Longest run on a machine that is not busy, unless the caller says otherwise; what is reasonable takes a hundredth of it. */
const DEADLINE_MS = 1000;
/** Longest start of a thread, with the modules that the work needs, on a busy machine. */
const START_MS = 20_000;
const IDLE_MS = 30_000;
const MOST_PATIENCE = 5;
/** MiB; a thread that needs more ends. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 } as const;
/** Threads give way to the one that answers requests. */
const NICENESS = 5;

/** Thrown for a run that takes too long, or needs too much memory. Its thread has ended. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
}

const turns = new FairQueue({
  places: THREADS,
  placesPerCaller: 1,
  waiting: 256,
  waitingPerCaller: 32,
  refusal: () =>
    new ServiceError('too_many_requests', 'Too many templates are being filled in; try again', { retryAfter: 1 }),
});
let pool: Piscina | undefined;

/** The module for a thread beside another one, as source or compiled like it. @param name without ending */
export function threadModule(beside: string, name: string): URL {
  return new URL(`${name}.${beside.endsWith('.ts') ? 'ts' : 'js'}`, beside);
}

/**
 * Runs the default export of a module, a function made by `threadTask`, in a thread.
 * @param tenantId whose share is used
 * @param deadlineMs longest run, once it has begun; several times as long on a busy machine
 * @throws RunEnded; ServiceError too_many_requests if too much waits; whatever the function throws
 */
export function runInThread<Input, Output>(
  tenantId: string,
  module: URL,
  input: Input,
  deadlineMs = DEADLINE_MS,
): Promise<Output> {
  return turns.run(() => runOnce<Input, Output>(module, input, deadlineMs * patience()), tenantId);
}

/** How many times longer the same work may take now, in a thread that gives way to what else the machine does. */
function patience(): number {
  const [lastMinute = 0] = loadavg();
  return Math.min(MOST_PATIENCE, Math.max(1, lastMinute / availableParallelism()));
}

async function runOnce<Input, Output>(module: URL, input: Input, deadlineMs: number): Promise<Output> {
  pool ??= createPool();
  const clock = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const ending = new AbortController();
  const stopWatching = watch(clock, deadlineMs, () => ending.abort());
  try {
    const run: Run<Input> = { input, clock };
    return (await pool.run(run, { filename: module.href, signal: ending.signal })) as Output;
  } catch (error) {
    throw isEnding(error) ? new RunEnded() : error;
  } finally {
    stopWatching();
  }
}

function createPool(): Piscina {
  const created = new Piscina({
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: MEMORY,
    niceIncrement: NICENESS,
    // None of the service's secrets.
    env: {},
    atomics: 'disabled',
  });
  // A thread that ends between runs is replaced when it is needed.
  created.on('error', () => undefined);
  return created;
}

/** Calls `end` when a run takes too long. @returns a function that stops watching */
function watch(clock: SharedArrayBuffer, deadlineMs: number, end: () => void): () => void {
  const began = new Float64Array(clock);
  const lastStart = monotonicMs() + START_MS;
  const remaining = () => {
    const [since = 0] = began;
    const now = monotonicMs();
    if (since > 0) return since + deadlineMs - now;
    return now < lastStart ? deadlineMs : 0;
  };
  const look = () => {
    const ms = remaining();
    if (ms > 0) timer = setTimeout(look, ms);
    else end();
  };
  let timer = setTimeout(look, deadlineMs);
  return () => clearTimeout(timer);
}

function isEnding(error: unknown): boolean {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY';
}
