/** Lets programs give way to others while the processor is busy. */
import { getPriority } from 'node:os';
import type { Command } from './command.ts';
import { onPath } from './temporal-cli.ts';

/**
 * How far each part gives way, as `nice` counts. The API and PostgreSQL, for which requests wait, give way to nothing; Chromium, which
 * prints what a person has asked for, to less than the rest of the background. Whatever gives way still gets its share: its leases and
 * heartbeats are kept.
 */
export const NICENESS = { chromium: 2, temporal: 4, worker: 4 } as const;

/**
 * Linux schedules sessions as groups on many machines ("autogroup"); niceness then counts only within a session, so the group itself has to
 * give way. It says so only once in a while, therefore twice. Each program becomes the next, so that the process stays one.
 */
const GIVE_WAY = `
group() { echo "$1" > /proc/self/autogroup; }
if [ -w /proc/self/autogroup ]; then { group "$1" || { sleep 0.15; group "$1"; }; } 2> /dev/null; fi
shift
exec nice -n "$0" "$@"`;

/**
 * The command with what it starts, giving way; it must lead a session of its own. Where priorities cannot be lowered it runs all the same,
 * after a line on its standard error. Without `nice` it stays as it is.
 */
export function givingWay(command: Command, niceness: number, env: NodeJS.ProcessEnv = process.env): Command {
  const [nice] = onPath('nice', env);
  if (nice === undefined || process.platform === 'win32') return command;
  // A program begins with the niceness of the one that starts it, and can only add to it.
  const more = Math.max(0, niceness - getPriority());
  const args = ['-c', GIVE_WAY, String(more), String(niceness), command.file, ...command.args];
  return { ...command, file: '/bin/sh', args };
}
