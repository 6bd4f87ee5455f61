/** Runs the workers of a process until they are told to stop, and lets them end in order: the relay first, then the workers. */
import type { Worker } from '@temporalio/worker';

/** What is needed of a Temporal worker. */
export type Drainable = Pick<Worker, 'run' | 'shutdown' | 'getState'>;

/**
 * Runs the workers until the signal, or until one of them fails: then the others are stopped too and the failure is thrown.
 * @param stopRelay hands nothing over any more once it is done
 * @param warn told of what went wrong after all work was done
 */
export async function drainOn(
  stop: AbortSignal,
  workers: readonly Drainable[],
  stopRelay: () => Promise<void>,
  warn: (error: unknown) => void,
): Promise<void> {
  let draining: Promise<void> | null = null;
  const drain = () => {
    draining ??= stopRelay().finally(() => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    });
    return draining;
  };
  stop.addEventListener('abort', () => void drain(), { once: true });
  const runs = workers.map((worker) => runToTheEnd(worker, warn));
  if (stop.aborted) void drain();
  try {
    await Promise.all(runs);
  } finally {
    await drain();
    await Promise.allSettled(runs);
  }
}

/**
 * Temporal's core refuses to take a worker apart while its last poll is being given back, which it does a moment later by itself.
 * By then the worker has `STOPPED`: everything is done and reported, so that the process has not failed.
 */
async function runToTheEnd(worker: Drainable, warn: (error: unknown) => void): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    if (worker.getState() !== 'STOPPED') throw error;
    warn(error);
  }
}
