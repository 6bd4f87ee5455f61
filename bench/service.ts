/** The whole service as `npm start` runs it, with a company, for benchmarks of all processes together. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ownPlace, ServiceProcess } from '../test/e2e/service-process.ts';
import { cpuSeconds, type Usage, usageByPart } from './processes.ts';
import { type Stage, setUpCompany } from './stage.ts';

export interface Service extends Stage {
  readonly temporalAddress: string;
  /** The process that started all others. */
  readonly root: number;
  readonly dataDir: string;
  /** URL of the database for the owner of its tables. */
  readonly ownerUrl: string;
  /** CPU and memory by the parts of the service. */
  usage(): Map<string, Usage>;
  /** Resolves once the service is as quiet as when idle. @returns seconds until then, without the final checks */
  quiet(): Promise<number>;
  /** Milliseconds of CPU that work takes, by part, until the service is quiet again, minus its idle usage. */
  cost(work: () => Promise<unknown>): Promise<Map<string, number>>;
}

/** Tolerance above idle usage that still counts as quiet, in cores. */
const NOISE = 0.03;
const LOOK_MS = 1000;
/** Consecutive quiet checks after which the service counts as quiet. */
const QUIET_LOOKS = 3;
const QUIET_WITHIN_MS = 180_000;
/** Duration of measuring idle usage. */
const REST_MS = 10_000;

/** Settings without limits that one client reaches. */
export const LENIENT = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PER_MINUTE: '0',
  TOKEN_TTL_SECONDS: '86400',
  OUTBOUND_ALLOWED_TARGETS: '127.0.0.1:*',
  CONNECTIONS_PER_ADDRESS: '0',
  COMPANIES_PER_ACCOUNT: '0',
  MAIL_RECIPIENTS_PER_HOUR: '0',
};

/** @param more further variables of the service */
export async function openService(more: Readonly<Record<string, string>> = {}): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const env = { ...(await serviceEnvironment(dataDir)), ...more };
  const process = new ServiceProcess('runtime/start', [], env);
  const stop = async () => {
    await process.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await process.says('Ready.');
    const address = `http://127.0.0.1:${env.PORT}`;
    const company = await setUpCompany(address);
    const connections = readFileSync(join(dataDir, 'connections.env'), 'utf8');
    const variable = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(connections)?.[1] ?? '';
    const root = process.pid;
    const atRest = await idle(root);
    return {
      address,
      ...company,
      databaseUrl: variable('DATABASE_URL'),
      temporalAddress: variable('TEMPORAL_ADDRESS'),
      root,
      dataDir,
      ownerUrl: variable('MIGRATION_DATABASE_URL'),
      fill: (sql, values = []) => asOwner(variable('MIGRATION_DATABASE_URL'), company.tenantId, sql, values),
      usage: () => usageByPart(root),
      quiet: () => quiet(root, atRest),
      cost: (work) => measureCost(root, atRest, work),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the environment for `npm start` on a data directory, with free ports. */
export async function serviceEnvironment(dataDir: string) {
  return {
    ...(await ownPlace(dataDir)),
    ...LENIENT,
  };
}

/** Measures idle usage of each part, in cores. */
async function idle(root: number): Promise<ReadonlyMap<string, number>> {
  await sleep(REST_MS / 2); // Initial work settles first.
  const before = usageByPart(root);
  await sleep(REST_MS);
  return perPart(usageByPart(root), before, (seconds) => seconds / (REST_MS / 1000));
}

async function quiet(root: number, atRest: ReadonlyMap<string, number>): Promise<number> {
  const limit = [...atRest.values()].reduce((sum, cores) => sum + cores, 0) + NOISE;
  const started = performance.now();
  for (let looks = 0; looks < QUIET_LOOKS; ) {
    const before = cpuSeconds(root);
    await sleep(LOOK_MS);
    looks = (cpuSeconds(root) - before) / (LOOK_MS / 1000) <= limit ? looks + 1 : 0;
    if (performance.now() - started > QUIET_WITHIN_MS) throw new Error('The service has not become quiet');
  }
  return Math.max(0, (performance.now() - started - QUIET_LOOKS * LOOK_MS) / 1000);
}

async function measureCost(
  root: number,
  atRest: ReadonlyMap<string, number>,
  work: () => Promise<unknown>,
): Promise<Map<string, number>> {
  const started = performance.now();
  const before = usageByPart(root);
  await work();
  await quiet(root, atRest);
  const seconds = (performance.now() - started) / 1000;
  return perPart(usageByPart(root), before, (used, part) => (used - (atRest.get(part) ?? 0) * seconds) * 1000);
}

function perPart(
  after: ReadonlyMap<string, Usage>,
  before: ReadonlyMap<string, Usage>,
  of: (seconds: number, part: string) => number,
): Map<string, number> {
  return new Map([...after].map(([part, { cpu }]) => [part, of(cpu - (before.get(part)?.cpu ?? 0), part)]));
}

/** Runs SQL as the owner of the tables, who is also bound by row-level security. */
async function asOwner(url: string, tenantId: string, sql: string, values: readonly unknown[]): Promise<void> {
  const database = new pg.Client(url);
  await database.connect();
  try {
    await database.query(`select set_config('app.tenant_id', $1, false)`, [tenantId]);
    await database.query(sql, [...values]);
  } finally {
    await database.end();
  }
}
