/** A PostgreSQL server with a standby that follows it, as processes of a test's own, to try failovers with. */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/ports.ts';
import { type EmbeddedPostgres, postgresUrl } from '../../runtime/postgres.ts';
import { connect } from '../../runtime/postgres-client.ts';
import { type Killable, killablePostgres, prepareFiles } from './killable.ts';

const PASSWORD = 'of-the-test';

export interface Cluster {
  /** URL of the database, of both servers for its superuser: the standby first. */
  readonly url: string;
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  readonly primary: Killable;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

/** Starts both servers: what the primary commits, the standby has. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  chmodSync(folder, 0o755); // PostgreSQL, started by root, runs as another user
  const server = async (name: string): Promise<EmbeddedPostgres> => {
    return { directory: join(folder, name), port: await freePort(), password: PASSWORD, durable: true };
  };
  const [first, second] = [await server('first'), await server('second')];
  const [primaryUrl, standbyUrl] = [postgresUrl(first, 'postgres'), postgresUrl(second, 'postgres')];
  const [primary, standby] = [killablePostgres(first, primaryUrl), killablePostgres(second, standbyUrl)];
  await prepareFiles(first);
  // A server that has never run is its own backup.
  copyOwned(first.directory, second.directory);
  writeFileSync(join(second.directory, 'standby.signal'), '');
  const follows = `host=127.0.0.1 port=${first.port} user=postgres password=${PASSWORD} application_name=standby`;
  appendFileSync(join(second.directory, 'postgresql.auto.conf'), `primary_conninfo = '${follows}'\n`);
  appendFileSync(join(first.directory, 'postgresql.auto.conf'), `synchronous_standby_names = 'standby'\n`);
  await Promise.all([primary.start(), standby.start()]);
  return {
    url: primaryUrl.replace('127.0.0.1', `127.0.0.1:${second.port},127.0.0.1`),
    primaryUrl,
    standbyUrl,
    primary,
    async promote() {
      // It waits for no standby of its own: there is none.
      await connect(standbyUrl, (client) => client.query('select pg_promote()'));
    },
    async close() {
      for (const one of [primary, standby]) await one.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Copies a directory, with its owners. */
function copyOwned(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const name of ['.', ...(readdirSync(from, { recursive: true }) as string[])]) {
    const { uid, gid, mode } = statSync(join(from, name));
    lchownSync(join(to, name), uid, gid);
    chmodSync(join(to, name), mode);
  }
}
