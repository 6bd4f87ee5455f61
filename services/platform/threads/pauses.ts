/** Lets long work in many small steps leave the process to others. */
import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work between two pauses. */
const WORK_MS = 10;

/** Returns a function to call after each step: it pauses whenever the steps since the last pause have taken long. */
export function pauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < WORK_MS) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
