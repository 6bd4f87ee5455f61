import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extract } from 'tar-fs';
import { baseBackup } from '../../runtime/backup/base-backup.ts';
import { withOwnServer } from '../../runtime/backup/own-server.ts';
import { openDataDirectory } from '../../runtime/data-dir.ts';
import { freePort } from '../../runtime/ports.ts';
import { type EmbeddedPostgres, postgresUrl } from '../../runtime/postgres.ts';
import { connect, ensureDatabase } from '../../runtime/postgres-client.ts';
import { postgresUser } from '../../runtime/postgres-user.ts';
import { DATABASE } from '../../runtime/servers.ts';
import { type Killable, killablePostgres, prepareFiles } from '../helpers/killable.ts';
import { eventually } from '../helpers/worker.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const quietly = () => undefined;

describe('backup and restore on one machine', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
    chmodSync(folder, 0o755); // PostgreSQL, started by root, runs as another user
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const place = (name: string) => join(folder, name);
  const command = async (program: string, dataDir: string, ...args: string[]) => {
    const { DATABASE_URL: _, MIGRATION_DATABASE_URL: __, ...env } = process.env;
    const file = `runtime/backup/${program}.ts`;
    return await promisify(execFile)(process.execPath, ['--import', 'tsx', file, ...args], {
      cwd: ROOT,
      env: { ...env, DATA_DIR: place(dataDir) },
    });
  };
  const onServer = async <T>(dataDir: string, work: (url: string, server: EmbeddedPostgres) => Promise<T>) => {
    const data = openDataDirectory(place(dataDir));
    return await withOwnServer(data, data.postgres, quietly, async (server) => {
      await ensureDatabase(postgresUrl(server, 'postgres'), DATABASE);
      return await work(postgresUrl(server, DATABASE), server);
    });
  };
  const numbers = async (dataDir: string): Promise<number[]> =>
    await onServer(dataDir, (url) =>
      connect(url, async (client) => (await client.query('select n from numbers order by n')).rows.map(({ n }) => n)),
    );
  const only = (path: string) => join(path, readdirSync(path)[0] as string);

  before(async () => {
    await onServer('first', (url) =>
      connect(url, async (client) => {
        await client.query('create table numbers (n integer)');
        await client.query('insert into numbers values (1)');
      }),
    );
  });

  it('keeps the database and the keys, of a service that is stopped', async () => {
    const { stdout } = await command('backup', 'first', '--to', place('stopped'));
    assert.match(stdout, /: \d+\.\d MB in \d+\.\d s, with the state of 20/);
    const backup = only(place('stopped'));
    assert.deepEqual(readdirSync(backup).sort(), ['backup.json', 'keys', 'postgres.tar.gz']);
    assert.equal(statSync(backup).mode & 0o077, 0, 'others cannot read it');
    assert.equal(statSync(join(backup, 'postgres.tar.gz')).mode & 0o077, 0);

    const restored = await command('restore', 'second', backup);
    assert.match(restored.stdout, /Nothing was under way|Restored to|Held/);
    assert.deepEqual(await numbers('second'), [1]);
    const key = (dataDir: string) => readFileSync(join(place(dataDir), 'keys', 'postgres-password'), 'utf8');
    assert.equal(key('second'), key('first'));
  });

  it('has the state of its end, of a service that writes meanwhile', async () => {
    const [atStart, atEnd] = await onServer('first', async (url, server) => {
      writeFileSync(
        join(place('first'), 'connections.env'),
        `DATABASE_URL=postgres://x:y@127.0.0.1:${server.port}/${DATABASE}\n`,
      );
      const counts: number[] = [];
      await connect(url, async (client) => {
        let running = true;
        const done = command('backup', 'first', '--to', place('busy')).finally(() => {
          running = false;
        });
        for (let n = 2; running; n++) {
          await client.query('insert into numbers values ($1)', [n]);
          counts.push(n);
        }
        await done;
      });
      rmSync(join(place('first'), 'connections.env'));
      return [counts[0] ?? 0, counts.at(-1) ?? 0];
    });
    await command('restore', 'third', only(place('busy')));
    const found = await numbers('third');
    assert.deepEqual(
      found,
      Array.from({ length: found.length }, (_, index) => index + 1),
      'without gaps',
    );
    assert.ok(found.length >= atStart && found.length <= atEnd, `${found.length} of ${atStart} to ${atEnd}`);
  });

  it('fails with what it is written to, and leaves the process alone', async () => {
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('No space left')) });
    const lost: unknown[] = [];
    const note = (reason: unknown) => lost.push(reason);
    process.on('unhandledRejection', note);
    await onServer('first', async (_, server) => {
      await assert.rejects(pipeline(await baseBackup(postgresUrl(server, DATABASE)), full), /No space left/);
    });
    process.off('unhandledRejection', note);
    assert.deepEqual(lost, []);
  });

  it('is taken of a service that was killed, and restored with its own keys only', async () => {
    writeFileSync(join(place('first'), 'connections.env'), `DATABASE_URL=postgres://x:y@127.0.0.1:1/${DATABASE}\n`);
    await command('backup', 'first', '--to', place('killed'));
    mkdirSync(join(place('other'), 'keys'), { recursive: true });
    writeFileSync(join(place('other'), 'keys', 'jwt-secret'), 'of another service');
    writeFileSync(join(place('first'), 'keys', 'jwt-secret'), 'of this service');
    await command('backup', 'first', '--to', place('keyed'));
    await assert.rejects(command('restore', 'other', only(place('keyed'))), /is another key than that of the backup/);
    rmSync(join(place('first'), 'connections.env'));
  });

  it('restores nothing from a damaged archive, into a full place, or without the keys', async () => {
    await command('backup', 'first', '--to', place('bad'), '--without-keys');
    const backup = only(place('bad'));
    await assert.rejects(command('restore', 'fourth', backup), /The backup has no keys: put them into /);
    appendFileSync(join(backup, 'postgres.tar.gz'), 'x');
    await assert.rejects(command('restore', 'fourth', backup), /is damaged: its checksum/);
    assert.equal(existsSync(join(place('fourth'), 'postgres')), false);
    await assert.rejects(command('restore', 'first', backup), /exists: a backup is restored into an empty place/);
    await assert.rejects(command('restore', 'fourth', place('nowhere')), /has no backup: it must contain backup\.json/);
    await assert.rejects(command('backup', 'nowhere'), /has no database: set DATA_DIR/);
  });
});

