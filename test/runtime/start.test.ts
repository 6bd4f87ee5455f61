import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../runtime/postgres-client.ts';
import { processIdentity } from '../../runtime/process-identity.ts';
import { type Start, start, startEnvironment, startReady, until } from './fixtures/start.ts';

describe('npm start', function () {
  this.timeout(60_000);
  let dataDir: string;
  let env: Record<string, string>;
  let running: Start[];

  before(async () => {
    // Closed to other users, as a folder under /root is.
    dataDir = mkdtempSync(join(tmpdir(), 'start-'));
    env = await startEnvironment(dataDir);
  });
  beforeEach(() => {
    running = [];
  });
  afterEach(async () => {
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all(running.map(({ exited }) => exited));
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  async function ready(manner?: string): Promise<Start> {
    const begun = await startReady(env, manner);
    running.push(begun);
    return begun;
  }
  const answer = async (begun: Start, path: string) =>
    (await (await fetch(`${begun.address}${path}`)).json()) as Record<string, string>;
  const connections = () => readFileSync(join(dataDir, 'connections.env'), 'utf8');
  const variable = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(connections())?.[1] ?? '';
  const databaseUrl = () => variable('DATABASE_URL');

  it('gives its parts all they need, and stops them before the servers', async () => {
    const begun = await ready();
    const given = await answer(begun, '/env');
    // The same, but through a socket: no address of a client is known then.
    assert.equal(given.DATABASE_URL?.split('?')[0], databaseUrl());
    const seen = await connect(given.DATABASE_URL ?? '', (client) =>
      client.query('select inet_client_addr() as address'),
    );
    assert.deepEqual(seen.rows, [{ address: null }]);
    assert.equal(given.TEMPORAL_ADDRESS, env.TEMPORAL_ADDRESS);
    assert.ok((given.JWT_SECRET ?? '').length >= 32 && (given.ENCRYPTION_KEY ?? '').length >= 32);
    assert.equal(given.WEBHOOK_ALLOW_PRIVATE_TARGETS, undefined);
    const own = `127.0.0.1:${env.PORT},127.0.0.1:${env.POSTGRES_PORT}`;
    assert.equal(given.SERVICE_ADDRESSES, own);
    assert.match(connections(), new RegExp(`^SERVICE_ADDRESSES=${own}$`, 'm'));
    assert.equal(statSync(join(dataDir, 'connections.env')).mode & 0o777, 0o600);
    for (const key of readdirSync(join(dataDir, 'keys')))
      assert.equal(statSync(join(dataDir, 'keys', key)).mode & 0o777, 0o600);
    for (const shown of [begun.address, `${begun.address}/docs`, 'curl '])
      assert.ok(begun.stdout.includes(shown), shown);

    await until(() => begun.stdout.includes('stand-in worker: running'));
    begun.child.kill('SIGINT');
    assert.equal(await begun.exited, 0);
    const stops = [...begun.stdout.matchAll(/^Stopping (.*)$/gm)].map((match) => match[1]);
    assert.deepEqual(stops, ['Worker', 'API', 'PostgreSQL']);
    assert.match(begun.stdout, /stand-in worker: drained/);
    assert.match(begun.stdout, /stand-in API: drained/);
    assert.ok(!existsSync(join(dataDir, 'connections.env')));
    assert.deepEqual(readdirSync(join(dataDir, 'processes')), []);
    assert.equal(begun.stderr, '');
  });

  it('gives its parts a login that is bound by row-level security, reads no passwords and runs no programs', async function () {
    this.timeout(240_000);
    const begun = await ready();
    const given = await answer(begun, '/env');
    const superuser = `postgres://postgres:${readFileSync(join(dataDir, 'keys', 'postgres-password'), 'utf8').trim()}@`;
    await connect(variable('MIGRATION_DATABASE_URL').replace(/postgres:\/\/[^@]*@/, superuser), async (client) => {
      await client.query('create table if not exists secrets as select 1 as secret');
      await client.query('alter table secrets enable row level security');
      await client.query('grant select on secrets to bms_app');
    });
    for (const url of [
      given.DATABASE_URL,
      given.MIGRATION_DATABASE_URL,
      databaseUrl(),
      variable('MIGRATION_DATABASE_URL'),
    ]) {
      await connect(url ?? '', async (client) => {
        const { rows } = await client.query(
          `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as may from pg_roles
           where rolname in (session_user, current_user)`,
        );
        assert.deepEqual(rows, [{ may: false }], url);
        const refused = [
          'select rolpassword from pg_authid',
          "copy (select 1) to program 'true'",
          "create temp table t (x text); copy t from program 'id'",
          "select pg_read_file('/etc/passwd')",
          'set role postgres',
        ];
        for (const statement of refused) await assert.rejects(client.query(statement), /permission denied/, statement);
      });
    }
    const { rows } = await connect(databaseUrl(), (client) => client.query('select * from secrets'));
    assert.deepEqual(rows, []);
    // What an earlier release made as the superuser belongs to the owner after a start.
    begun.child.kill('SIGINT');
    await begun.exited;
    await ready();
    await connect(variable('MIGRATION_DATABASE_URL'), (client) => client.query('drop table secrets'));
  });

  it('survives a kill -9: the next start ends what is left and finds the data', async () => {
    const first = await ready();
    const url = variable('MIGRATION_DATABASE_URL');
    await connect(url, (client) => client.query('create table kept as select 42 as answer'));
    const secrets = await answer(first, '/env');
    const api = Number((await answer(first, '/')).pid);
    const parts = readdirSync(join(dataDir, 'processes')).map((file) => Number(file.split('.')[0]));
    assert.equal(parts.length, 3);
    first.child.kill('SIGKILL');
    await first.exited;
    // The service's own parts notice it themselves; PostgreSQL cannot.
    await until(() => processIdentity(api) === undefined);
    // Leftover of a start killed while it created the files.
    writeFileSync(join(dataDir, 'postgres.new-0badcafe'), '');

    const second = await ready();
    const found = await connect(url, (client) => client.query('select answer from kept'));
    assert.equal(found.rows[0].answer, 42);
    assert.match(second.stdout, /Ended processes that an earlier start left running: .*PostgreSQL/);
    for (const pid of parts) assert.equal(processIdentity(pid), undefined);
    assert.equal((await answer(second, '/env')).JWT_SECRET, secrets.JWT_SECRET);
    assert.ok(!existsSync(join(dataDir, 'postgres.new-0badcafe')));
  });

  it('refuses a second start on the same data, and restarts a part that dies, PostgreSQL too', async () => {
    const begun = await ready();
    const second = start(env);
    assert.equal(await second.exited, 1);
    assert.match(second.stderr, /^Already running on this DATA_DIR \(process \d+\): .*\n$/);

    const before = (await answer(begun, '/')).pid;
    await fetch(`${begun.address}/die`).catch(() => undefined);
    await until(async () => {
      const now = await answer(begun, '/').catch(() => undefined);
      return now !== undefined && now.pid !== before;
    });
    assert.match(begun.stdout, /API died \(exit code 7\): restarting it in 0\.25 s/);

    const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(postmaster, 'SIGKILL');
    await until(() => begun.stdout.includes('PostgreSQL died (SIGKILL)'));
    await until(() => connect(databaseUrl(), async () => true).catch(() => false));
  });

  it('gives up on a part that dies five times within a minute', async () => {
    const begun = start(env, 'dying');
    assert.equal(await begun.exited, 1);
    assert.equal(
      begun.stderr,
      'Worker died 5 times within a minute (last: exit code 3): the reason is in its output above\n',
    );
    assert.equal([...begun.stdout.matchAll(/Worker died .*: restarting/g)].length, 4);
    assert.match(begun.stdout, /Stopping PostgreSQL/);
  });

  it('ends within ten seconds also when a part does not want to', async () => {
    const begun = await ready('stubborn');
    const asked = Date.now();
    begun.child.kill('SIGTERM');
    assert.equal(await begun.exited, 0);
    assert.ok(Date.now() - asked < 10_000);
    assert.deepEqual(readdirSync(join(dataDir, 'processes')), []);
  });

  it('stops cleanly in the middle of starting', async () => {
    const begun = start(env);
    await until(() => begun.stdout.includes('PostgreSQL: starting'));
    begun.child.kill('SIGTERM');
    assert.equal(await begun.exited, 0);
    assert.equal(begun.stderr, '');
    assert.ok(!existsSync(join(dataDir, 'supervisor.lock')));
  });
});
