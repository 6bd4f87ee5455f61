/** CPU time of this process's main thread, in milliseconds: unlike wall time, it does not pass while other processes run. */
import { readFileSync } from 'node:fs';

/** CPU time that a request may take of the main thread in one go: everybody else waits meanwhile. */
export const MAX_STRETCH_MS = 100;

const SCHEDULED = `/proc/self/task/${process.pid}/schedstat`;

/** Returns the CPU time so far; of the whole process where the system does not tell threads apart. */
export function mainThreadCpu(): number {
  // Brings the kernel's count up to date, too.
  const { user, system } = process.cpuUsage();
  try {
    return Number(readFileSync(SCHEDULED, 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    return (user + system) / 1000;
  }
}

/** The least CPU time that work takes, of several times: compiling and collecting garbage come on top now and then. */
export function leastCpu(work: () => unknown, times = 5): number {
  const taken = Array.from({ length: times }, () => {
    const before = mainThreadCpu();
    work();
    return mainThreadCpu() - before;
  });
  return Math.min(...taken);
}

/** A body of a megabyte with many members. */
const LARGE = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`member${at}`, at])));
/** Milliseconds that reading it takes on a machine of average speed. */
const USUAL_MS = 35;

let measured: number | undefined;

/** How many times as long as usual this machine takes, at least 1. Measured when it is needed first. */
export function slowness(): number {
  measured ??= Math.max(1, leastCpu(() => JSON.parse(LARGE)) / USUAL_MS);
  return measured;
}