describe('a base backup with the log that was archived since', function () {
  this.timeout(120_000);
  let folder: string;
  let servers: readonly [EmbeddedPostgres, EmbeddedPostgres];
  let running: readonly Killable[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'point-'));
    chmodSync(folder, 0o755);
    const server = async (name: string): Promise<EmbeddedPostgres> => {
      return { directory: join(folder, name), port: await freePort(), password: 'of-the-test', durable: true };
    };
    servers = [await server('first'), await server('second')];
    running = servers.map((one) => killablePostgres(one, url(one)));
    await prepareFiles(servers[0]);
    owned(join(folder, 'log'));
    set(servers[0], { archive_mode: 'on', archive_command: `cp %p ${folder}/log/%f` });
    await running[0]?.start();
  });
  after(async () => {
    for (const one of running) await one.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const url = (server: EmbeddedPostgres) => postgresUrl(server, 'postgres');
  const ask = <T>(server: EmbeddedPostgres, sql: string) =>
    connect(url(server), async (client) => (await client.query(sql)).rows as T[]);
  const ids = () => postgresUser(servers[0].directory).ids;
  const owned = (path: string) => {
    mkdirSync(path, { mode: 0o700 });
    const user = ids();
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  };
  const set = (one: EmbeddedPostgres, settings: Record<string, string>) => {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    appendFileSync(join(one.directory, 'postgresql.auto.conf'), lines.join(''));
  };
  const archived = (server: EmbeddedPostgres) =>
    eventually(async () => {
      const [state] = await ask<{ ready: boolean }>(
        server,
        'select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) as ready from pg_stat_archiver',
      );
      assert.equal(state?.ready, true);
    });

  it('is restored to a point in time', async () => {
    const [first, second] = servers;
    await ask(first, 'create table numbers (n integer)');
    owned(second.directory);
    const mine = extract(second.directory, { map: (header) => Object.assign(header, ids()) });
    await pipeline(await baseBackup(url(first)), mine);
    await ask(first, 'insert into numbers values (1)');
    const [{ at } = { at: '' }] = await ask<{ at: string }>(first, 'select clock_timestamp()::text as at');
    await ask(first, 'insert into numbers values (2)');
    await ask(first, 'select pg_switch_wal()');
    await archived(first);
    await running[0]?.kill();

    set(second, {
      archive_mode: 'off',
      restore_command: `cp ${folder}/log/%f %p`,
      recovery_target_time: at,
      recovery_target_action: 'promote',
    });
    writeFileSync(join(second.directory, 'recovery.signal'), '');
    await running[1]?.start();
    assert.deepEqual(await ask(second, 'select n from numbers'), [{ n: 1 }]);
  });
});
