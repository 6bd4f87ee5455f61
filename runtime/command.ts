/** Starts processes: servers, builds and this service's own parts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { ownProgram } from '../config/programs.ts';
import { signalGroup } from './process-identity.ts';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** The complete environment of the process; defaults to that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** Target of a process's output: the terminal, or appended to a file. */
export type Output = { readonly terminal: true } | { readonly file: string };

const MAX_LOG_BYTES = 10 * 1024 * 1024;

/**
 * Returns the command that runs one of this service's own modules.
 * @param module path from the project's root, without its ending: `api/server`
 */
export function ownModule(module: string, args: readonly string[], env: NodeJS.ProcessEnv): Command {
  const program = ownProgram(module);
  return { ...program, args: [...program.args, ...args], env };
}

/**
 * Starts a command in its own process group, so that a Ctrl-C reaches only the supervisor, which stops the others in order.
 * @param channel whether the process gets an IPC channel, which closes when this process is gone
 */
export function spawnCommand(command: Command, output: Output, channel: boolean): ChildProcess {
  const log = 'file' in output ? openLog(output.file) : undefined;
  const target = log ?? 'inherit';
  try {
    return spawn(command.file, command.args, {
      detached: true,
      stdio: channel ? ['ignore', target, target, 'ipc'] : ['ignore', target, target],
      env: command.env ?? process.env,
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      ...(command.uid === undefined ? {} : { uid: command.uid }),
      ...(command.gid === undefined ? {} : { gid: command.gid }),
    });
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/** Opens a log file, which keeps the output of earlier starts up to a limit; then it is rotated once. */
function openLog(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) {
    rmSync(`${path}.1`, { force: true });
    renameSync(path, `${path}.1`);
  }
  return openSync(path, 'a', 0o600);
}

export interface Finished {
  readonly code: number | null;
  /** The last 64 KiB of standard output and error together. */
  readonly output: string;
}

/**
 * Runs a command to its end and collects its output.
 * @param signal ends the process (with its group) when aborted; the promise then rejects with the signal's reason
 * @param started called with the process id
 * @throws the system's error if it cannot be started
 */
export async function runCommand(
  command: Command,
  signal?: AbortSignal,
  started?: (pid: number) => void,
): Promise<Finished> {
  signal?.throwIfAborted();
  const child = spawn(command.file, command.args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: command.env ?? process.env,
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    ...(command.uid === undefined ? {} : { uid: command.uid }),
    ...(command.gid === undefined ? {} : { gid: command.gid }),
  });
  const { pid } = child;
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-65_536);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const end = () => {
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    const closed = once(child, 'close') as Promise<[number | null]>;
    if (pid !== undefined) started?.(pid);
    const [code] = await closed;
    signal?.throwIfAborted();
    return { code, output: output.trim() };
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
