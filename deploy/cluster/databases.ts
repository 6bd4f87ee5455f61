/** The PostgreSQL servers of a cluster: a primary, and a standby that has all that the primary has committed. */
import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { baseBackup } from '../../runtime/backup/base-backup.ts';
import { unpack } from '../../runtime/backup/unpack.ts';
import { runCommand } from '../../runtime/command.ts';
import { StartError } from '../../runtime/errors.ts';
import { type EmbeddedPostgres, postgresCommand, postgresUrl, preparePostgres } from '../../runtime/postgres.ts';
import { answers, connect } from '../../runtime/postgres-client.ts';
import { type Place, SERVERS, type ServerName } from './place.ts';
import { type Part, runningPid, runStep, signalPart } from './processes.ts';

/** 11 processes of the service with 20 and two each, up to 8 times 20 of Temporal's stores, and some to spare. */
const CONNECTIONS = 500;
const PROMOTE_SECONDS = 30;

/** Logins of deploy/databases.mjs, and the variables with their passwords. */
const PASSWORDS = {
  bms_owner: 'BMS_OWNER_PASSWORD',
  bms_service: 'BMS_SERVICE_PASSWORD',
  temporal: 'TEMPORAL_DB_PASSWORD',
} as const;

export function databasePart(place: Place, name: ServerName): Part {
  const server = embedded(place, name);
  return {
    name,
    async command() {
      if (name !== place.primary) await follow(place, name);
      await preparePostgres(
        server,
        (_, command) => runCommand(command),
        () => undefined,
      );
      const command = await postgresCommand(server);
      // What a standby has not had while it was away is kept for it.
      return { ...command, args: [...command.args, '-c', 'wal_keep_size=1GB', '-c', 'hot_standby_feedback=on'] };
    },
    isReady: () => answers(superuserUrl(place, name)),
    stopSignal: 'SIGINT',
    stopMs: 30_000,
  };
}

/** Makes the primary wait for the standby with each commit while there is one, as Patroni does, and only then. */
export async function agreeOnStandby(place: Place): Promise<void> {
  if (runningPid(place, place.primary) === undefined) return;
  const names = runningPid(place, place.standby) === undefined ? '' : place.standby;
  await connect(superuserUrl(place, place.primary), async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${names.replaceAll('-', '_')}'`);
    await client.query('select pg_reload_conf()');
  });
}

/** Creates logins and databases; may be repeated. */
export async function createDatabases(place: Place): Promise<void> {
  const passwords = Object.entries(PASSWORDS).map(([login, variable]) => [variable, place.secret(login)]);
  const env = {
    ...process.env,
    PGHOST: '127.0.0.1',
    PGPORT: String(place.port(place.primary)),
    PGUSER: 'postgres',
    PGPASSWORD: place.secret('postgres'),
    ...Object.fromEntries(passwords),
  };
  const script = new URL('../databases.mjs', import.meta.url).pathname;
  await runStep('deploy/databases.mjs', { file: process.execPath, args: [script], env });
}

/** Address of the service's database on both servers. */
export function databaseUrl(place: Place, login: keyof typeof PASSWORDS): string {
  return `postgres://${login}:${place.secret(login)}@${SERVERS.map((name) => place.address(name)).join(',')}/bms`;
}

/** Address of the service's database on one server. */
export function serverUrl(place: Place, login: keyof typeof PASSWORDS, name: ServerName): string {
  return `postgres://${login}:${place.secret(login)}@${place.address(name)}/bms`;
}

/** Ends the primary, if it runs, and makes the standby the primary. @throws StartError if there is no standby */
export async function failOver(place: Place): Promise<void> {
  const next = place.standby;
  if (runningPid(place, next) === undefined) {
    throw new StartError(`${next} does not run: it cannot become the primary`);
  }
  // Never two of them: what is written to the old one would be lost.
  await signalPart(place, place.primary, 'SIGKILL');
  await connect(superuserUrl(place, next), async (client) => {
    await client.query(`select pg_promote(true, ${PROMOTE_SECONDS})`);
  });
  place.primary = next;
  await agreeOnStandby(place);
}

/** Makes a server a standby of the primary: with its own files if it was one, otherwise with a copy of the primary's. */
async function follow(place: Place, name: ServerName): Promise<void> {
  const { directory } = embedded(place, name);
  if (existsSync(`${directory}/standby.signal`)) return;
  if (!(await answers(superuserUrl(place, place.primary)))) {
    throw new StartError(`${name} cannot follow ${place.primary}, which does not run: start ${place.primary} first`);
  }
  const draft = `${directory}.new-copy`;
  await unpack([await baseBackup(superuserUrl(place, place.primary))], draft);
  writeFileSync(`${draft}/standby.signal`, '');
  const primary = `host=127.0.0.1 port=${place.port(place.primary)} user=postgres password=${place.secret('postgres')}`;
  const settings = `primary_conninfo = '${primary} application_name=${name.replaceAll('-', '_')}'\n`;
  appendFileSync(`${draft}/postgresql.auto.conf`, settings);
  rmSync(directory, { recursive: true, force: true });
  renameSync(draft, directory);
}

function embedded(place: Place, name: ServerName): EmbeddedPostgres {
  return {
    directory: place.path(name),
    port: place.port(name),
    password: place.secret('postgres'),
    durable: true,
    connections: CONNECTIONS,
  };
}

/** Address of a server itself for its superuser, past any proxy. */
function superuserUrl(place: Place, name: ServerName): string {
  return postgresUrl(embedded(place, name), 'postgres');
}
