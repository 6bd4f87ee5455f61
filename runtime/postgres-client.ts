/** The few queries that a start sends to a PostgreSQL server. */
import pg from 'pg';
import { databaseName, serverUrls } from '../config/database-urls.ts';
import { errorCode, errorMessage, StartError } from './errors.ts';

/** Connects, does something, and closes the connection. */
export async function connect<T>(url: string, work: (client: pg.Client) => Promise<T>, timeoutMs = 5000): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  // Otherwise a connection that breaks while idle would end the process; the next query reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether a database can be reached at this address. */
export async function answers(url: string): Promise<boolean> {
  return connect(url, async () => true).catch(() => false);
}

/** Creates a database unless it exists. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  await connect(adminUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  });
}

/**
 * Checks that a server given by an environment variable answers.
 * @throws StartError naming the variable and the server, without its password
 */
export async function requireDatabase(variable: string, url: string): Promise<void> {
  const looks = serverUrls(url).map((server) => connect(server, (client) => client.query('select 1')));
  const [first, ...others] = await Promise.allSettled(looks);
  if (first?.status !== 'rejected' || others.some(({ status }) => status === 'fulfilled')) return;
  const reason = errorCode(first.reason) ?? errorMessage(first.reason);
  throw new StartError(
    `The database ${databaseName(url)} cannot be reached (${reason}): start it or correct ${variable}; without ${variable} the ` +
      `embedded server is used`,
  );
}
