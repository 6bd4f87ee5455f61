/** A part of the service in a process of its own, started as an operator starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../runtime/ports.ts';
import { inherited } from '../helpers/environment.ts';
import { NO_OPERATOR } from '../helpers/worker.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;
  #output = '';

  /**
   * @param module path from the root without its ending, for example api/server
   * @param env all of its environment, but for what is inherited
   */
  constructor(module: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, ['runtime/run.mjs', module, ...args], {
      cwd: ROOT,
      env: { ...inherited(), ...NO_OPERATOR, ...env },
      // The channel ends API and workers with the process of the tests, however that ends.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#exited = once(this.#child, 'exit').then(([code]) => code as number | null);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('it could not be started');
    return this.#child.pid;
  }

  get output(): string {
    return this.#output;
  }

  /** Waits until it says so. @throws Error with all that it said, when it ends before; the test's time limit bounds it */
  async says(text: string | RegExp): Promise<RegExpExecArray> {
    const pattern = typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text;
    for (;;) {
      const match = pattern.exec(this.#output);
      if (match) return match;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`it ended before it said ${pattern}:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Asks it to stop. @returns its exit code */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.#exited;
  }

  /** SIGKILL; resolves once it is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

/** Variables of an `npm start` beside others: its data directory, and free ports for all of its servers. */
export async function ownPlace(dataDir: string) {
  const [port, postgres, temporal, ui] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  return {
    DATA_DIR: dataDir,
    PORT: String(port),
    POSTGRES_PORT: String(postgres),
    TEMPORAL_PORT: String(temporal),
    TEMPORAL_UI_PORT: String(ui),
  };
}
