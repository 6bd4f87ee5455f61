/** Exchanges of a worker with one server that may be slow for long. */
import { heartbeat } from '@temporalio/activity';
import { asActivityFailure } from './failures.ts';

/** Temporal notices a killed worker after a few missed heartbeats. */
const HEARTBEAT_MS = 3000;
/** A server that does not answer would take all slots of the queue from webhooks. */
const MOST = 50;

/**
 * Returns a function that does some work with heartbeats, but not more than 50 at once.
 * @param whenFull what it returns instead: come again after some seconds
 */
export function exchanges<T>(whenFull: T): (work: () => Promise<T>) => Promise<T> {
  let underWay = 0;
  return async (work) => {
    if (underWay >= MOST) return whenFull;
    underWay += 1;
    const beat = setInterval(heartbeat, HEARTBEAT_MS);
    try {
      return await work();
    } catch (error) {
      throw asActivityFailure(error);
    } finally {
      clearInterval(beat);
      underWay -= 1;
    }
  };
}

/** Seconds after which a company comes again that found all places taken. */
export const BUSY_SECONDS = 5;
