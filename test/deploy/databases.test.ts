import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { broken, verifyDatabase } from '../../db/verify.ts';
import { testPostgres } from '../helpers/servers.ts';
import { ROOT } from './compose.ts';

const PASSWORDS = {
  BMS_OWNER_PASSWORD: 'owner',
  BMS_SERVICE_PASSWORD: "it's 'secret'",
  TEMPORAL_DB_PASSWORD: 'temporal',
};
const run = promisify(execFile);

describe('the set-up of a PostgreSQL server', function () {
  this.timeout(60_000);
  let admin: URL;
  before(async () => {
    admin = new URL((await testPostgres()).adminUrl);
  });

  const setUp = (env: Record<string, string>) =>
    run(process.execPath, ['deploy/databases.mjs'], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH ?? '',
        PGHOST: admin.hostname,
        PGPORT: admin.port,
        PGUSER: admin.username,
        PGPASSWORD: decodeURIComponent(admin.password),
        ...env,
      },
    });
  const login = (user: string, password: string, database: string) => {
    const url = new URL(admin);
    url.username = user;
    url.password = encodeURIComponent(password);
    url.pathname = database;
    return url.href;
  };
  async function query(url: string, sql: string) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  it('makes logins that can do their part and no more, and may be repeated with new passwords', async () => {
    await setUp({ ...PASSWORDS, BMS_SERVICE_PASSWORD: 'the first one' });
    await setUp(PASSWORDS);
    const owner = login('bms_owner', PASSWORDS.BMS_OWNER_PASSWORD, 'bms');
    const service = login('bms_service', PASSWORDS.BMS_SERVICE_PASSWORD, 'bms');
    assert.ok((await migrate(owner)).length > 0);
    assert.deepEqual(await migrate(owner), []);
    assert.deepEqual(broken(await verifyDatabase(service)), []);

    await query(service, 'set role bms_app; select * from partners');
    await assert.rejects(query(service, 'create table mine (id int)'), /permission denied/);
    await assert.rejects(query(service, 'drop table partners'), /must be owner/);
    await assert.rejects(query(service, 'alter table partners disable row level security'), /must be owner/);
    await assert.rejects(query(login('bms_service', 'the first one', 'bms'), 'select 1'), /password/);
    await assert.rejects(
      query(login('bms_service', PASSWORDS.BMS_SERVICE_PASSWORD, 'temporal'), 'select 1'),
      /permission denied/,
    );
    await assert.rejects(
      query(login('temporal', PASSWORDS.TEMPORAL_DB_PASSWORD, 'bms'), 'select 1'),
      /permission denied/,
    );
    await query(login('temporal', PASSWORDS.TEMPORAL_DB_PASSWORD, 'temporal_visibility'), 'create table t (id int)');
    const roles = await query(
      admin.href,
      `select rolname from pg_roles where (rolsuper or rolbypassrls or rolcreaterole)
      and rolname in ('bms_app', 'bms_system', 'bms_owner', 'bms_service', 'temporal')`,
    );
    assert.deepEqual(roles, []);
  });

  it('names what is missing, and makes nothing', async () => {
    await assert.rejects(setUp({ BMS_OWNER_PASSWORD: 'x' }), (error: { code: number; stderr: string }) => {
      assert.equal(error.code, 1);
      assert.match(error.stderr, /BMS_SERVICE_PASSWORD, TEMPORAL_DB_PASSWORD missing/);
      return true;
    });
  });

  it("a worker's health check: well after its sign of life, ill without one, on this host only", async () => {
    const url = login('bms_service', PASSWORDS.BMS_SERVICE_PASSWORD, 'bms');
    const check = () => run(process.execPath, ['deploy/worker-health.mjs'], { cwd: ROOT, env: { DATABASE_URL: url } });
    const sign = (host: string, seen: string) =>
      query(
        url,
        `set role bms_system; insert into workers (id, host, queues, started_at, seen_at)
        values (gen_random_uuid(), ${host}, '{documents}', now(), ${seen})`,
      );
    const here = `'${hostname()}'`;
    await assert.rejects(check(), /no heartbeat/);
    await sign(`'elsewhere'`, 'now()');
    await sign(here, `now() - interval '2 minutes'`);
    await assert.rejects(check(), /no heartbeat/);
    await sign(here, 'now()');
    await check();
  });
});
