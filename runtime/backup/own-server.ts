/** Runs the embedded PostgreSQL for a backup or a restore, while the service is stopped. */
import { join } from 'node:path';
import type { DataDirectory } from '../data-dir.ts';
import { keptSecret } from '../files.ts';
import { freePort } from '../ports.ts';
import { type EmbeddedPostgres, postgresCommand, postgresUrl, preparePostgres, waitForPostgres } from '../postgres.ts';
import { Supervisor } from '../supervisor.ts';

const CONNECTIONS = 20;
const STOP_MS = 30_000;

/**
 * Starts the server, does something with it, and stops it.
 * @param directory its files
 */
export async function withOwnServer<T>(
  data: DataDirectory,
  directory: string,
  print: (line: string) => void,
  work: (server: EmbeddedPostgres, supervisor: Supervisor) => Promise<T>,
): Promise<T> {
  const server: EmbeddedPostgres = {
    directory,
    port: await freePort(),
    password: keptSecret(data.keys, 'postgres-password'),
    durable: true,
    connections: CONNECTIONS,
  };
  const supervisor = new Supervisor(data.processes, () => undefined);
  try {
    await preparePostgres(server, (name, command) => supervisor.run(name, command), print);
    await supervisor.start({
      name: 'PostgreSQL',
      command: await postgresCommand(server),
      output: { file: join(data.logs, 'postgres.log') },
      ready: (signal) => waitForPostgres(postgresUrl(server, 'postgres'), signal),
      stopSignal: 'SIGINT',
      stopMs: STOP_MS,
    });
    return await work(server, supervisor);
  } finally {
    await supervisor.stop();
  }
}
