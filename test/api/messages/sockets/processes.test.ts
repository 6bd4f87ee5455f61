import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Database } from '../../../../db/database.ts';
import { freePort } from '../../../../runtime/ports.ts';
import { notifyUser } from '../../../../services/messages/notifications/notify.ts';
import { ServiceProcess } from '../../../e2e/service-process.ts';
import { createClient } from '../../../helpers/client.ts';
import { use } from '../../../helpers/hooks.ts';
import { createTestDatabase } from '../../../helpers/servers.ts';
import { connectSocket } from '../../../helpers/sockets.ts';
import { eventually } from '../../../helpers/worker.ts';

const ADMIN = { email: 'olga@example.test', name: 'Olga', password: 'correct horse battery staple' };
const COMPANY = { name: 'Frutas García SL', taxId: 'B12345674', country: 'ES' };
const CLIENTS = 12;

describe('/ws/notifications of several API processes on one address', function () {
  this.timeout(120_000);
  const base = use(createTestDatabase, { close: ({ drop }) => drop() });
  const database = use(() => new Database({ url: base.url, poolSize: 2, applicationName: 'test' }), {
    close: (opened) => opened.close(),
  });
  let api: ServiceProcess;
  let address: string;
  before(async () => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    api = new ServiceProcess('api/server', [], {
      LOG_LEVEL: 'info',
      DATABASE_URL: base.url,
      JWT_SECRET: randomBytes(24).toString('hex'),
      ENCRYPTION_KEY: randomBytes(24).toString('hex'),
      API_PROCESSES: '2',
      PORT: String(port),
    });
    await eventually(() => assert.equal(api.output.match(/"msg":"Listening on/g)?.length, 2), 60_000);
  });
  after(() => api.stop());

  it('reaches clients of all processes, and tells them when the service stops', async () => {
    const { body } = await createClient(address).post('/api/setup/init', { company: COMPANY, admin: ADMIN });
    const { token, tenant, user } = body as { token: string; tenant: { id: string }; user: { id: string } };
    // Connections go to the processes in turn.
    const clients = Array.from({ length: CLIENTS }, () =>
      connectSocket(address, { headers: { Authorization: `Bearer ${token}` } }),
    );
    await Promise.all(clients.map(({ ready }) => ready));
    const ctx = { tenantId: tenant.id, userId: null, actor: 'test', requestId: 'test', now: new Date() };
    await database.withTenant(ctx, (trx) =>
      notifyUser(trx, ctx, user.id, 'task_completed', {
        title: 'For all',
        body: 'Ready',
        es: { title: 'For all', body: 'Ready' },
      }),
    );
    for (const client of clients) assert.equal((await client.came(1))[0]?.data.title, 'For all');
    const stopped = api.stop();
    assert.deepEqual(await Promise.all(clients.map(({ closed }) => closed)), Array(CLIENTS).fill(1012));
    await stopped;
  });
});
