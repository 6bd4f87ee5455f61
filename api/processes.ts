/**
 * Runs several API processes on one address. This process opens it, hands connections to the others in turn, and
 * restarts those that die. It serves nothing itself, so that little can make it fail.
 */
import cluster, { type Worker } from 'node:cluster';
import { DEATHS_TEXT, Restarts } from '../config/restarts.ts';
import type { Logger } from './logger.ts';
import type { Message } from './siblings.ts';

interface Options {
  readonly count: number;
  /** Variables of each process, in addition to those of this one. */
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
}

export class Processes {
  readonly #options: Options;
  /** Running processes by number, from 1. */
  readonly #running = new Map<number, Worker>();
  readonly #restarts = new Map<number, Restarts>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #served = false;
  /** Exit code; set once all processes are stopping. */
  #code: number | undefined;
  #ended: (code: number) => void = () => undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Starts the first process, and the others once it listens, so that an error common to all is reported only once.
   * @returns the exit code once all have ended: 0 after a stop; the first process's code if it could not start; 1 if a
   * process died too often
   */
  run(): Promise<number> {
    cluster.on('message', passOn);
    return new Promise((resolve) => {
      this.#ended = resolve;
      this.#start(1);
    });
  }

  /** Tells all processes to finish their work and end. */
  stop(code = 0): void {
    if (this.#code !== undefined) return;
    this.#code = code;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { process } of this.#running.values()) process.kill('SIGTERM');
    if (this.#running.size === 0) this.#ended(code);
  }

  #start(number: number): void {
    cluster.setupPrimary({ args: [String(number)] });
    const worker = cluster.fork(this.#options.env);
    this.#running.set(number, worker);
    worker.once('listening', () => {
      if (this.#served || this.#code !== undefined) return;
      this.#served = true;
      for (let other = 2; other <= this.#options.count; other++) this.#start(other);
    });
    // A message to a process that has just died; its exit handler does the rest.
    worker.on('error', () => undefined);
    worker.once('exit', (code, signal) => this.#exited(number, code, signal));
  }

  #exited(number: number, code: number | null, signal: string | null): void {
    this.#running.delete(number);
    if (this.#code !== undefined) {
      // A process that was only just started ends by the signal itself.
      if (code !== 0 && signal !== 'SIGTERM') this.#code = 1;
      if (this.#running.size === 0) this.#ended(this.#code);
    } else if (this.#served) {
      this.#replace(number, signal ?? `exit code ${code}`);
    } else {
      this.stop(code || 1);
    }
  }

  #replace(number: number, how: string): void {
    const { logger } = this.#options;
    const restarts = this.#restarts.get(number) ?? new Restarts();
    this.#restarts.set(number, restarts);
    const delay = restarts.afterDeath();
    if (delay === undefined) {
      logger.error(`Process ${number} died ${DEATHS_TEXT} (last: ${how})`);
      this.stop(1);
      return;
    }
    logger.warn(`Process ${number} died (${how}): restarting it in ${delay / 1000} s`);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#start(number);
    }, delay);
    this.#timers.add(timer);
  }
}

/** Forwards a message to its recipient, or to all others. */
function passOn(sender: Worker, message: Message): void {
  for (const worker of Object.values(cluster.workers ?? {})) {
    if (worker === undefined || worker === sender || !worker.isConnected()) continue;
    if (message.to === undefined || message.to === worker.id) worker.send(message);
  }
}
