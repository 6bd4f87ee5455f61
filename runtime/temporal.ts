/** The Temporal dev server: its command, and waiting for it. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TemporalServer, temporalConnection } from '../config/temporal.ts';
import type { Command } from './command.ts';
import { bareEnvironment } from './environment.ts';
import { errorCode, errorMessage, StartError } from './errors.ts';

export interface EmbeddedTemporal {
  /** The `temporal` program. */
  readonly cli: string;
  /** The file with its state. */
  readonly file: string;
  readonly port: number;
  /** undefined = no UI. */
  readonly uiPort: number | undefined;
  /** Ports of its HTTP interface, which is closed, and of its metrics; undefined = free ones. */
  readonly httpPort?: number;
  readonly metricsPort?: number;
  readonly namespace: string;
  /** Whether its file survives a power failure; off only in tests, which a slow disk then does not hold up. */
  readonly durable: boolean;
}

/**
 * Without the first two, the server's single shard polls 20 times a second and adds 150 ms to every workflow after a few quick ones. The
 * third lets a worker start an activity without another round trip. The others serve each queue by priority, and companies within a
 * queue in turns: exactly, since each queue has a single partition.
 */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=1000',
  'history.timerProcessorMaxPollRPS=1000',
  'system.enableActivityEagerExecution=true',
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];

/** The command of the server process. */
export function temporalCommand(server: EmbeddedTemporal): Command {
  const args = [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(server.port),
    '--db-filename',
    server.file,
  ];
  if (server.httpPort !== undefined) args.push('--http-port', String(server.httpPort));
  if (server.metricsPort !== undefined) args.push('--metrics-port', String(server.metricsPort));
  if (server.uiPort === undefined) args.push('--headless');
  else args.push('--ui-ip', '127.0.0.1', '--ui-port', String(server.uiPort));
  if (server.namespace !== 'default') args.push('--namespace', server.namespace);
  // Syncs half as often as by default at an eighth of the cost; the file stays intact after a crash.
  args.push('--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', `synchronous=${server.durable ? 1 : 0}`);
  // The service uses gRPC alone: the HTTP interface, which no setting turns off, serves a host that nobody knows.
  args.push('--dynamic-config-value', `frontend.httpAllowedHosts=["${randomBytes(16).toString('hex')}.invalid"]`);
  for (const entry of DYNAMIC_CONFIG) args.push('--dynamic-config-value', entry);
  return { file: server.cli, args, env: bareEnvironment() };
}

/** Resolves once the server listens. The worker checks the namespace: the client for that takes half a second to load. */
export async function waitForTemporal(address: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await requireListener(address, 1000);
      return;
    } catch {
      // Not ready yet. The caller limits the wait, and the supervisor reports a server that dies.
      await sleep(50, undefined, { signal });
    }
  }
}

/**
 * Checks that a server given by TEMPORAL_ADDRESS answers and has the namespace.
 * @throws StartError naming the variable
 */
export async function requireTemporal(temporal: TemporalServer): Promise<void> {
  const { address, namespace } = temporal;
  try {
    await requireListener(address, 5000);
    await describeNamespace(temporal, 5000);
  } catch (error) {
    if (isNotFound(error)) {
      throw new StartError(
        `Temporal at ${address} has no namespace "${namespace}": create it (temporal operator namespace create -n ${namespace}) or set ` +
          `TEMPORAL_NAMESPACE`,
      );
    }
    throw new StartError(
      `Temporal at ${address} cannot be reached (${errorCode(error) ?? errorMessage(error)}): start it or correct TEMPORAL_ADDRESS; ` +
        `without it the embedded dev server is used`,
    );
  }
}

/** Fails at once if nothing listens: the client would keep retrying. */
async function requireListener(address: string, timeoutMs: number): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = createConnection({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
  } finally {
    socket.destroy();
  }
}

async function describeNamespace(temporal: TemporalServer, timeoutMs: number): Promise<void> {
  // Loaded only once it is needed.
  const { Connection } = await import('@temporalio/client');
  const connection = await Connection.connect({ ...temporalConnection(temporal), connectTimeout: timeoutMs });
  try {
    await connection.withDeadline(Date.now() + timeoutMs, () =>
      connection.workflowService.describeNamespace({ namespace: temporal.namespace }),
    );
  } finally {
    await connection.close();
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 5;
}
