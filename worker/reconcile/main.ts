/**
 * `npm run reconcile`: after Temporal or the database was lost, or restored from an older state, restarts the work that should be running
 * according to the database, and ends lifecycles of documents that it does not have; `npm run reconcile -- --report` only reports both.
 */
import { Command } from 'commander';
import { pino } from 'pino';
import { loadConfig } from '../../config/index.ts';
import { withLocalService } from '../../config/local.ts';
import { Database } from '../../db/database.ts';
import { WORK_KINDS } from '../../services/operation/missing-work/work.ts';
import { ServiceClient } from '../../services/platform/temporal/client.ts';
import { companyNames } from '../../services/platform/temporal/company-names.ts';
import { reachDatabase, reachTemporal } from '../connect.ts';
import { days } from '../days.ts';
import { installRuntime } from '../logger.ts';
import { scheduleMaintenance } from '../maintenance.ts';
import { type Comparison, compareAll } from './compare.ts';
import { endSurplus, type Surplus } from './surplus.ts';

const DAY_MS = 86_400_000;
/** Younger work is left to the relay. */
const SETTLED_MS = 60_000;
/** Starts per company before others get their turn. */
const SHARE = 100;
const PRINT_MS = 5000;

const command = new Command('reconcile')
  .description('Restarts work that should be running according to the database but is unknown to Temporal')
  .option('--report', 'only report what is missing', false)
  .option('--days <n>', 'how far back to look for deliveries', days, 7)
  .parse();
const { report, days: back } = command.opts<{ report: boolean; days: number }>();
try {
  await reconcile();
  process.exit(0); // Temporal's runtime would keep the process alive.
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function reconcile(): Promise<void> {
  // This command needs none of the secrets for serving.
  const { NODE_ENV: _, ...env } = process.env;
  const config = loadConfig(withLocalService(env));
  const { directUrl: url } = config.database;
  const { address, namespace } = config.temporal;
  if (url === undefined || address === undefined) {
    throw new Error('Nothing to compare: start the service on this machine, or give DATABASE_URL and TEMPORAL_ADDRESS');
  }
  installRuntime(pino({ level: 'silent' }));
  const database = new Database({ url, poolSize: 4, applicationName: 'reconcile' });
  const { signal } = new AbortController();
  await reachDatabase(database, signal);
  // Registers the search attributes, without which nothing can be started.
  const connection = await reachTemporal({ ...config.temporal, address }, signal);
  try {
    const client = new ServiceClient({ connection, namespace, names: companyNames(database) });
    if (!report) await scheduleMaintenance(client, config);
    const now = Date.now();
    const time = { since: new Date(now - back * DAY_MS), until: new Date(now - SETTLED_MS) };
    const sum = await compareAll({ database, client }, { time, starts: () => !report, share: SHARE }, everySoOften());
    const surplus = await endSurplus({ database, client }, { until: time.until, ends: !report });
    console.log(`${inWords(sum)}\n\n${surplusInWords(surplus, report)}`);
  } finally {
    await connection.close();
    await database.close();
  }
}

function everySoOften(): (so: Comparison) => void {
  let printedAt = performance.now();
  return (so) => {
    if (performance.now() - printedAt < PRINT_MS || WORK_KINDS.every((kind) => so[kind].missing === 0)) return;
    printedAt = performance.now();
    console.log(`… ${WORK_KINDS.map((kind) => `${kind} ${so[kind].started} of ${so[kind].missing}`).join(', ')}`);
  };
}

function inWords(sum: Comparison): string {
  const rows = [
    ['', 'should run', 'missing', 'restarted'],
    ...WORK_KINDS.map((kind) => [kind, ...[sum[kind].due, sum[kind].missing, sum[kind].started].map(String)]),
  ];
  return rows
    .map(([name = '', ...cells]) => name.padEnd(14) + cells.map((cell) => cell.padStart(14)).join(''))
    .join('\n');
}

function surplusInWords({ running, missing, finished }: Surplus, onlyReported: boolean): string {
  const are = onlyReported ? 'run without an open document' : 'were ended since they had no open document';
  return `${missing + finished} of ${running} running lifecycles ${are}: ${missing} of unknown ones, ${finished} of finished ones`;
}
