import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Database, LOCK_TIMEOUT_MS } from '../../db/database.ts';
import { prepared, query } from '../../db/sql.ts';
import { freePort } from '../../runtime/ports.ts';
import { ServiceProcess } from '../e2e/service-process.ts';
import { createClient } from '../helpers/client.ts';
import { use, useCompany, useOtherCompany } from '../helpers/hooks.ts';
import { startPooler } from '../helpers/pooler.ts';
import { createTestDatabase } from '../helpers/servers.ts';

const SEEN = `select current_setting('app.tenant_id') as scope, array_agg(distinct tenant_id::text) as tenants from series
  where next_number >= :least`;
const SETTINGS = `select current_user as "user", current_setting('timezone') as timezone, current_setting('jit') as jit,
  current_setting('lock_timeout') as locks, current_setting('app.storage_budget') as budget, current_setting('plan_cache_mode') as plans`;

describe('a database behind a pooler in transaction mode', function () {
  this.timeout(60_000);
  const company = useCompany();
  const other = useOtherCompany(company);
  // One connection more than one, so that transactions change between them.
  const pooler = use(() => startPooler(company.url, 2), { close: (started) => started.close() });
  let database: Database;
  before(() => {
    const options = { url: pooler.url, poolSize: 20, applicationName: 'test-pooled', storageBudget: 7 };
    database = new Database({ ...options, isPooled: true, servesPeople: true });
  });
  after(() => database?.close());

  type Seen = { scope: string; tenants: string[] };
  const doors: Readonly<Record<string, (tenantId: string) => Promise<Seen | undefined>>> = {
    prepared: async (tenantId) => (await prepared<Seen>(database.reader({ tenantId }), SEEN, { least: 1 }))[0],
    planned: async (tenantId) => (await query<Seen>(database.reader({ tenantId }), SEEN, { least: 1 }))[0],
    read: (tenantId) =>
      database.readTenant({ tenantId }, async (db) => (await prepared<Seen>(db, SEEN, { least: 1 }))[0]),
    transaction: (tenantId) =>
      database.withTenant({ tenantId }, async (db) => (await prepared<Seen>(db, SEEN, { least: 1 }))[0]),
    snapshot: (tenantId) =>
      database.readConsistently({ tenantId }, async (db) => (await query<Seen>(db, SEEN, { least: 1 }))[0]),
  };

  it('shows each company its own rows, whoever used a connection before', async () => {
    const asked = Array.from({ length: 40 }, (_, index) => (index % 3 === 0 ? other : company).ctx.tenantId);
    for (const [name, door] of Object.entries(doors)) {
      const seen = await Promise.all(asked.map((tenantId) => door(tenantId)));
      const expected = asked.map((tenantId) => ({ scope: tenantId, tenants: [tenantId] }));
      assert.deepEqual(seen, expected, name);
    }
    assert.ok(pooler.mostWaiting > 5, 'they shared connections');
  });

  it('has the settings of the service in each transaction, and leaves none behind', async () => {
    const { tenantId } = company.ctx;
    const expected = { user: 'bms_app', timezone: 'UTC', jit: 'off', locks: `${LOCK_TIMEOUT_MS}ms`, budget: '7' };
    const settings = async (run: () => Promise<unknown[]>) => (await run())[0] as Record<string, string>;
    const reader = database.reader({ tenantId });
    const found = [
      await settings(() => query(reader, SETTINGS, {})),
      await settings(() => database.withTenant({ tenantId }, (trx) => query(trx, SETTINGS, {}))),
      await settings(() => database.readTenant({ tenantId }, (trx) => query(trx, SETTINGS, {}))),
    ];
    for (const { plans: _, ...one } of found) assert.deepEqual(one, expected);
    const system = await settings(() => database.withSystem((trx) => query(trx, SETTINGS, {})));
    assert.equal(system.user, 'bms_system');
    // Values make a difference for plans: a prepared statement has one for all of them.
    const modeSql = `select current_setting('plan_cache_mode') as mode, :given::text as given`;
    const [prepare] = await prepared<{ mode: string }>(reader, modeSql, { given: 'x' });
    const [plan] = await query<{ mode: string }>(reader, modeSql, { given: 'x' });
    assert.deepEqual([prepare?.mode, plan?.mode], ['force_generic_plan', 'auto']);
    const bare = new Database({ url: pooler.url, poolSize: 1, applicationName: 'test-bare', isPooled: true });
    assert.equal(await bare.ping(), true);
    await bare.close();
  });

  it('commits, rolls back and repeats as without one', async () => {
    const { tenantId } = company.ctx;
    const count = async () => {
      const sql = `select count(*)::int as n from uoms where code like 'P%'`;
      return (await query<{ n: number }>(database.reader({ tenantId }), sql, {}))[0]?.n;
    };
    const insert = `insert into uoms (id, tenant_id, code, name, created_at, updated_at, version)
      values (gen_random_uuid(), :tenantId::uuid, :code, 'Pooled', now(), now(), 1)`;
    await database.withTenant({ tenantId }, (trx) => query(trx, insert, { tenantId, code: 'P1' }));
    await assert.rejects(
      database.withTenant({ tenantId }, async (trx) => {
        await query(trx, insert, { tenantId, code: 'P2' });
        await query(trx, insert, { tenantId, code: 'P1' });
      }),
    );
    await database.preview({ tenantId }, async (trx) => void (await query(trx, insert, { tenantId, code: 'P3' })));
    assert.equal(await count(), 1);
  });
});

describe('the API behind a pooler in transaction mode', function () {
  this.timeout(120_000);
  const base = use(createTestDatabase, { close: ({ drop }) => drop() });
  const pooler = use(() => startPooler(base.url, 3), { close: (started) => started.close() });
  let api: ServiceProcess;
  let address: string;
  before(async () => {
    const port = await freePort();
    const secret = () => randomBytes(24).toString('hex');
    const secrets = { JWT_SECRET: secret(), ENCRYPTION_KEY: secret() };
    const databases = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: base.url };
    const env = { ...secrets, ...databases, LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '0', PORT: String(port) };
    api = new ServiceProcess('api/server', [], env);
    await api.says('Listening on');
    address = `http://127.0.0.1:${port}`;
  });
  after(() => api?.stop());

  it('serves many clients on few connections, and notices changes to their rights', async () => {
    const anonymous = createClient(address);
    const admin = { email: 'olga@example.test', name: 'Olga', password: 'correct horse battery staple' };
    const { body } = await anonymous.post('/api/setup/init', {
      company: { name: 'Frutas García SL', taxId: 'B12345674', country: 'ES' },
      admin,
    });
    const client = createClient(address, body.token);
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const { status } = await client.post('/api/uom', { code: `P${number}`, name: 'Pooled' });
        const list = await client.get('/api/uom?q=Pooled&limit=100');
        return `${status} ${list.status}`;
      }),
    );
    assert.deepEqual(new Set(statuses), new Set(['201 200']));
    assert.equal((await client.get('/api/uom?q=Pooled&limit=100')).body.data.length, 60);
    const { body: made } = await client.post('/api/api-keys', { name: 'Key', role: 'viewer' });
    const key = createClient(address, made.data.key);
    assert.equal((await key.get('/api/uom')).status, 200);
    assert.equal((await client.del(`/api/api-keys/${made.data.id}`)).status, 204);
    assert.equal((await key.get('/api/uom')).status, 401);
  });
});
