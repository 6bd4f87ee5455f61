/** Runs the workers of a process until a stop signal, then ends everything in order: first the relay, then the workers. */
import type { Worker } from '@temporalio/worker';

/** The used part of a Temporal worker. */
export type Drainable = Pick<Worker, 'run' | 'shutdown' | 'getState'>;

/**
 * Runs the workers until the signal, or until one of them fails: then the others are stopped too and the failure is thrown.
 * @param stopRelay stops the relay; resolves once it hands nothing over any more
 * @param warn reports errors that occurred after all work was done
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
 * Temporal's core refuses to dispose of a worker while its last poll is still returning, and does so itself a moment later. The worker is
 * then `STOPPED`: everything is done and reported, so the process has not failed.
 */
async function runToTheEnd(worker: Drainable, warn: (error: unknown) => void): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    if (worker.getState() !== 'STOPPED') throw error;
    warn(error);
  }
}
