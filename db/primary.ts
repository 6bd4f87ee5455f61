/** Connections to a database of several servers: always to its primary, which may be another one after each failover (decision 0277). */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { serverUrls } from '../config/database-urls.ts';
import { READ_ONLY } from '../domain/platform/outages.ts';
import { close } from './silence.ts';

/** How long a server may take to answer. */
const LOOK_MS = 2000;
/** How long to wait for other servers once one can be written to: it may be an old primary that has come back. */
const OTHERS_MS = 200;

/** The number of failovers before a server became the primary; null on a standby. */
const TIMELINE = `select case when not pg_is_in_recovery() then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`;

interface Server {
  readonly host: string;
  readonly port: number;
  /** Number of failovers before it became the primary, as eight hexadecimal digits, which sort as numbers do. */
  readonly timeline: string;
}

/** The options of `pg.Client` and `pg.Pool` that say where to connect. */
export interface Destination {
  readonly connectionString: string;
  readonly Client: typeof pg.Client;
}

/** @param url of one server, or of several, of which at most one can be written to */
export function destination(url: string): Destination {
  const servers = serverUrls(url);
  return { connectionString: servers[0], Client: servers.length === 1 ? pg.Client : clientClass(servers) };
}

/** Builds a client of the primary. @param options further ones of `pg.Client` */
export function primaryClient(url: string, options: Omit<pg.ClientConfig, 'connectionString'> = {}): pg.Client {
  const { Client, connectionString } = destination(url);
  return new Client({ ...options, connectionString });
}

/** A client that looks for the primary each time that it connects: connections last, so that it costs little. */
function clientClass(servers: readonly string[]): typeof pg.Client {
  let looking: Promise<Server> | null = null;
  const look = () => {
    looking ??= findPrimary(servers).finally(() => {
      looking = null;
    });
    return looking;
  };
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(done: (error: Error) => void): void;
    override connect(done?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = look().then((server) => {
        Object.assign(this, server);
        return super.connect();
      });
      if (done === undefined) return connected;
      connected.then(() => (done as (error?: Error) => void)(), done);
      return undefined;
    }
  };
}

/**
 * Finds the server that can be written to. Of several it is the one with most failovers behind it: the others were the primary once.
 * @throws Error that counts as an outage, if there is none
 */
export async function findPrimary(servers: readonly string[]): Promise<Server> {
  const found: Server[] = [];
  let failure: unknown = null;
  let first: () => void = () => undefined;
  const anyFound = new Promise<void>((resolve) => {
    first = resolve;
  });
  const looks = servers.map(async (url) => {
    try {
      const server = await lookAt(url);
      if (server === null) return;
      found.push(server);
      first();
    } catch (error) {
      failure ??= error;
    }
  });
  const over = new AbortController();
  const enough = anyFound.then(() => delay(OTHERS_MS, undefined, { signal: over.signal })).catch(() => undefined);
  await Promise.race([Promise.all(looks), enough]);
  over.abort();
  const [newest] = found.sort((one, other) => (one.timeline < other.timeline ? 1 : -1));
  if (newest !== undefined) return newest;
  throw (
    failure ??
    Object.assign(new Error('no server of the database is its primary'), { code: READ_ONLY, severity: 'ERROR' })
  );
}

/** @returns null if it is a standby */
async function lookAt(url: string): Promise<Server | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LOOK_MS, query_timeout: LOOK_MS });
  // Reported by the query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(TIMELINE);
    const timeline = rows[0]?.timeline ?? null;
    return timeline === null ? null : { host: client.host, port: client.port, timeline };
  } finally {
    // A server that hangs must not be waited for.
    void close(client);
  }
}
