/** Detects the end of the `npm` that started this process, so that killing it leaves no service behind. */
import { readFileSync } from 'node:fs';
import { processIdentity } from './process-identity.ts';

const EVERY_MS = 500;
const ANCESTORS = 4;

/**
 * Calls `gone` once when the `npm start` above this process has ended; does nothing if there is none.
 * @returns a function that stops watching
 */
export function watchNpm(env: NodeJS.ProcessEnv, gone: () => void): () => void {
  const npm = env.npm_lifecycle_event === undefined || process.platform !== 'linux' ? undefined : findNpm();
  if (npm === undefined) return () => undefined;
  const identity = processIdentity(npm);
  const timer = setInterval(() => {
    if (processIdentity(npm) === identity) return;
    clearInterval(timer);
    gone();
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Finds the nearest ancestor named npm: a shell and a loader may be in between. */
function findNpm(): number | undefined {
  let pid = process.ppid;
  for (let level = 0; level < ANCESTORS && pid > 1; level++) {
    try {
      if (/^npm\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) return pid;
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      pid = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? 0);
    } catch {
      // An ancestor has ended in the meantime: there is none to watch.
      return undefined;
    }
  }
  return undefined;
}
