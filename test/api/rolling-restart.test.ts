import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../runtime/ports.ts';
import { ServiceProcess } from '../e2e/service-process.ts';
import { type Balancer, startBalancer } from '../helpers/balancer.ts';
import { createClient } from '../helpers/client.ts';
import { use } from '../helpers/hooks.ts';
import { createTestDatabase } from '../helpers/servers.ts';
import { eventually } from '../helpers/worker.ts';

const ADMIN = { email: 'olga@example.test', name: 'Olga', password: 'correct horse battery staple' };
const COMPANY = { name: 'Frutas García SL', taxId: 'B12345674', country: 'ES' };
const CLIENTS = 6;

describe('API processes behind a load balancer', function () {
  this.timeout(180_000);
  const database = use(createTestDatabase, { close: ({ drop }) => drop() });
  const running = new Map<number, ServiceProcess>();
  let balancer: Balancer;
  let secrets: Record<string, string>;

  const start = async (port: number) => {
    const env = { ...secrets, LOG_LEVEL: 'info', DATABASE_URL: database.url, RATE_LIMIT_PER_MINUTE: '0' };
    const api = new ServiceProcess('api/server', [], { ...env, PORT: String(port), STOP_DELAY_SECONDS: '2' });
    running.set(port, api);
    await api.says('Listening on');
  };

  before(async () => {
    const secret = () => randomBytes(24).toString('hex');
    secrets = { JWT_SECRET: secret(), ENCRYPTION_KEY: secret() };
    const ports = [await freePort(), await freePort()];
    for (const port of ports) await start(port);
    balancer = await startBalancer(ports);
  });
  after(async () => {
    await balancer?.close();
    await Promise.all([...running.values()].map((api) => api.stop()));
  });

  it('are restarted one after the other without a failed request', async () => {
    const anonymous = createClient(balancer.address);
    const { body } = await anonymous.post('/api/setup/init', { company: COMPANY, admin: ADMIN });
    const client = createClient(balancer.address, body.token);
    const failed: string[] = [];
    let answered = 0;
    let over = false;
    const clients = Array.from({ length: CLIENTS }, async (_, number) => {
      for (let round = 0; !over; round++) {
        const { status, body } = await (number % 2 === 0
          ? client.get('/api/uom')
          : client.post('/api/uom', { code: `U${number}-${round}`, name: 'Unit' }));
        answered++;
        if (status >= 300) failed.push(`${status} ${JSON.stringify(body)}`);
        await delay(10);
      }
    });
    for (const [port, api] of [...running]) {
      const ended = api.stop();
      // Its own answer is the first to say so; the balancer learns it from that.
      await eventually(() => assert.ok(!balancer.ready.has(port)));
      assert.equal(await ended, 0);
      await start(port);
      await eventually(() => assert.ok(balancer.ready.has(port)));
    }
    const before = answered;
    await eventually(() => assert.ok(answered > before + CLIENTS));
    over = true;
    await Promise.all(clients);
    assert.deepEqual(failed, []);
  });

  it('say that they are stopping, and end connections with their last answers', async () => {
    const [port, api] = [...running][0] as [number, ServiceProcess];
    const ready = () => fetch(`http://127.0.0.1:${port}/health/ready`);
    assert.equal((await ready()).headers.get('connection'), 'keep-alive');
    const ended = api.stop();
    const answer = await eventually(async () => {
      const found = await ready();
      assert.equal(found.status, 503);
      return found;
    });
    assert.deepEqual(
      [((await answer.json()) as { status: string }).status, answer.headers.get('connection')],
      ['stopping', 'close'],
    );
    assert.equal(await ended, 0);
    await start(port);
  });
});
