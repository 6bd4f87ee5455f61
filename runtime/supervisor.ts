/** Keeps processes running: starts them in order, restarts those that die, and stops them in reverse order. */
import type { ChildProcess } from 'node:child_process';
import { DEATHS_TEXT, Restarts } from '../config/restarts.ts';
import { type Command, type Finished, type Output, runCommand, spawnCommand } from './command.ts';
import { StartError } from './errors.ts';
import { processIdentity } from './process-identity.ts';
import { endProcess, forgetProcess, recordProcess } from './process-record.ts';

export interface Part {
  readonly name: string;
  readonly command: Command;
  readonly output: Output;
  /** Whether it is one of this service's own modules, which gets a channel and exits when that closes (`disconnect`). */
  readonly ownModule?: boolean;
  /** Whether this process may exit while the part runs. */
  readonly detachedFromLoop?: boolean;
  /** Resolves once the part is ready; gives up when the signal is aborted. */
  ready(signal: AbortSignal): Promise<void>;
  readonly stopSignal: NodeJS.Signals;
  /** Time for it to stop before it is killed. */
  readonly stopMs: number;
}

class Running {
  readonly part: Part;
  child: ChildProcess | undefined;
  timer: NodeJS.Timeout | undefined;
  readonly restarts = new Restarts();

  constructor(part: Part) {
    this.part = part;
  }
}

export class Supervisor {
  readonly #recordDirectory: string;
  readonly #print: (line: string) => void;
  readonly #running: Running[] = [];
  readonly #ending = new AbortController();
  #stopped: Promise<void> | undefined;

  /**
   * @param recordDirectory where the processes are recorded for the next start
   * @param print informs the user, line by line
   */
  constructor(recordDirectory: string, print: (line: string) => void) {
    this.#recordDirectory = recordDirectory;
    this.#print = print;
  }

  /** Aborted as soon as everything must end; its reason is a StartError if a part has failed for good. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Starts a part and keeps it running; resolves once it is ready. */
  async start(part: Part): Promise<void> {
    this.signal.throwIfAborted();
    const running = new Running(part);
    this.#running.push(running);
    this.#spawn(running);
    await part.ready(this.signal);
    this.signal.throwIfAborted();
  }

  /** Runs a command to its end; a stop ends it. */
  async run(name: string, command: Command): Promise<Finished> {
    let pid: number | undefined;
    try {
      return await runCommand(command, this.signal, (started) => {
        pid = started;
        recordProcess(this.#recordDirectory, name, started, 'SIGTERM');
      });
    } finally {
      if (pid !== undefined) forgetProcess(this.#recordDirectory, pid);
    }
  }

  /** Stops all parts: the service's own modules, then the servers. Later calls wait for the first. */
  stop(reason: unknown = new Error('stopped')): Promise<void> {
    this.#stopped ??= this.#stopAll(reason);
    return this.#stopped;
  }

  /** Kills all parts at once. */
  kill(): void {
    for (const { child } of this.#running) {
      if (isAlive(child)) child.kill('SIGKILL');
    }
  }

  async #stopAll(reason: unknown): Promise<void> {
    this.#ending.abort(reason);
    for (const running of this.#running) clearTimeout(running.timer);
    const reversed = this.#running.toReversed();
    const own = reversed.filter(({ part }) => part.ownModule === true);
    const servers = reversed.filter(({ part }) => part.ownModule !== true);
    // The order within each group does not matter, but the service's own parts need the servers until they have drained.
    await Promise.all(own.map((running) => this.#stopOne(running)));
    await Promise.all(servers.map((running) => this.#stopOne(running)));
  }

  async #stopOne({ part, child }: Running): Promise<void> {
    const pid = child?.pid;
    if (!isAlive(child) || pid === undefined) return;
    this.#print(`Stopping ${part.name}`);
    const identity = processIdentity(pid);
    if (identity !== undefined) await endProcess({ pid, identity, stopSignal: part.stopSignal }, part.stopMs);
    forgetProcess(this.#recordDirectory, pid);
  }

  #spawn(running: Running): void {
    const { part } = running;
    const child = spawnCommand(part.command, part.output, part.ownModule === true);
    running.child = child;
    if (part.detachedFromLoop === true) child.unref();
    const { pid } = child;
    if (pid !== undefined) recordProcess(this.#recordDirectory, part.name, pid, part.stopSignal);
    child.once('error', (error) => {
      if (pid === undefined) this.#died(running, error.message);
    });
    child.once('exit', (code, signal) => {
      if (pid !== undefined) forgetProcess(this.#recordDirectory, pid);
      this.#died(running, signal === null ? `exit code ${code}` : signal);
    });
  }

  #died(running: Running, how: string): void {
    if (this.signal.aborted) return;
    const { part, restarts } = running;
    const delay = restarts.afterDeath();
    if (delay === undefined) {
      const where = 'file' in part.output ? `in ${part.output.file}` : 'in its output above';
      const text = `${part.name} died ${DEATHS_TEXT} (last: ${how}): the reason is ${where}`;
      this.#ending.abort(new StartError(text));
      return;
    }
    this.#print(`${part.name} died (${how}): restarting it in ${delay / 1000} s`);
    running.timer = setTimeout(() => this.#spawn(running), delay);
  }
}

function isAlive(child: ChildProcess | undefined): child is ChildProcess {
  return child !== undefined && child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}
