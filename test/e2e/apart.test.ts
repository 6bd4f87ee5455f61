import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { broken, verifyDatabase } from '../../db/verify.ts';
import { ApiClient } from '../../demo/api-client.ts';
import { type DemoWebhook, openWebhook } from '../../demo/webhook.ts';
import { freePort } from '../../runtime/ports.ts';
import { createTestDatabase, testChromium, testTemporal } from '../helpers/servers.ts';
import { ALLOWED_TARGETS } from '../helpers/targets.ts';
import { createNamespace, type TestNamespace } from '../helpers/worker.ts';
import { ServiceProcess } from './service-process.ts';
import { assertDelivered, draftInvoice, type Slice, type SliceDocument, tradeThrough } from './slice.ts';
import { Operator } from './workflows.ts';

const ADMIN = { email: 'olga@example.test', name: 'Olga', password: 'correct horse battery staple' };
const EVENTS = ['document.created', 'document.updated', 'document.locked'];

/** Runs as in the compose file: each part is a separate process, configured by environment variables only. */
describe('two API processes and two workers against one PostgreSQL and one Temporal', function () {
  this.timeout(120_000);
  let url: string;
  let dropDatabase: () => Promise<void>;
  let login: string;
  let namespace: TestNamespace;
  let parts: ServiceProcess[];
  let clients: [ApiClient, ApiClient];
  let webhook: DemoWebhook;
  let slice: Slice;

  before(async () => {
    parts = [];
    const [database, temporal, chromium] = await Promise.all([createTestDatabase(), testTemporal(), testChromium()]);
    url = database.url;
    dropDatabase = database.drop;
    namespace = await createNamespace(temporal.address);
    const env = {
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      DATABASE_URL: await boundLogin(),
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: namespace.namespace,
      JWT_SECRET: randomBytes(24).toString('hex'),
      ENCRYPTION_KEY: randomBytes(24).toString('hex'),
      WEBHOOK_ALLOWED_TARGETS: ALLOWED_TARGETS,
      PUPPETEER_EXECUTABLE_PATH: chromium.executablePath,
    };
    const ports = [await freePort(), await freePort()] as const;
    const apis = ports.map((port) => new ServiceProcess('api/server', [], { ...env, PORT: String(port) }));
    const workers = ['documents,webhooks,tasks', 'pdf,report-files'].map(
      (queues) => new ServiceProcess('worker/main', ['--queues', queues], env),
    );
    parts = [...apis, ...workers];
    await Promise.all([
      ...apis.map((api) => api.says('Listening on')),
      ...workers.map((worker) => worker.says('Working on')),
    ]);
    clients = [new ApiClient(`http://127.0.0.1:${ports[0]}`), new ApiClient(`http://127.0.0.1:${ports[1]}`)];
  });

  after(async () => {
    await webhook?.close();
    const codes = await Promise.all(parts.map((part) => part.stop()));
    await namespace?.close();
    await dropDatabase?.();
    await dropLogin();
    assert.deepEqual(codes, [0, 0, 0, 0], parts.map(({ output }) => output.slice(-2000)).join('\n'));
  });

  /** A login as in a real deployment: no owner, no superuser, member of the two roles. */
  async function boundLogin(): Promise<string> {
    login = `apart_${randomBytes(4).toString('hex')}`;
    await asSuperuser(`create role ${login} login nosuperuser password 'apart' in role bms_app, bms_system`);
    const address = new URL(url);
    address.username = login;
    address.password = 'apart';
    return address.href;
  }

  async function dropLogin(): Promise<void> {
    const admin = new URL(url);
    admin.pathname = '/postgres';
    await asSuperuser(`drop role if exists ${login}`, admin.href);
  }

  async function asSuperuser(sql: string, at = url): Promise<void> {
    const client = new pg.Client({ connectionString: at });
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  it('what one API sets up is known to the other: one company, one token', async () => {
    const [a, b] = clients;
    const company = { name: 'Frutas García SL', taxId: 'B12345674', country: 'ES' };
    const set = (await a.post('/api/setup/init', { company, admin: ADMIN })) as {
      token: string;
      tenant: { id: string };
    };
    a.useToken(set.token, set.tenant.id, ADMIN);
    b.useToken(set.token, set.tenant.id, ADMIN);
    assert.deepEqual(await b.get('/api/auth/me'), await a.get('/api/auth/me'));
    webhook = await openWebhook(a, EVENTS, 0);
  });

  it('a sale goes through both APIs, its PDF through the worker with the browser', async () => {
    const [a, b] = clients;
    slice = await tradeThrough(a, b, 'APART');
  });

  it('the other worker delivers the events and runs the lifecycles', async () => {
    const [a, b] = clients;
    await assertDelivered(b, webhook, slice);
    const operator = await Operator.at(namespace.address, namespace.namespace, a.tenantId ?? '');
    try {
      await operator.finds('SalesOrder', slice.order.id, 'C');
      await operator.finds('SalesInvoice', slice.invoice.id, 'O');
      const { id } = await draftInvoice(a, slice);
      await operator.finds('SalesInvoice', id, 'D');
      const posted = await operator.post(id);
      const read = await b.one<SliceDocument>(`/api/sales/invoices/${id}`);
      assert.deepEqual([read.status, read.code], ['O', posted.code]);
    } finally {
      await operator.close();
    }
  });

  it('many posts through both at once take numbers without gap or repeat', async () => {
    const drafts = await Promise.all(Array.from({ length: 12 }, () => draftInvoice(clients[0], slice)));
    const posted = await Promise.all(
      drafts.map(({ id }, index) =>
        clients[index % 2 === 0 ? 0 : 1].create<SliceDocument>(`/api/sales/invoices/${id}/post`, undefined),
      ),
    );
    const numbers = posted.map(({ number }) => number ?? 0).sort((x, y) => x - y);
    assert.deepEqual(
      numbers,
      Array.from({ length: 12 }, (_, index) => (numbers[0] ?? 0) + index),
    );
  });

  it('all invariants hold afterwards', async () => {
    assert.deepEqual(broken(await verifyDatabase(url)), []);
  });
});
