/**
 * The stage of a benchmark: the API as a separate process against an embedded PostgreSQL, on free ports of this machine
 * and in temporary folders, with one company.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../runtime/ports.ts';
import { createClient, type TestClient } from '../test/helpers/client.ts';
import { createTestDatabase, stopTestServers, testPostgres } from '../test/helpers/servers.ts';
import { cpuSeconds } from './processes.ts';

export interface Stage {
  readonly address: string;
  readonly token: string;
  readonly tenantId: string;
  readonly client: TestClient;
  /** Address for connections like the API's: bound by row-level security once the tenant is set. */
  readonly databaseUrl: string;
  /** Fills tables without row-level security. */
  fill(sql: string, values?: readonly unknown[]): Promise<void>;
  stop(): Promise<void>;
}

/** The API as a separate process, with its memory. */
export interface ApiStage extends Stage {
  /** Resident memory of the API process in bytes: now, and the peak since `watchMemory`. */
  memory(): { readonly now: number; readonly peak: number };
  watchMemory(): void;
  /** Seconds of CPU of the API process. */
  cpu(): number;
}

const COMPANY = { name: 'Bench SL', taxId: 'B12345674', country: 'ES' };
const ADMIN = { email: 'bench@example.test', name: 'Bench', password: 'correct horse battery staple' };

export async function openStage(): Promise<ApiStage> {
  const { url, drop } = await createTestDatabase();
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const api = startApi(url, port);
  const stop = async () => {
    if (api.exitCode === null) {
      api.kill('SIGTERM');
      await once(api, 'exit');
    }
    await drop();
    await stopTestServers();
  };
  try {
    await answering(api, address);
    return {
      address,
      ...(await setUpCompany(address)),
      databaseUrl: url,
      memory: () => processMemory(api),
      // Resets Linux's high-water mark.
      watchMemory: () => writeFileSync(`/proc/${api.pid}/clear_refs`, '5'),
      cpu: () => cpuSeconds(api.pid as number),
      fill: (sql, values = []) => asSuperuser(url, (database) => database.query(sql, [...values])),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates the company of the benchmark. */
export async function setUpCompany(address: string): Promise<Pick<Stage, 'token' | 'tenantId' | 'client'>> {
  const { status, body } = await createClient(address).post('/api/setup/init', { company: COMPANY, admin: ADMIN });
  if (status !== 201) throw new Error(`The set-up was answered ${status}: ${JSON.stringify(body)}`);
  const { token, tenant } = body as { token: string; tenant: { id: string } };
  return { token, tenantId: tenant.id, client: createClient(address, token) };
}

function startApi(databaseUrl: string, port: number): ChildProcess {
  return spawn(process.execPath, ['runtime/run.mjs', 'api/server'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
      JWT_SECRET: 'the signing key of the benchmarks, long enough',
      ENCRYPTION_KEY: 'the encryption key of the benchmarks, long enough',
      RATE_LIMIT_PER_MINUTE: '0',
      OUTBOUND_ALLOWED_TARGETS: '127.0.0.1:*',
      CONNECTIONS_PER_ADDRESS: '0',
      COMPANIES_PER_ACCOUNT: '0',
      TOKEN_TTL_SECONDS: '3600',
      PORT: String(port),
    },
  });
}

async function answering(api: ChildProcess, address: string): Promise<void> {
  while (api.exitCode === null) {
    const answer = await fetch(`${address}/health/live`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`The API ended with ${api.exitCode} before it answered`);
}

async function asSuperuser(url: string, work: (database: pg.Client) => Promise<unknown>): Promise<void> {
  const { adminUrl } = await testPostgres();
  const database = new pg.Client(Object.assign(new URL(adminUrl), { pathname: new URL(url).pathname }).href);
  await database.connect();
  try {
    await work(database);
  } finally {
    await database.end();
  }
}

/** Memory of a process in bytes, as counted by Linux. */
function processMemory({ pid }: ChildProcess): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}
