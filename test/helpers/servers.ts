/** PostgreSQL, Temporal and Chromium for the tests: one of each for each process of the run, started on first use. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Chromium, findChromium } from '../../runtime/chromium.ts';
import { runCommand } from '../../runtime/command.ts';
import { readIfThere, writeWhole } from '../../runtime/files.ts';
import { freePort } from '../../runtime/ports.ts';
import {
  type EmbeddedPostgres,
  postgresCommand,
  postgresUrl,
  preparePostgres,
  waitForPostgres,
} from '../../runtime/postgres.ts';
import { connect } from '../../runtime/postgres-client.ts';
import { processIdentity } from '../../runtime/process-identity.ts';
import { endRecordedProcesses } from '../../runtime/process-record.ts';
import { Supervisor } from '../../runtime/supervisor.ts';
import { requireTemporal, temporalCommand } from '../../runtime/temporal.ts';
import { findTemporalCli } from '../../runtime/temporal-cli.ts';
import { type CompanyName, CompanyNames } from '../../services/platform/temporal/company-names.ts';

const PREFIX = 'bms-test-';
const TEMPLATE = 'template_migrated';
/** File system in memory, where the system has one. */
const MEMORY = '/dev/shm';
/** Bytes that must be free in memory for the servers of a run. */
const ENOUGH = 4 * 2 ** 30;

interface Session {
  readonly folder: string;
  readonly supervisor: Supervisor;
}

/** Servers that the run has started. Kept globally, since mocha may load this module twice: by require and by import. */
interface Run {
  session?: Session;
  postgres?: Promise<{ adminUrl: string }>;
  template?: Promise<string>;
  temporal?: Promise<{ address: string }>;
  chromium?: Promise<Chromium>;
  /** Addresses of the databases that tests use now. */
  databases?: Set<string>;
}
const KEY = Symbol.for('business-management-service.test-servers');
const shared = globalThis as { [KEY]?: Run };
shared[KEY] ??= {};
const run: Run = shared[KEY];

/** The run's PostgreSQL server; the address is its superuser's. */
export function testPostgres(): Promise<{ adminUrl: string }> {
  run.postgres ??= startPostgres();
  return run.postgres;
}

/** A migrated database of one's own. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  run.template ??= migratedTemplate();
  const source = await run.template;
  const { adminUrl } = await testPostgres();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await connect(
    adminUrl,
    (client) => client.query(`create database ${name} template ${source} strategy file_copy`),
    30_000,
  );
  const url = databaseUrl(adminUrl, name);
  run.databases ??= new Set();
  run.databases.add(url);
  return {
    url,
    async drop() {
      run.databases?.delete(url);
      await connect(adminUrl, (client) => client.query(`drop database if exists ${name} with (force)`), 30_000);
    },
  };
}

/** The names in Temporal of the companies in all databases of tests. */
export function testCompanyNames(): CompanyNames {
  return new CompanyNames(async (tenantId) => {
    for (const url of run.databases ?? []) {
      const { rows } = await connect(url, (client) => client.query<CompanyName>(NAME, [tenantId]));
      if (rows[0] !== undefined) return rows[0];
    }
    return null;
  });
}

const NAME = 'select short_name as "shortName", coalesce(short_name, slug) as company from tenants where id::text = $1';

/** The run's Temporal dev server, with the namespace `default`. */
export function testTemporal(): Promise<{ address: string }> {
  run.temporal ??= startTemporal();
  return run.temporal;
}

/** A Chromium that runs here. */
export function testChromium(): Promise<Chromium> {
  run.chromium ??= findChromium();
  return run.chromium;
}

