/**
 * Repeats transactions that found a lock taken. They wait without a connection: those of one lock in the order of asking, and only the
 * first of them tries again (decision 0220).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../domain/errors.ts';
import { isLockTimeout, LockHeld } from './errors.ts';
import { FairQueue } from './fair-queue.ts';

/** How long a transaction tries to get its locks before it is refused. */
const PATIENCE_MS = 25_000;
/** The first waiting transaction tries again after a random pause of up to this long. */
const PAUSE_MS = 25;

type Attempt<T> = { readonly done: T } | { readonly blockedBy: string };

export class Turns {
  readonly #waiting = new FairQueue({
    placesPerCaller: 1,
    patience: { ms: PATIENCE_MS, afterwards: 'refuse' },
    refusal: tooManyChanges,
  });

  /**
   * Runs a transaction, again and again if it finds locks taken.
   * @param transaction must have given its connection back when it rejects
   * @param rows the name under which those wait that gave up waiting for a row, which has no name of its own; null if they are to fail
   * @throws ServiceError unavailable when the locks stay taken; whatever else `transaction` throws
   */
  async run<T>(transaction: () => Promise<T>, rows: string | null): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    let attempt = await attempted(transaction, rows);
    while ('blockedBy' in attempt) {
      // Whoever now waits for another lock gives up its turn: turns that wait for each other would never end.
      const name = attempt.blockedBy;
      attempt = await this.#waiting.run(() => inTurn(transaction, { rows, name, until }), name);
    }
    return attempt.done;
  }
}

/** Tries until the lock `name` is free, or another one is taken. */
async function inTurn<T>(
  transaction: () => Promise<T>,
  { rows, name, until }: { readonly rows: string | null; readonly name: string; readonly until: number },
): Promise<Attempt<T>> {
  for (;;) {
    const attempt = await attempted(transaction, rows);
    if ('done' in attempt) return attempt;
    if (performance.now() >= until) throw tooManyChanges();
    if (attempt.blockedBy !== name) return attempt;
    await delay(Math.random() * PAUSE_MS);
  }
}

async function attempted<T>(transaction: () => Promise<T>, rows: string | null): Promise<Attempt<T>> {
  try {
    return { done: await transaction() };
  } catch (error) {
    if (error instanceof LockHeld) return { blockedBy: error.lock };
    if (rows !== null && isLockTimeout(error)) return { blockedBy: rows };
    throw error;
  }
}

function tooManyChanges(): ServiceError {
  return new ServiceError('unavailable', 'Too many changes of the same records at once; try again in a moment', {
    retryAfter: 1,
  });
}
