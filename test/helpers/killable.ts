/** Servers and workers of a test's own, as processes that it may kill at any moment and start again on the same data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, runCommand } from '../../runtime/command.ts';
import { freePort } from '../../runtime/ports.ts';
import {
  type EmbeddedPostgres,
  postgresCommand,
  postgresUrl,
  preparePostgres,
  waitForPostgres,
} from '../../runtime/postgres.ts';
import { temporalCommand } from '../../runtime/temporal.ts';
import { findTestTemporalCli, waitForTemporal } from './servers.ts';
import { ALLOWED_TARGETS } from './targets.ts';
import { ENCRYPTION_KEY, eventually, killed } from './worker.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_MS = 60_000;

export interface Killable {
  /** Resolves once it works. */
  start(): Promise<void>;
  /** SIGKILL; resolves once it is gone. */
  kill(): Promise<void>;
}

export interface KillableService {
  /** URL of the database for its superuser. */
  readonly url: string;
  /** The address of Temporal. */
  readonly address: string;
  readonly postgres: Killable;
  readonly temporal: Killable;
  readonly worker: Killable;
  close(): Promise<void>;
}

/** Prepares a service; none of its processes runs yet. @param settings further ones of the worker @param queue on which it works */
export async function killableService(
  settings: Readonly<Record<string, string>> = {},
  queue = 'webhooks',
): Promise<KillableService> {
  const folder = mkdtempSync(join(tmpdir(), 'killable-'));
  chmodSync(folder, 0o755); // PostgreSQL, started by root, runs as another user
  const server: EmbeddedPostgres = {
    directory: join(folder, 'postgres'),
    port: await freePort(),
    password: 'of the test',
    durable: true,
  };
  const url = postgresUrl({ ...server, password: encodeURIComponent(server.password) }, 'postgres');
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const postgres = killablePostgres(server, url);
  const temporal = killable(async () => {
    const cli = await findTestTemporalCli();
    const file = join(folder, 'temporal.db');
    const child = run(temporalCommand({ cli, file, port, uiPort: undefined, namespace: 'default', durable: false }));
    await waitForTemporal(address, 'default', AbortSignal.timeout(START_MS));
    return child;
  });
  const worker = killable(async () => {
    const env = {
      ...process.env,
      DATABASE_URL: url,
      TEMPORAL_ADDRESS: address,
      ENCRYPTION_KEY,
      OUTBOUND_ALLOWED_TARGETS: ALLOWED_TARGETS,
      LOG_LEVEL: 'info',
      ...settings,
    };
    const args = ['--import', 'tsx', 'worker/main.ts', '--queues', queue];
    // The channel ends it with the process of the tests.
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await eventually(() => {
      if (!output.includes('Working on')) throw new Error(`The worker does not start: ${output}`);
    }, START_MS);
    return child;
  });
  return {
    url,
    address,
    postgres,
    temporal,
    worker,
    async close() {
      for (const part of [worker, temporal, postgres]) await part.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A PostgreSQL server, whose files are created if there are none. @param url of one of its databases */
export function killablePostgres(server: EmbeddedPostgres, url: string): Killable {
  return killable(async () => {
    await prepareFiles(server);
    const child = run(await postgresCommand(server));
    await waitForPostgres(url, AbortSignal.timeout(START_MS));
    return child;
  });
}

export function prepareFiles(server: EmbeddedPostgres): Promise<void> {
  const runInTime = (_name: string, command: Command) => runCommand(command, AbortSignal.timeout(START_MS));
  return preparePostgres(server, runInTime, () => undefined);
}

export function killable(begin: () => Promise<ChildProcess>): Killable {
  let child: ChildProcess | null = null;
  return {
    async start() {
      child = await begin();
    },
    async kill() {
      const running = child;
      child = null;
      if (running !== null && running.exitCode === null && running.signalCode === null) await killed(running);
    },
  };
}

/** Starts a process. Its output is ignored: messages of a dying server are of no interest. */
function run({ file, args, cwd, env }: Command): ChildProcess {
  return spawn(file, [...args], { cwd: cwd ?? ROOT, env: env ?? process.env, stdio: 'ignore' });
}
