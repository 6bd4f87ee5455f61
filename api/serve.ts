/** One API process, from its configuration to a listening server and its shutdown. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseName } from '../config/database-urls.ts';
import type { Config } from '../config/index.ts';
import { Database } from '../db/database.ts';
import { CallerCache } from '../services/access/sessions/caller-cache.ts';
import { sharePasswordWork } from '../services/access/sessions/passwords.ts';
import { StorageGate } from '../services/operation/storage/gate.ts';
import { createWatch, type Watch } from '../services/operation/watch/watch.ts';
import { companyNames } from '../services/platform/temporal/company-names.ts';
import { startTracing } from '../services/platform/tracing/start.ts';
import { buildApp } from './app.ts';
import { Draining } from './draining.ts';
import { createHttpServer } from './http-server.ts';
import { createAccessLog, createLogger, type Logger, loggerOptions } from './logger.ts';
import { Sockets } from './messages/sockets/sockets.ts';
import { Backlogs } from './pipeline/backlogs.ts';
import { Standby } from './pipeline/standby.ts';
import type { Siblings } from './siblings.ts';
import { StartError } from './start-error.ts';
import { createWorkflowClient, type WorkflowClient } from './workflow-client.ts';

/** Time limit for the database to answer at startup. */
const DATABASE_WAIT_MS = 5000;
/** Time that running requests get after a stop signal. */

interface Running {
  readonly server: Server;
  readonly sockets: Sockets;
  readonly watch: Watch | null;
  readonly database: Database;
  readonly standby: Standby | null;
  readonly callers: CallerCache;
  readonly workflows: WorkflowClient;
  readonly config: Config;
  readonly draining: Draining;
  readonly logger: Logger;
  readonly accessLog: ReturnType<typeof createAccessLog>;
}

async function start(config: Config, siblings: Siblings): Promise<Running> {
  const { url, directUrl, isPooled, poolSize, patienceMs } = config.database;
  const { jwtSecret } = config.auth;
  if (url === undefined || directUrl === undefined || jwtSecret === undefined || config.encryptionKey === undefined) {
    throw new StartError(missingVariables(config).join('\n'));
  }
  const log = loggerOptions(config);
  const logger = createLogger(log);
  const accessLog = createAccessLog(log);
  sharePasswordWork(siblings.processes);
  const callers = new CallerCache(directUrl, (error) => {
    logger.warn({ error: String(error) }, 'Cannot listen for changes to callers; they are read on each request');
  });
  const backlogs = new Backlogs(callers, logger);
  const storageBudget = config.storage.perCompanyBytes;
  const callersChanged = () => callers.allReceived();
  const database = new Database({
    url,
    poolSize,
    applicationName: 'api',
    isPooled,
    servesPeople: true,
    storageBudget,
    patienceMs,
    callersChanged,
  });
  const standby = openStandby(config);
  const workflows = createWorkflowClient(config, companyNames(database), logger);
  try {
    await reach(database, url);
    const now = () => new Date();
    const storage = new StorageGate(database, storageBudget);
    const draining = new Draining();
    const deps = {
      ...{ config, database, standby, callers, backlogs, storage, siblings, draining, logger, workflows, now },
      accessLog: accessLog.logger,
    };
    const sockets = new Sockets(deps);
    // All processes on one address see the same, so one is enough.
    const watch = siblings.number === 1 ? createWatch(deps) : null;
    await callers.listen();
    const app = buildApp(deps);
    const server = createHttpServer(app, config, logger);
    sockets.attach(server);
    await app.prepare();
    await listen(server, config.api);
    watch?.start();
    return { config, server, sockets, watch, database, standby, callers, workflows, draining, logger, accessLog };
  } catch (error) {
    await Promise.all([callers.close(), database.close(), standby?.close(), workflows.close()]);
    throw error;
  }
}

/** The standby for reads that may be old, if there is one. It is reached when the first of them comes. */
function openStandby({ database: { standbyUrl, standbySeconds, poolSize, isPooled } }: Config): Standby | null {
  if (standbyUrl === undefined) return null;
  return new Standby(
    new Database({ url: standbyUrl, poolSize, applicationName: 'api-stale', isPooled }),
    standbySeconds,
  );
}

function missingVariables({ database, auth, encryptionKey }: Config): string[] {
  const problems: string[] = [];
  if (database.url === undefined) {
    problems.push(
      'DATABASE_URL is missing: start the service first (npm start), so that this process can join it, or set ' +
        'postgres://user:password@host:port/name',
    );
  }
  if (auth.jwtSecret === undefined) problems.push('JWT_SECRET must be set to at least 32 random characters');
  if (encryptionKey === undefined) problems.push('ENCRYPTION_KEY must be set to at least 32 random characters');
  return problems;
}

async function reach(database: Database, url: string): Promise<void> {
  const deadline = Date.now() + DATABASE_WAIT_MS;
  while (!(await database.ping())) {
    if (Date.now() > deadline) {
      throw new StartError(
        `The database ${databaseName(url)} cannot be reached: check that it is running and that DATABASE_URL is right`,
      );
    }
    await sleep(250);
  }
}

function listen(server: Server, { host, port }: Config['api']): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new StartError(
          error.code === 'EADDRINUSE'
            ? `Port ${port} is in use: stop the process that uses it, or set PORT to another one`
            : `Cannot listen on ${host}:${port} (${error.code ?? error.message}): check HOST and PORT`,
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}

/** Says that it stops, and answers on until that is known; then accepts no more requests, and waits for running ones. */
async function stop({
  config: {
    api: { stopDelayMs, stopMs },
  },
  server,
  sockets,
  watch,
  database,
  standby,
  callers,
  workflows,
  draining,
  logger,
  accessLog,
}: Running): Promise<void> {
  logger.info('Stopping');
  draining.begin();
  await sleep(stopDelayMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  sockets.close();
  await watch?.stop();
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), stopMs);
  await closed;
  clearTimeout(deadline);
  await Promise.all([callers.close(), database.close(), standby?.close(), workflows.close()]);
  accessLog.flush();
  logger.info('Stopped');
}

/** Serves until a stop signal, then ends the process. */
export async function serve(config: Config, siblings: Siblings): Promise<void> {
  const endTracing = await startTracing(config.tracing, 'api');
  const running = await start(config, siblings);
  const address = running.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.api.port;
  running.logger.info({ host: config.api.host, port }, `Listening on http://${config.api.host}:${port}`);
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    const stopped = stop(running).then(endTracing);
    stopped.then(
      () => process.exit(0),
      (error: unknown) => {
        running.logger.error({ err: error }, 'Shutdown failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  // The supervisor has exited, and could not stop this process later.
  process.on('disconnect', end);
}