/** Ends all servers of the run and removes their folder. */
export async function stopTestServers(): Promise<void> {
  if (run.session === undefined) return;
  const { folder, supervisor } = run.session;
  // The next caller starts new ones.
  for (const name of ['session', 'postgres', 'template', 'temporal'] as const) delete run[name];
  await supervisor.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Kills all servers of the run at once, for a process that is about to end. */
export function killTestServers(): void {
  if (run.session === undefined) return;
  run.session.supervisor.kill();
  rmSync(run.session.folder, { recursive: true, force: true });
}

/** Ends the servers of earlier runs that were killed, and removes their folders. */
export async function removeAbandonedRuns(): Promise<void> {
  const folders = [tmpdir(), ...(hasMemory(0) ? [MEMORY] : [])].flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => join(place, name)),
  );
  await Promise.all(
    folders.map(async (folder) => {
      const owner = readIfThere(join(folder, 'owner'))?.split(' ');
      // Without the file: just being made by another run, or no folder of a run at all.
      if (owner === undefined || processIdentity(Number(owner[0])) === owner[1]) return;
      await endRecordedProcesses(join(folder, 'processes'));
      rmSync(folder, { recursive: true, force: true });
    }),
  );
}

function openSession(): Session {
  if (run.session !== undefined) return run.session;
  const folder = mkdtempSync(join(hasMemory(ENOUGH) ? MEMORY : tmpdir(), PREFIX));
  // PostgreSQL, started by root, runs as another user and has to get through.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'processes'));
  writeWhole(join(folder, 'owner'), `${process.pid} ${processIdentity(process.pid)}`);
  // Mocha's processes end without a word to those who have started something.
  process.once('exit', killTestServers);
  run.session = { folder, supervisor: new Supervisor(join(folder, 'processes'), report) };
  return run.session;
}

/** Whether a file system in memory is there, with room. A database has a thousand files: on disk, making one takes ten times as long. */
function hasMemory(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= bytes;
  } catch {
    return false;
  }
}

async function startPostgres(): Promise<{ adminUrl: string }> {
  const { folder, supervisor } = openSession();
  const password = randomBytes(16).toString('hex');
  const server: EmbeddedPostgres = {
    directory: join(folder, 'postgres'),
    port: await freePort(),
    password,
    durable: false,
  };
  await preparePostgres(
    server,
    (_name, command) => runCommand(command, supervisor.signal),
    () => undefined,
  );
  const adminUrl = postgresUrl(server, 'postgres');
  await supervisor.start({
    name: 'PostgreSQL of the tests',
    command: await postgresCommand(server),
    output: { file: join(folder, 'postgres.log') },
    ready: (signal) => waitForPostgres(adminUrl, signal),
    stopSignal: 'SIGINT',
    stopMs: 3000,
    detachedFromLoop: true,
  });
  return { adminUrl };
}

async function migratedTemplate(): Promise<string> {
  const { adminUrl } = await testPostgres();
  const { migrate } = await import('../../db/migrate.ts');
  await connect(adminUrl, (client) => client.query(`create database ${TEMPLATE}`), 30_000);
  await migrate(databaseUrl(adminUrl, TEMPLATE));
  return TEMPLATE;
}

async function startTemporal(): Promise<{ address: string }> {
  const { folder, supervisor } = openSession();
  const cli = await findTestTemporalCli();
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  await supervisor.start({
    name: 'Temporal of the tests',
    command: temporalCommand({
      cli,
      file: join(folder, 'temporal.db'),
      port,
      uiPort: undefined,
      namespace: 'default',
      durable: false,
    }),
    output: { file: join(folder, 'temporal.log') },
    ready: (signal) => waitForTemporal(address, 'default', signal),
    stopSignal: 'SIGTERM',
    stopMs: 2000,
    detachedFromLoop: true,
  });
  return { address };
}

/** Asks again and again until the server knows the namespace. */
export async function waitForTemporal(address: string, namespace: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await requireTemporal({ address, namespace, cli: undefined, tls: undefined, apiKey: undefined });
      return;
    } catch {
      await delay(150, undefined, { signal });
    }
  }
}

/** The Temporal CLI, got if need be: the first time on a machine that may take minutes. */
export function findTestTemporalCli(): Promise<string> {
  return findTemporalCli({ env: process.env, explicit: process.env.TEMPORAL_CLI, print: report });
}

function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function report(line: string): void {
  if (!line.startsWith('Stopping')) process.stderr.write(`${line}\n`);
}
