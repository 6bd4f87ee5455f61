/** The few queries that a start sends to a PostgreSQL server. */
import pg from 'pg';
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
  try {
    await connect(url, (client) => client.query('select 1'));
  } catch (error) {
    const { host, pathname } = new URL(url);
    const reason = errorCode(error) ?? errorMessage(error);
    throw new StartError(
      `The database ${host}${pathname} cannot be reached (${reason}): start it or correct ${variable}; without ${variable} the ` +
        `embedded server is used`,
    );
  }
}
