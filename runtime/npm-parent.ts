/** Detects that the `npm` that started this process is gone, so that killing it leaves no service behind. */
import { readFileSync } from 'node:fs';
import { processIdentity } from './process-identity.ts';

const EVERY_MS = 500;
const ANCESTORS = 4;

/**
 * Calls `gone` once when the `npm start` above this process has ended; does nothing when there is none.
 * @returns ends the watching
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

/** The nearest ancestor that calls itself npm: between it and this process there may be a shell and a loader. */
function findNpm(): number | undefined {
  let pid = process.ppid;
  for (let level = 0; level < ANCESTORS && pid > 1; level++) {
    try {
      if (/^npm\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) return pid;
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      pid = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? 0);
    } catch {
      // An ancestor has ended meanwhile: there is none to watch.
      return undefined;
    }
  }
  return undefined;
}
