/** PostgreSQL and Temporal for one start: the embedded servers, or those named by the environment. */
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import type { DataDirectory } from './data-dir.ts';
import { apiProcesses } from './defaults.ts';
import { keptSecret, writeWhole } from './files.ts';
import { givingWay, NICENESS } from './niceness.ts';
import { freePort } from './ports.ts';
import { type EmbeddedPostgres, postgresCommand, postgresUrl, preparePostgres, waitForPostgres } from './postgres.ts';
import { answers, ensureDatabase, requireDatabase } from './postgres-client.ts';
import { type Logins, prepareLogins } from './postgres-logins.ts';
import { socketUrl } from './postgres-socket.ts';
import type { Supervisor } from './supervisor.ts';
import { requireTemporal, temporalCommand, waitForTemporal } from './temporal.ts';
import { findTemporalCli } from './temporal-cli.ts';

export interface Servers {
  /** Address for the parts of this start. `connections.env` has the address for other programs. */
  readonly databaseUrl: string;
  readonly migrationUrl: string;
  readonly temporalAddress: string;
  /** host:port of everything that this start runs on the machine, with what SERVICE_ADDRESSES names: no webhook may reach it. */
  readonly addresses: readonly string[];
  /** The UI of the embedded server, unless it has none, and the program that runs it; undefined for one that was given. */
  readonly temporal: { readonly ui: string | undefined; readonly cli: string } | undefined;
}

export const DATABASE = 'business';
const TARGET_SETTINGS = ['WEBHOOK_ALLOW_PRIVATE_TARGETS', 'OUTBOUND_ALLOWED_TARGETS', 'WEBHOOK_ALLOWED_TARGETS'];
/** Connections for other programs: a second API or worker, commands, people. */
const SPARE_CONNECTIONS = 150;
/** Connections of a process outside its pool, on which it listens. */
const LISTENING = 2;
/** Time for the servers to stop. Together with the service's own parts, a stop takes less than ten seconds. */
const SERVERS_STOP_MS = 2000;

/**
 * Starts or checks both servers, and notes the addresses of embedded ones in `connections.env`.
 * @param apiAddress host:port of the API
 * @throws StartError if one cannot be reached or started
 */
export async function startServers(
  config: Config,
  env: NodeJS.ProcessEnv,
  data: DataDirectory,
  supervisor: Supervisor,
  print: (line: string) => void,
  apiAddress: string,
): Promise<Servers> {
  const { database, temporal } = config;
  // External servers are checked first: a start that cannot succeed should say so at once.
  if (database.url !== undefined) await requireDatabase('DATABASE_URL', database.url);
  if (database.migrationUrl !== undefined && database.migrationUrl !== database.url) {
    await requireDatabase('MIGRATION_DATABASE_URL', database.migrationUrl);
  }
  if (temporal.address !== undefined) await requireTemporal({ ...temporal, address: temporal.address });

  const [postgres, embedded] = await Promise.all([
    database.url === undefined ? startPostgres(config, env, data, supervisor, print) : undefined,
    temporal.address === undefined ? startTemporal(config, env, data, supervisor, print) : undefined,
  ]);
  const databaseUrl = database.url ?? postgres?.socketUrl ?? postgres?.url ?? '';
  const temporalAddress = temporal.address ?? embedded?.address ?? '';

  const lines = [
    ...(postgres === undefined
      ? []
      : [`DATABASE_URL=${postgres.url}`, `MIGRATION_DATABASE_URL=${database.migrationUrl ?? postgres.migrationUrl}`]),
    ...(embedded === undefined
      ? []
      : [`TEMPORAL_ADDRESS=${temporalAddress}`, `TEMPORAL_NAMESPACE=${temporal.namespace}`]),
  ];
  const addresses = [
    ...(env.SERVICE_ADDRESSES?.trim() ? [env.SERVICE_ADDRESSES.trim()] : []),
    apiAddress,
    ...(postgres === undefined ? [] : [postgres.address]),
    ...(embedded?.addresses ?? []),
  ];
  lines.push(`SERVICE_ADDRESSES=${addresses.join(',')}`);
  for (const name of TARGET_SETTINGS) if (env[name]?.trim()) lines.push(`${name}=${env[name].trim()}`);
  writeWhole(data.connections, `${lines.join('\n')}\n`);
  const migrationUrl = database.migrationUrl ?? postgres?.migrationUrl ?? databaseUrl;
  return { databaseUrl, migrationUrl, temporalAddress, addresses, temporal: embedded };
}

