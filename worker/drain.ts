/** Runs the workers of a process until a stop signal, then ends everything in order: first the relay, then the workers. */
import { GracefulShutdownPeriodExpiredError, IllegalStateError, type Worker } from '@temporalio/worker';

/** The used part of a Temporal worker. */
export type Drainable = Pick<Worker, 'run' | 'shutdown' | 'getState'>;

/**
 * Runs the workers until the signal, or until one of them fails: then the others are stopped too and the failure is thrown.
 * @param stopRelay stops the relay; resolves once it hands nothing over any more
 * @param warn reports what was left behind: a worker that could not be disposed of, activities that did not end in time
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
  const runs = workers.map(async (worker) => {
    try {
      await worker.run();
    } catch (error) {
      if (draining === null || !isLeftBehind(error)) throw error;
      warn(error);
    }
  });
  if (stop.aborted) void drain();
  try {
    await Promise.all(runs);
  } finally {
    await drain();
    await Promise.allSettled(runs);
  }
}

/**
 * Whether a worker that was told to stop has only left something behind. Temporal's core refuses to dispose of a worker whose last poll is
 * still returning, or one of whose activities has not ended in the time it had: that activity is repeated elsewhere, so the process has
 * not failed.
 */
const isLeftBehind = (error: unknown): boolean =>
  error instanceof IllegalStateError || error instanceof GracefulShutdownPeriodExpiredError;
