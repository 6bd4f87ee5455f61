/** Lowers the priority of programs while the processor is busy. */
import { getPriority } from 'node:os';
import type { Command } from './command.ts';
import { onPath } from './go-install.ts';

/**
 * Niceness of each part. The API and PostgreSQL, for which requests wait, keep their priority; Chromium, which prints for waiting people,
 * gives way less than other background work. All parts still get enough time to keep their leases and heartbeats.
 */
export const NICENESS = { chromium: 2, temporal: 4, worker: 4 } as const;

/**
 * Linux often schedules sessions as groups ("autogroup"). Niceness then counts only within a session, so the group's niceness must be set
 * too. Linux accepts that only at intervals, so it is tried twice. Each program replaces itself by the next, so there is one process.
 */
const GIVE_WAY = `
group() { echo "$1" > /proc/self/autogroup; }
if [ -w /proc/self/autogroup ]; then { group "$1" || { sleep 0.15; group "$1"; }; } 2> /dev/null; fi
shift
exec nice -n "$0" "$@"`;

/**
 * Lowers the priority of a command and its children; it must lead its own session. If priorities cannot be lowered, it runs all the same,
 * after a line on its standard error. Without the program `nice`, it is returned unchanged.
 */
export function givingWay(command: Command, niceness: number, env: NodeJS.ProcessEnv = process.env): Command {
  const [nice] = onPath('nice', env);
  if (nice === undefined || process.platform === 'win32') return command;
  // A program starts with the niceness of its parent, and can only add to it.
  const more = Math.max(0, niceness - getPriority());
  const args = ['-c', GIVE_WAY, String(more), String(niceness), command.file, ...command.args];
  return { ...command, file: '/bin/sh', args };
}
