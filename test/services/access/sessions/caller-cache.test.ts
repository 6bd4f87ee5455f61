import assert from 'node:assert/strict';
import pg from 'pg';
import { connect } from '../../../../runtime/postgres-client.ts';
import { CallerCache } from '../../../../services/access/sessions/caller-cache.ts';
import { use } from '../../../helpers/hooks.ts';
import { createTestDatabase, testPostgres } from '../../../helpers/servers.ts';
import { eventually } from '../../../helpers/worker.ts';

describe('the cache of callers', () => {
  const base = use(createTestDatabase, { close: ({ drop }) => drop() });
  const admin = use(
    async () => {
      const client = new pg.Client({ connectionString: base.url });
      await client.connect();
      return client;
    },
    { close: (client) => client.end() },
  );
  let losses = 0;
  const cache = use(
    async () => {
      const opened = new CallerCache(base.url, () => {
        losses += 1;
      });
      await opened.listen();
      return opened;
    },
    { close: (opened) => opened.close() },
  );

  let reads = 0;
  const read = async () => {
    reads += 1;
    return { number: reads };
  };
  /** The number of reads that it takes to get a caller. */
  const readsFor = async (key: string, from: readonly string[], how = read) => {
    const before = reads;
    await cache.get(key, () => from, how);
    return reads - before;
  };
  /** Tells the cache of a change, and waits until it has received it. */
  const change = async (id: string) => {
    await admin.query('select pg_notify($1, $2)', ['callers', id]);
    await cache.allReceived();
  };

  it('reads a caller once, until something that it depends on changes', async () => {
    assert.deepEqual([await readsFor('ana', ['company', 'ana']), await readsFor('ana', ['company', 'ana'])], [1, 0]);
    await change('bea');
    assert.equal(await readsFor('ana', ['company', 'ana']), 0);
    for (const id of ['company', 'ana']) {
      await change(id);
      assert.deepEqual(
        [await readsFor('ana', ['company', 'ana']), await readsFor('ana', ['company', 'ana'])],
        [1, 0],
        id,
      );
    }
  });

  it('does not keep what changed while it was read', async () => {
    const changedMeanwhile = async () => {
      const caller = await read();
      await change('carl');
      return caller;
    };
    assert.equal(await readsFor('carl', ['carl'], changedMeanwhile), 1);
    assert.deepEqual([await readsFor('carl', ['carl']), await readsFor('carl', ['carl'])], [1, 0]);
  });

  it('keeps nothing that was not found', async () => {
    const nobody = async () => {
      reads += 1;
      return undefined;
    };
    assert.deepEqual([await readsFor('nobody', [], nobody as never), await readsFor('nobody', [])], [1, 1]);
  });

  it('forgets everything when it loses its connection, and keeps nothing until it has another', async () => {
    assert.deepEqual([await readsFor('dora', ['dora']), await readsFor('dora', ['dora'])], [1, 0]);
    const before = losses;
    const { rows } = await admin.query<{ name: string }>('select current_database() as name');
    const { adminUrl } = await testPostgres();
    const allowConnections = (allowed: boolean) =>
      connect(adminUrl, (client) => client.query(`alter database "${rows[0]?.name}" allow_connections ${allowed}`));
    await allowConnections(false);
    try {
      const ended = await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'callers' and datname = current_database()`,
      );
      assert.equal(ended.rows.length, 1);
      await eventually(() => assert.equal(losses, before + 1));
      assert.deepEqual([await readsFor('dora', ['dora']), await readsFor('dora', ['dora'])], [1, 1]);
      // Nobody waits for a process that cannot hear of changes: it keeps nothing either.
      await cache.allReceived();
    } finally {
      await allowConnections(true);
    }
    await eventually(async () => assert.equal(await readsFor('dora', ['dora']), 0));
  });
});
