/** Tells whether the processors are busy, and what this process takes of them. */
import { cpus } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** Processors that are idle for less than this part of the time are busy; so is the process whose thread is. */
const SPARE = 0.1;
/** Processors count as busy for so long after they were. */
export const BUSY_MS = 1000;

/** The load of the processors since the last reading. */
export interface Reading {
  /** Milliseconds of processor time of this process. */
  readonly used: number;
  readonly isBusy: boolean;
}

/** Reads the processors of this machine. Where a container has a part of them only, its busy thread tells. */
export function processorReader(): () => Reading {
  let own = process.cpuUsage();
  let loop: EventLoopUtilization = performance.eventLoopUtilization();
  let machine = machineTimes();
  return () => {
    const { user, system } = process.cpuUsage(own);
    const { utilization } = performance.eventLoopUtilization(loop);
    const now = machineTimes();
    const all = now.all - machine.all;
    const isBusy = utilization > 1 - SPARE || (all > 0 && (now.idle - machine.idle) / all < SPARE);
    own = process.cpuUsage();
    loop = performance.eventLoopUtilization();
    machine = now;
    return { used: (user + system) / 1000, isBusy };
  };
}

function machineTimes(): { idle: number; all: number } {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idle, all };
}
