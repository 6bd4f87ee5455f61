/** Distinguishes a process from a later one with the same number. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { errorCode } from './errors.ts';

/**
 * Returns the identity of a process, which differs from any other process with its number: the boot and the start time.
 * @returns undefined if no such process is alive (a zombie is not)
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return ps.stdout?.trim() || undefined;
  }
  try {
    // The command's name, in parentheses, may itself contain spaces and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [state, startTime] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || startTime === undefined) return undefined;
    return `${bootId()}/${startTime}`;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH') return undefined;
    throw error;
  }
}

let boot: string | undefined;

function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return boot;
}

/** Sends a signal to the process's group, or to the process if it leads none; ignores a process that is gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
    }
  }
}
