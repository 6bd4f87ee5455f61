/**
 * The real API over HTTP for tests: a database of its own, a free port, and (unless `setUp: false`) a company that was set
 * up through POST /api/setup/init.
 *
 *     const app = useApp(); // helpers/hooks.ts: open while the suite runs
 *     const { status, body } = await app.client.post('/api/partners', { name: 'Ana', groupId });
 *
 * A case that needs another one starts and stops it by itself (`startTestApp`).
 *
 * `app.client` acts as the owner; `app.as(token, tenantId?)` as somebody else, `app.anonymous` as nobody. Answers have
 * `status`, `headers` and the parsed `body`. `app.database` is for looking at what was written, past the interface.
 */
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { buildApp } from '../../api/app.ts';
import { Draining } from '../../api/draining.ts';
import { createHttpServer } from '../../api/http-server.ts';
import { Sockets } from '../../api/messages/sockets/sockets.ts';
import { Backlogs } from '../../api/pipeline/backlogs.ts';
import type { Deps } from '../../api/route.ts';
import { ROUTES } from '../../api/routes.ts';
import { ALONE } from '../../api/siblings.ts';
import { createWorkflowClient } from '../../api/workflow-client.ts';
import { loadConfig } from '../../config/index.ts';
import { Database } from '../../db/database.ts';
import { CallerCache } from '../../services/access/sessions/caller-cache.ts';
import { StorageGate } from '../../services/operation/storage/gate.ts';
import { companyNames } from '../../services/platform/temporal/company-names.ts';
import { createClient, type TestClient } from './client.ts';
import { NOW } from './clock.ts';
import { description } from './conformance.ts';
import { assertNothingBlocks } from './event-loop.ts';
import { assertEventsFit } from './events.ts';
import { createTestDatabase } from './servers.ts';

export const OWNER = { email: 'owner@example.test', name: 'Olga Owner', password: 'correct horse battery staple' };

export interface Clock {
  now: Date;
}

/** The time outside, which PostgreSQL, Temporal and workers have, too. */
export const REAL_CLOCK: Clock = {
  get now() {
    return new Date();
  },
};

export interface TestApp {
  /** http://127.0.0.1:port */
  readonly address: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly deps: Deps;
  /** The service's time, which stands still until a test sets it. */
  readonly clock: Clock;
  /** Acts as the owner of the set-up company. */
  readonly client: TestClient;
  /** Sends no token. */
  readonly anonymous: TestClient;
  /** The set-up company and its owner; empty texts with `setUp: false`. */
  readonly tenantId: string;
  readonly userId: string;
  readonly token: string;
  as(token: string, tenantId?: string): TestClient;
  /** @throws AssertionError when an event does not fit the catalogue, or a request blocks the event loop */
  stop(): Promise<unknown>;
}

export interface TestAppOptions {
  /** Whether the company is set up (default true). */
  readonly setUp?: boolean;
  /** Additional environment variables, for example RATE_LIMIT_PER_MINUTE. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another time than the fixed NOW; REAL_CLOCK where a worker runs beside the service. */
  readonly clock?: Clock;
  /** The address by which the service reaches its database, for example that of a proxy. */
  readonly reach?: (url: string) => Promise<string>;
  /** Replaces parts of what handlers use. */
  readonly deps?: Partial<Deps>;
  readonly routes?: typeof ROUTES;
}

/** Starts the API on a fresh database. Each call is independent of all others. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  // Built before the first request: it takes seconds, in which open connections would time out.
  description();
  const { url: own, drop } = await createTestDatabase();
  const url = options.reach === undefined ? own : await options.reach(own);
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    DATABASE_URL: url,
    JWT_SECRET: 'the signing key of the tests, 32 characters and more',
    ENCRYPTION_KEY: 'the encryption key of the tests, 32 characters and more',
    RATE_LIMIT_PER_MINUTE: '0',
    COMPANIES_PER_ACCOUNT: '0',
    // Nobody waits for how busy the machine of the tests is.
    COMPANY_PERCENT: '0',
    // What fails with the database is seen at once.
    DATABASE_PATIENCE_SECONDS: '0',
    ...options.env,
  });
  const callers = new CallerCache(url, () => {});
  const { poolSize, patienceMs } = config.database;
  const storageBudget = config.storage.perCompanyBytes;
  const callersChanged = () => callers.allReceived();
  const database = new Database({
    url,
    poolSize,
    applicationName: 'test-api',
    servesPeople: true,
    storageBudget,
    patienceMs,
    callersChanged,
  });
  const workflows = createWorkflowClient(config, companyNames(database));
  const logger = pino({ level: config.logLevel });
  const clock = options.clock ?? { now: NOW };
  const deps: Deps = {
    config,
    database,
    standby: null,
    callers,
    storage: new StorageGate(options.deps?.database ?? database, storageBudget),
    backlogs: new Backlogs(callers, logger),
    siblings: ALONE,
    draining: new Draining(),
    workflows,
    logger,
    accessLog: logger,
    now: () => clock.now,
    ...options.deps,
  };
  const sockets = new Sockets(deps);
  await callers.listen();
  const server = createHttpServer(buildApp(deps, options.routes ?? ROUTES), config, logger);
  sockets.attach(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    sockets.close();
    server.closeAllConnections();
    await closed;
    await Promise.all([callers.close(), database.close(), workflows.close()]);
    await drop();
  };
  const anonymous = createClient(address);
  const as = (token: string, tenantId?: string) => createClient(address, token, tenantId);
  try {
    const owner = options.setUp === false ? { token: '', tenantId: '', userId: '' } : await setUp(anonymous);
    return {
      address,
      databaseUrl: url,
      database,
      deps,
      clock,
      client: as(owner.token),
      anonymous,
      ...owner,
      as,
      // Whatever a test did: what the service told of it is as the catalogue says, and no request blocked the event loop.
      stop: () =>
        assertEventsFit(database)
          .then(() => assertNothingBlocks(address))
          .finally(stop),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The first company, as POST /api/setup/init makes it. */
export const COMPANY = { name: 'Almacenes Prueba SL', taxId: 'B12345674', country: 'ES' };

async function setUp(anonymous: TestClient): Promise<{ token: string; tenantId: string; userId: string }> {
  const { status, body } = await anonymous.post('/api/setup/init', { company: COMPANY, admin: OWNER });
  if (status !== 201) throw new Error(`The set-up was answered ${status}: ${JSON.stringify(body)}`);
  const { token, tenant, user } = body as { token: string; tenant: { id: string }; user: { id: string } };
  return { token, tenantId: tenant.id, userId: user.id };
}
