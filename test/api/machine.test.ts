import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { defineRoute } from '../../api/route.ts';
import { ROUTES } from '../../api/routes.ts';
import { Database } from '../../db/database.ts';
import { CallerCache } from '../../services/access/sessions/caller-cache.ts';
import { WriteProbe } from '../../services/operation/metrics/write-probe.ts';
import { OWNER, startTestApp } from '../helpers/app.ts';
import type { Answer } from '../helpers/client.ts';
import { useApp } from '../helpers/hooks.ts';
import { assertProblem } from '../helpers/problem.ts';

const UNKNOWN = '01a20000-0000-7000-8000-000000000000';

/** Refused because of the machine: nothing that the client could do better, and when to try again. */
function assertUnavailable(answer: Answer): void {
  assertProblem(answer, 503, 'unavailable');
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

describe('errors of the machine', () => {
  let admin: pg.Client;
  let uomId: string;

  const app = useApp({}, { each: true });
  beforeEach(async () => {
    admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
    uomId = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
  });
  afterEach(async () => {
    await admin.end();
  });

  const ready = () => app.anonymous.get('/health/ready');
  /** Writes of all kinds: of one record, under a key, several together, without a token. */
  const writes = () => {
    const unit = { code: 'NEW', name: 'New' };
    return [
      app.client.post('/api/uom', unit),
      app.client.post('/api/uom', unit, { 'Idempotency-Key': 'k-1' }),
      app.client.patch(`/api/uom/${uomId}`, { name: 'Piece' }),
      app.client.request('DELETE', `/api/uom/${uomId}`),
      app.client.post('/api/transactions', { operations: [{ id: 'a', method: 'POST', path: '/api/uom', body: unit }] }),
      app.client.put('/api/config/flags', { allowNegativeStock: true }),
      app.anonymous.post('/api/auth/login', { email: OWNER.email, password: OWNER.password }),
    ];
  };
  /** Connections that are open go on until they end; the pool makes new ones. */
  async function endConnections(): Promise<void> {
    await admin.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
  }

  it('are answered 503 by every write while the database takes none, and are over when another server does', async () => {
    const name = new URL(app.databaseUrl).pathname.slice(1);
    await admin.query(`alter database ${name} set default_transaction_read_only = on`);
    await endConnections();
    for (const answer of await Promise.all(writes())) assertUnavailable(answer);
    assert.equal((await app.client.get('/api/uom')).status, 200, 'reads go on');
    const { status, headers, body } = await ready();
    assert.deepEqual([status, body.status, body.checks.database], [503, 'down', 'down']);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);

    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    // The connections that were refused are used no more: a new one each, until all are new.
    const answer = await app.client.post('/api/uom', { code: 'NEW', name: 'New' });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  });

  it('are answered 503 while the disk is full, and tell of nothing as saved', async () => {
    await admin.query(`
      create function disk_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    const { rows } = await admin.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    for (const { name } of rows) {
      await admin.query(`create trigger full_disk before insert or update or delete on ${name}
        for each statement execute function disk_full()`);
    }
    for (const answer of await Promise.all(writes())) assertUnavailable(answer);
    assert.equal((await ready()).status, 503);
    for (const { name } of rows) await admin.query(`drop trigger full_disk on ${name}`);
    assert.equal(
      (await app.client.post('/api/uom', { code: 'NEW', name: 'N' }, { 'Idempotency-Key': 'k-1' })).status,
      201,
    );
  });

  it('are seen by the readiness when only new room on the disk is missing', async () => {
    const name = new URL(app.databaseUrl).pathname.slice(1);
    const database = new Database({ url: app.databaseUrl, poolSize: 2, applicationName: 'full' });
    const probe = new WriteProbe(database);
    try {
      assert.equal(await probe.canWrite(0), true);
      // No room for temporary files, as on a full disk.
      await admin.query(`alter database ${name} set temp_file_limit = 0`);
      await endConnections();
      assert.equal(await probe.canWrite(999), true, 'tried once a second');
      assert.equal(await probe.canWrite(1000), false);
    } finally {
      await database.close();
    }
  });

  it('are answered 503 by every route when there is no connection left', async () => {
    await admin.query(`drop role if exists limited_login`);
    await admin.query(`create role limited_login login password 'limited' in role bms_app, bms_system`);
    const url = new URL(app.databaseUrl);
    [url.username, url.password] = ['limited_login', 'limited'];
    const database = new Database({ url: url.href, poolSize: 5, applicationName: 'limited' });
    const callers = new CallerCache(url.href, () => {});
    await callers.listen();
    const limited = await startTestApp({ setUp: false, deps: { database, callers } });
    try {
      const as = limited.as(app.token);
      assert.equal((await as.get('/api/uom')).status, 200);
      await admin.query('alter role limited_login connection limit 0');
      await endConnections();
      for (const { method, path, access } of ROUTES) {
        if (access === 'public') continue;
        const answer = await as.request(method, path.replaceAll(/:\w+/g, UNKNOWN), method === 'GET' ? undefined : {});
        assert.equal(answer.status, 503, `${method} ${path}: ${JSON.stringify(answer.body)}`);
        assertUnavailable(answer);
      }
      assert.equal((await limited.anonymous.get('/health/ready')).status, 503);
      await admin.query('alter role limited_login connection limit -1');
      assert.equal((await as.get('/api/uom')).status, 200);
    } finally {
      await limited.stop();
      await Promise.all([callers.close(), database.close()]);
      await admin.query('drop owned by limited_login; drop role limited_login');
    }
  });

  it('are answered 503 when a file of the service cannot be written', async () => {
    // Every write to this file fails as on a full disk.
    const writing = defineRoute({
      method: 'GET',
      path: '/api/file',
      id: 'file',
      summary: '',
      description: '',
      tag: 'Operation',
      access: 'public',
      responses: {},
      handler: () => writeFile('/dev/full', 'something').then(() => ({ status: 204 })),
    });
    const full = await startTestApp({ setUp: false, routes: [writing] });
    try {
      assertUnavailable(await full.anonymous.get('/api/file'));
    } finally {
      await full.stop();
    }
  });
});
