/** Connects to the servers at start, for a limited time, and reports in one line what is missing. */
import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import { type TemporalServer, temporalConnection } from '../config/temporal.ts';
import type { Database } from '../db/database.ts';
import { SEARCH_ATTRIBUTES } from '../workflows/platform/search-attributes/contract.ts';

/** A server that the worker needs is missing. The message is for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const TRIES = 75;
const PAUSE_MS = 200;
const CALL_MS = 5000;
const KEYWORD = 2;

/** @throws StartError after about 15 s */
export async function reachDatabase(database: Database, signal: AbortSignal): Promise<void> {
  await bounded(signal, async () => {
    if (!(await database.ping())) throw new Error('no answer');
  }).catch(() => {
    throw new StartError('The database does not answer: check DATABASE_URL and that the server runs');
  });
}

/**
 * Connects to Temporal, waits for its namespace and registers the search attributes (idempotent).
 * @throws StartError after about 15 s
 */
export async function reachTemporal(temporal: TemporalServer, signal: AbortSignal): Promise<NativeConnection> {
  const connection = await bounded(signal, () => NativeConnection.connect(temporalConnection(temporal))).catch(
    (error: unknown) => {
      throw new StartError(
        `Temporal does not answer at ${temporal.address}: check TEMPORAL_ADDRESS and that the server runs (${errorMessage(error)})`,
      );
    },
  );
  try {
    await bounded(signal, () =>
      connection.withDeadline(Date.now() + CALL_MS, () =>
        connection.workflowService.describeNamespace({ namespace: temporal.namespace }),
      ),
    );
    await bounded(signal, () => registerSearchAttributes(connection, temporal.namespace));
  } catch (error) {
    await connection.close();
    throw new StartError(
      `Temporal's namespace ${temporal.namespace} cannot be used: check TEMPORAL_NAMESPACE (${errorMessage(error)})`,
    );
  }
  return connection;
}

/** Registers the search attributes of workflows; idempotent. */
export async function registerSearchAttributes(
  connection: Pick<NativeConnection, 'withDeadline' | 'operatorService'>,
  namespace: string,
): Promise<void> {
  await connection.withDeadline(Date.now() + CALL_MS, () =>
    connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, KEYWORD])),
    }),
  );
}

async function bounded<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === TRIES || signal.aborted) throw error;
      await delay(PAUSE_MS);
    }
  }
}

function errorMessage(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
