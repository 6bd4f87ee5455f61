import assert from 'node:assert/strict';
import { Database, type Reader } from '../../db/database.ts';
import { prepared, query } from '../../db/sql.ts';
import { useCompany, useOtherCompany } from '../helpers/hooks.ts';

const SEEN = `select current_setting('app.tenant_id') as scope, array_agg(distinct tenant_id::text) as tenants from series
  where next_number >= :least`;

describe('a connection that knows its company', () => {
  /** Everybody gets the same connection, one after another. */
  let one: Database;

  const company = useCompany();
  const other = useOtherCompany(company);
  before(async () => {
    one = new Database({ url: company.url, poolSize: 1, applicationName: 'test-one' });
  });
  after(async () => {
    await one?.close();
  });

  type Seen = { scope: string; tenants: string[] };
  const doors: Readonly<Record<string, (tenantId: string) => Promise<Seen | undefined>>> = {
    prepared: async (tenantId) => (await prepared<Seen>(one.reader({ tenantId }), SEEN, { least: 1 }))[0],
    planned: async (tenantId) => (await query<Seen>(one.reader({ tenantId }), SEEN, { least: 1 }))[0],
    read: (tenantId) =>
      one.readTenant({ tenantId }, async (db) => (await db.raw(SEEN, { least: 1 } as never)).rows[0] as Seen),
    transaction: (tenantId) =>
      one.withTenant({ tenantId }, async (db) => (await db.raw(SEEN, { least: 1 } as never)).rows[0] as Seen),
    snapshot: (tenantId) =>
      one.snapshot({ tenantId }, async (db) => (await db.raw(SEEN, { least: 1 } as never)).rows[0] as Seen),
  };

  it('shows each company its own rows, whoever used the connection before and however it was opened', async () => {
    for (const [first, before] of Object.entries(doors)) {
      for (const [second, after] of Object.entries(doors)) {
        for (const tenantId of [company.ctx.tenantId, other.ctx.tenantId, other.ctx.tenantId, company.ctx.tenantId]) {
          await before(tenantId === company.ctx.tenantId ? other.ctx.tenantId : company.ctx.tenantId);
          const expected = { scope: tenantId, tenants: [tenantId] };
          assert.deepEqual(await after(tenantId), expected, `${second} after ${first}`);
        }
      }
    }
  });

  it('shows nobody anything after a system transaction, nor after one that failed', async () => {
    for (const [name, door] of Object.entries(doors)) {
      await assert.rejects(
        one.withTenant(other.ctx, async (trx) => {
          await trx.raw('select 1/0');
        }),
      );
      await one.withSystem(async (trx) => trx.raw('select 1'));
      assert.deepEqual((await door(company.ctx.tenantId))?.tenants, [company.ctx.tenantId], name);
    }
  });

  it('separates companies that query at the same time', async () => {
    const tenants = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? other : company).ctx.tenantId);
    const seen = await Promise.all(
      tenants.map((tenantId, index) =>
        Object.values(doors)
          [index % 3]?.(tenantId)
          .then((found) => found?.tenants),
      ),
    );
    assert.deepEqual(
      seen,
      tenants.map((tenantId) => [tenantId]),
    );
  });

  it('runs prepared statements even after their columns have changed, as in an upgrade of the schema', async () => {
    const sql = 'select * from changing where a > :least';
    const change = (statement: string) => one.withTenant(company.ctx, (trx) => trx.raw(statement));
    const read = (reader: Reader) => prepared(reader, sql, { least: 0 });
    await change('create temporary table changing as select 1 as a');
    assert.deepEqual(await read(one.reader(company.ctx)), [{ a: 1 }]);
    await change('alter table changing add b text');
    assert.deepEqual(await read(one.reader(company.ctx)), [{ a: 1, b: null }]);
    await change('alter table changing add c integer default 3');
    assert.deepEqual(await one.withTenant(company.ctx, read), [{ a: 1, b: null, c: 3 }]);
    await change('drop table changing');
  });

  it('gives snapshots more memory to sort in than other transactions', async () => {
    const memory = (reader: Reader) => prepared<{ work_mem: string }>(reader, 'show work_mem', {});
    assert.deepEqual(await one.snapshot(company.ctx, memory), [{ work_mem: '16MB' }]);
    assert.deepEqual(await one.withTenant(company.ctx, memory), [{ work_mem: '4MB' }]);
  });

  it('reads a snapshot as of its first statement, whatever others commit in the meantime', async () => {
    const price = async (reader: Reader) => {
      const sql = 'select sale_price::text as price from items where id = :id';
      return (await prepared<{ price: string }>(reader, sql, { id: company.itemId }))[0]?.price;
    };
    const set = (to: number) =>
      company.run((trx) => trx.raw('update items set sale_price = ? where id = ?', [to, company.itemId]));
    await set(7);
    const [before, after] = await company.database.snapshot(company.ctx, async (db) => {
      const first = await price(db);
      await set(8);
      return [first, await price(db)];
    });
    assert.equal(after, before);
    const later = await company.database.snapshot(company.ctx, (db) => price(db));
    assert.notEqual(later, before);
    await set(3);
  });

  it('does not call a commit a success that PostgreSQL has turned into a rollback', async () => {
    const swallowed = one.withTenant(other.ctx, async (trx) => {
      await trx.raw('select 1/0').then(undefined, () => 'swallowed');
      return 'committed';
    });
    await assert.rejects(swallowed, /cannot commit, because a statement of the transaction has failed/);
    assert.deepEqual((await doors.read?.(company.ctx.tenantId))?.tenants, [company.ctx.tenantId]);
  });

  it('runs a batch of statements in order, and rolls it back as a whole', async () => {
    const price = async (to: number) =>
      company.run(async (trx) => {
        const change = (value: number) =>
          prepared(trx, 'update items set sale_price = :value::integer where id = :id', { value, id: company.itemId });
        const read = () =>
          prepared<{ price: string }>(trx, 'select sale_price::integer as price from items where id = :id', {
            id: company.itemId,
          });
        const [before, , after, , last] = await Promise.all([
          read(),
          change(to),
          read(),
          change(to + 1),
          read(),
          prepared(trx, 'select 10 / :by::integer as failing', { by: 3 - to }),
        ]);
        return [...before, ...after, ...last].map((row) => Number(row.price));
      });
    await price(1);
    assert.deepEqual(await price(2), [2, 2, 3]);
    await assert.rejects(price(3), /division by zero/);
    assert.deepEqual(await price(1), [3, 1, 2]);
  });

  it('rejects the statements of a failed batch with the error of the one that failed', async () => {
    const thrown: unknown[] = [];
    const failing = company.run(async (trx) => {
      const ask = (sql: string) => prepared(trx, sql, { value: 0 }).catch((error: unknown) => thrown.push(error));
      await Promise.all([ask('select 1 / :value::integer'), ask('select 2 + :value::integer')]);
      throw thrown[1];
    });
    await assert.rejects(failing, /division by zero/);
    assert.equal(thrown[1], thrown[0]);
  });

  it('plans prepared statements once, and others for their values, even after a rollback', async () => {
    const sql = `select current_setting('plan_cache_mode') as mode where 1 = :one::integer`;
    const expected = { prepared: 'force_generic_plan', planned: 'auto' };
    const modeBy = { prepared, planned: query };
    type Door = keyof typeof modeBy;
    const check = async (db: Reader, door: Door, when: string) => {
      const [found] = await modeBy[door]<{ mode: string }>(db, sql, { one: 1 });
      assert.equal(found?.mode, expected[door], `${door} ${when}`);
    };
    const undone = new Error('undone');
    for (const first of ['prepared', 'planned'] as const) {
      for (const second of ['planned', 'prepared'] as const) {
        await check(one.reader(company.ctx), first, 'outside a transaction');
        const failing = one.withTenant(company.ctx, async (trx) => {
          const inner = trx.transaction(async (savepoint) => {
            await check(savepoint, second, 'in a savepoint');
            throw undone;
          });
          await assert.rejects(inner, undone);
          await check(trx, first, 'after a savepoint');
          await check(trx, second, 'in a transaction');
          throw undone;
        });
        await assert.rejects(failing, undone);
        await check(one.reader(company.ctx), second, `after ${first} and a transaction`);
      }
    }
  });

  it('runs nothing through a handle whose connection has been returned', async () => {
    for (const [name, door] of Object.entries({
      read: one.readTenant.bind(one),
      transaction: one.withTenant.bind(one),
      snapshot: one.snapshot.bind(one),
    })) {
      const ended = await door(other.ctx, async (db) => ({ db }));
      await assert.rejects(async () => await ended.db.raw('select 1'), /complete|ended/, name);
      await assert.rejects(prepared(ended.db, 'select 1 as one', {}), /ended/, name);
    }
  });
});