async function startPostgres(
  config: Config,
  env: NodeJS.ProcessEnv,
  data: DataDirectory,
  supervisor: Supervisor,
  print: (line: string) => void,
): Promise<Logins & { readonly address: string; readonly socketUrl: string | null }> {
  const server: EmbeddedPostgres = {
    directory: data.postgres,
    port: config.embedded.postgresPort,
    password: keptSecret(data.keys, 'postgres-password'),
    durable: true,
    connections: (apiProcesses(config, env) + 1) * (config.database.poolSize + LISTENING) + SPARE_CONNECTIONS,
  };
  await preparePostgres(server, (name, command) => supervisor.run(name, command), print);
  print(`PostgreSQL: starting on port ${server.port}`);
  const adminUrl = postgresUrl(server, 'postgres');
  await supervisor.start({
    name: 'PostgreSQL',
    command: await postgresCommand(server),
    output: { file: join(data.logs, 'postgres.log') },
    ready: (signal) => waitForPostgres(adminUrl, signal),
    // The fast shutdown: it ends open connections instead of waiting for them.
    stopSignal: 'SIGINT',
    stopMs: SERVERS_STOP_MS,
  });
  await ensureDatabase(adminUrl, DATABASE);
  const { url, migrationUrl } = await prepareLogins(server, data.keys, DATABASE);
  const throughSocket = socketUrl(server, url);
  // In some containers even root cannot enter another user's folder.
  const address = `127.0.0.1:${server.port}`;
  return {
    url,
    migrationUrl,
    address,
    socketUrl: throughSocket !== null && (await answers(throughSocket)) ? throughSocket : null,
  };
}

async function startTemporal(
  config: Config,
  env: NodeJS.ProcessEnv,
  data: DataDirectory,
  supervisor: Supervisor,
  print: (line: string) => void,
): Promise<{ address: string; addresses: string[]; ui: string | undefined; cli: string }> {
  const { temporalPort, temporalUiPort } = config.embedded;
  const uiPort = temporalUiPort === 0 ? undefined : temporalUiPort;
  // Chosen here, since nothing tells which ones the server would take.
  const [httpPort, metricsPort] = await Promise.all([freePort(), freePort()]);
  const { namespace, cli: explicit } = config.temporal;
  const cli = await findTemporalCli({ env, explicit, print, signal: supervisor.signal });
  const address = `127.0.0.1:${temporalPort}`;
  const command = temporalCommand({
    cli,
    file: data.temporalFile,
    port: temporalPort,
    uiPort,
    httpPort,
    metricsPort,
    namespace,
    durable: true,
  });
  const ui = uiPort === undefined ? 'without its UI' : `its UI on port ${uiPort}`;
  print(`Temporal: starting on port ${temporalPort}, ${ui}`);
  await supervisor.start({
    name: 'Temporal',
    command: givingWay(command, NICENESS.temporal, env),
    output: { file: join(data.logs, 'temporal.log') },
    ready: (signal) => waitForTemporal(address, signal),
    stopSignal: 'SIGTERM',
    stopMs: SERVERS_STOP_MS,
  });
  const ports = [temporalPort, httpPort, metricsPort, ...(uiPort === undefined ? [] : [uiPort])];
  return {
    address,
    addresses: ports.map((port) => `127.0.0.1:${port}`),
    ui: uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`,
    cli,
  };
}
