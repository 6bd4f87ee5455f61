import assert from 'node:assert/strict';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { concurrently } from '../../db/migrations/concurrent-indexes.ts';
import type { Migration } from '../../db/migrations/index.ts';
import { perTenant } from '../../db/migrations/per-tenant.ts';
import { createTestDatabase } from '../helpers/servers.ts';
import { eventually } from '../helpers/worker.ts';

const PATIENCE = { lockMs: 100, tries: 50, pauseMs: 50 };

describe('migrations', () => {
  let database: { url: string; drop(): Promise<void> };
  const clients: pg.Client[] = [];
  const connect = async () => {
    const client = new pg.Client({ connectionString: database.url });
    clients.push(client);
    await client.connect();
    return client;
  };
  let admin: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    admin = await connect();
    await admin.query('create table goods (id integer primary key, code text)');
    await admin.query("insert into goods select n, 'G' || n from generate_series(1, 1000) n");
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
    await database.drop();
  });

  const addColumn: Migration = { name: 'x-1-column', up: 'alter table goods add column price integer' };
  const addIndex: Migration = {
    name: 'x-3-index',
    up: concurrently({ name: 'goods_code_key', table: 'goods', of: '(code)', unique: true }),
  };
  const waitingLocks = async () =>
    (await admin.query(`select pid from pg_locks where relation = 'goods'::regclass and not granted`)).rows.length;

  it('give up soon instead of waiting for a lock, so that others continue, and are retried', async () => {
    const long = await connect();
    await long.query('begin; select count(*) from goods');
    const migrated = migrate(database.url, [addColumn], PATIENCE);
    await eventually(async () => assert.equal(await waitingLocks(), 1));
    // Behind a migration that waits without end, this would wait without end, too.
    const reader = await connect();
    await reader.query("set statement_timeout = '20s'");
    assert.equal((await reader.query('select count(*)::int as n from goods')).rows[0].n, 1000);
    await long.query('commit');
    assert.deepEqual(await migrated, ['x-1-column']);
    assert.deepEqual(await migrate(database.url, [addColumn], PATIENCE), []);
  });

  it('wait longer now and then, for what does not end in a moment', async () => {
    const long = await connect();
    await long.query('begin; select count(*) from goods');
    const longer = { lockMs: 10_000, every: 2 };
    const migrated = migrate(database.url, [addColumn], { lockMs: 1, tries: 2, pauseMs: 1, longer });
    await eventually(async () => assert.equal(await waitingLocks(), 1));
    await long.query('select pg_sleep(0.3)');
    await long.query('commit');
    assert.deepEqual(await migrated, ['x-1-column']);
  });

  it('report a lock that they cannot get, and leave the database as it was', async () => {
    const long = await connect();
    await long.query('begin; select count(*) from goods');
    await assert.rejects(
      migrate(database.url, [addColumn], { ...PATIENCE, tries: 2 }),
      /x-1-column cannot be applied because its tables are locked for a long time/,
    );
    await long.query('commit');
    assert.deepEqual(await migrate(database.url, [addColumn], PATIENCE), ['x-1-column']);
  });

  it('create indexes while others write, and recreate interrupted ones', async () => {
    // Half an index, as one is left by a process that was killed, or by rows that were the same twice.
    await admin.query("insert into goods values (1001, 'G1')");
    await assert.rejects(
      admin.query('create unique index concurrently goods_code_key on goods (code)'),
      /could not create/,
    );
    const valid = async () =>
      (await admin.query(`select indisvalid as valid from pg_index where indexrelid = to_regclass('goods_code_key')`))
        .rows;
    assert.deepEqual(await valid(), [{ valid: false }]);
    await admin.query('delete from goods where id = 1001');

    const writer = await connect();
    await writer.query("begin; insert into goods values (1002, 'G1002')");
    const migrated = migrate(database.url, [addIndex], PATIENCE);
    // The migration waits for the transaction that has written, without blocking others.
    await eventually(async () => {
      const { rows } = await admin.query(
        `select pid from pg_stat_activity where application_name = 'migrate' and wait_event_type = 'Lock'`,
      );
      assert.equal(rows.length, 1);
    });
    const other = await connect();
    await other.query("set statement_timeout = '20s'");
    await other.query("insert into goods values (1003, 'G1003')");
    await writer.query('commit');
    assert.deepEqual(await migrated, ['x-3-index']);
    assert.deepEqual(await valid(), [{ valid: true }]);
  });

  it('run once when several processes start at the same time', async () => {
    const slow: Migration = { name: 'x-2-slow', up: "select pg_sleep(0.3); insert into goods values (0, 'slow')" };
    const all = [addColumn, slow, addIndex];
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, all, PATIENCE)));
    assert.deepEqual(
      applied.flat().sort(),
      all.map(({ name }) => name),
    );
    assert.equal((await admin.query('select count(*)::int as n from goods where id = 0')).rows[0].n, 1);
  });

  it('change rows tenant by tenant, each in its own transaction, and resume where they were interrupted', async () => {
    const [first, second] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
    for (const id of [first, second]) {
      await admin.query(
        `insert into tenants (id, name, slug, tax_id, country, currency, created_at, updated_at)
         values ('${id}', 'small', '${id}', 'B1', 'ES', 'EUR', now(), now())`,
      );
    }
    const names = async () => (await admin.query('select name from tenants order by id')).rows.map(({ name }) => name);
    const change: Migration = {
      name: 'x-4-rows',
      up: perTenant(`update tenants set name = 'large' where name = 'small'`),
    };
    const other = await connect();
    await other.query('begin');
    await other.query('update tenants set version = 2 where id = $1', [second]);
    await assert.rejects(migrate(database.url, [change], { ...PATIENCE, tries: 2 }), /x-4-rows cannot be applied/);
    assert.deepEqual(await names(), ['large', 'small']);
    await other.query('rollback');
    assert.deepEqual(await migrate(database.url, [change], PATIENCE), ['x-4-rows']);
    assert.deepEqual(await names(), ['large', 'large']);
  });

  it('refuse to go on when one has changed', async () => {
    await migrate(database.url, [addIndex], PATIENCE);
    const changed = concurrently({ name: 'goods_code_key', table: 'goods', of: '(code, id)', unique: true });
    await assert.rejects(migrate(database.url, [{ name: addIndex.name, up: changed }], PATIENCE), /has changed/);
  });
});
