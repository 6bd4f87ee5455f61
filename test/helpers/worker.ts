/** A worker of the service inside the test process, in a Temporal namespace of its own, so that suites don't meet. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Connection, type GetWorkflowHandleOptions } from '@temporalio/client';
import { pino } from 'pino';
import { type Config, loadConfig } from '../../config/index.ts';
import { ServiceClient } from '../../services/platform/temporal/client.ts';
import { installRuntime } from '../../worker/logger.ts';
import { QUEUES, type Queue } from '../../worker/queues.ts';
import { runWorker } from '../../worker/run.ts';
import type { Company } from './company.ts';
import { testCompanyNames } from './servers.ts';
import { ALLOWED_TARGETS } from './targets.ts';

export const ENCRYPTION_KEY = 'a key of the tests, 32 characters or more';
const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
let runtimeInstalled = false;

export interface TestNamespace {
  readonly address: string;
  readonly namespace: string;
  readonly client: ServiceClient;
  close(): Promise<void>;
}

/** A new namespace on a running server. */
export async function createNamespace(address: string): Promise<TestNamespace> {
  const connection = await Connection.connect({ address });
  // Its single connection to SQLite may be busy with what another suite makes it do.
  const namespace = await eventually(() => register(connection));
  const client = withIds(new ServiceClient({ connection, namespace, names: testCompanyNames() }));
  await eventually(async () => {
    await client.workflow.count();
  });
  return { address, namespace, client, close: () => connection.close() };
}

/** Lets histories be read and updates be awaited by the ids of contracts too, which no interceptor sees. */
function withIds(client: ServiceClient): ServiceClient {
  const getHandle = client.workflow.getHandle.bind(client.workflow);
  client.workflow.getHandle = ((id: string, runId?: string, options?: GetWorkflowHandleOptions) => {
    const handle = getHandle(id, runId, options);
    const real = async () => getHandle(await client.names.workflowId(id), runId);
    return Object.assign(handle, {
      fetchHistory: async () => (await real()).fetchHistory(),
      executeUpdate: async (...update: Parameters<typeof handle.executeUpdate>) =>
        (await real()).executeUpdate(...update),
    });
  }) as typeof client.workflow.getHandle;
  return client;
}

async function register(connection: Connection): Promise<string> {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  return namespace;
}

/** No company is told of the machine: events of tests are as old as the clocks of tests want. */
export const NO_OPERATOR = { OPERATOR_TENANT_ID: '00000000-0000-0000-0000-000000000000' };

/** The configuration of a process that works with the given servers. */
export function testConfig(
  servers: { url: string; address: string; namespace: string },
  env: Record<string, string> = {},
): Config {
  return loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: servers.url,
    TEMPORAL_ADDRESS: servers.address,
    TEMPORAL_NAMESPACE: servers.namespace,
    ENCRYPTION_KEY,
    OUTBOUND_ALLOWED_TARGETS: ALLOWED_TARGETS,
    COMPANY_PERCENT: '0',
    ...NO_OPERATOR,
    ...env,
  });
}

/** Temporal's runtime of the test process, which logs nothing unless TEST_LOG_LEVEL says so. */
export function useTestRuntime(): void {
  if (!runtimeInstalled) installRuntime(logger);
  runtimeInstalled = true;
}

/** Starts a worker; `stop` drains it and throws what it failed with. */
export function startWorker(
  config: Config,
  options: { readonly queues?: readonly Queue[]; readonly relay?: boolean; readonly version?: string } = {},
): { stop(): Promise<void> } {
  useTestRuntime();
  const stop = new AbortController();
  const running = runWorker({
    config,
    queues: options.queues ?? QUEUES,
    relay: options.relay ?? true,
    graceSeconds: 2,
    logger,
    stop: stop.signal,
    ...(options.version === undefined ? {} : { version: options.version }),
  });
  // Thrown by `stop`; until then a test that waits in vain says what it waited for.
  running.catch((error: unknown) => logger.error({ err: error }, 'The worker failed'));
  return {
    async stop() {
      stop.abort();
      await running;
    },
  };
}

/** Repeats `check` until it no longer throws. @throws what it threw last, after `ms` */
export async function eventually<T>(check: () => T | Promise<T>, ms = 20_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await delay(50);
    }
  }
}

/**
 * Waits until the relay has handed over every event of `company`. A delivery may arrive first: what a process or the database
 * had begun when it died is marked once its lease has run out.
 */
export async function allHandedOver(company: Pick<Company, 'rows'>, ms = 100_000): Promise<void> {
  await eventually(async () => {
    const [outbox] = await company.rows('select count(*)::int as n from outbox where processed_at is null');
    assert.equal(outbox?.n, 0);
  }, ms);
}

/**
 * Triggers a schedule as an operator does, but not in the second in which a minute begins: Temporal cuts the time of a run to its second,
 * and a run at a full minute is held against the times of its rule (decision 0199).
 */
export async function triggerSchedule(client: ServiceClient, scheduleId: string): Promise<void> {
  await eventually(async () => {
    assert.ok(new Date(Date.now() + 500).getSeconds() > 1, 'a minute begins');
    await client.schedule.getHandle(scheduleId).trigger();
  });
}

/** `npm run worker` for one queue, as a process of its own; resolves once it works. */
export async function workerProcess(
  servers: { url: string; address: string; namespace: string },
  queue: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'worker/main.ts', '--queues', queue], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    // The channel ends it with the process of the tests, also when a test fails before it kills it.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: servers.url,
      TEMPORAL_ADDRESS: servers.address,
      TEMPORAL_NAMESPACE: servers.namespace,
      ENCRYPTION_KEY,
      LOG_LEVEL: 'info',
      ...env,
    },
  });
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (chunk.toString().includes('Working on')) break;
  }
  return child;
}

/** Ends a process without a chance to do anything about it; resolves once it is gone. */
export async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
