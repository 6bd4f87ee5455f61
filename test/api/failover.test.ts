import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isAway } from '../../db/errors.ts';
import { Listener } from '../../db/listener.ts';
import { migrate } from '../../db/migrate.ts';
import { findPrimary } from '../../db/primary.ts';
import { freePort } from '../../runtime/ports.ts';
import { connect } from '../../runtime/postgres-client.ts';
import { ServiceProcess } from '../e2e/service-process.ts';
import { createClient, type TestClient } from '../helpers/client.ts';
import { use } from '../helpers/hooks.ts';
import { startCluster } from '../helpers/standby.ts';
import { eventually } from '../helpers/worker.ts';

const ADMIN = { email: 'olga@example.test', name: 'Olga', password: 'correct horse battery staple' };
const COMPANY = { name: 'Frutas García SL', taxId: 'B12345674', country: 'ES' };
const CLIENTS = 4;

describe('a database with a standby', function () {
  this.timeout(180_000);
  const cluster = use(startCluster, { close: (started) => started.close() });
  const secrets = { JWT_SECRET: randomBytes(24).toString('hex'), ENCRYPTION_KEY: randomBytes(24).toString('hex') };
  const running: ServiceProcess[] = [];
  let client: TestClient;
  let token: string;
  /** Codes of the units whose creation was acknowledged. */
  const acknowledged: string[] = [];

  const startApi = async (): Promise<string> => {
    const port = await freePort();
    const env = {
      ...secrets,
      LOG_LEVEL: 'info',
      DATABASE_URL: cluster.url,
      RATE_LIMIT_PER_MINUTE: '0',
      PORT: String(port),
    };
    const api = new ServiceProcess('api/server', [], env);
    running.push(api);
    await api.says('Listening on');
    return `http://127.0.0.1:${port}`;
  };
  const stored = async (url: string) => {
    const { rows } = await connect(url, (one) =>
      one.query<{ code: string }>(`select code from uoms where code like 'X%'`),
    );
    return rows.map(({ code }) => code).sort();
  };

  /** Clients that create units until they are told to stop. @returns what was refused */
  function sell(): { stop(): Promise<string[]> } {
    const refused: string[] = [];
    let over = false;
    const clients = Array.from({ length: CLIENTS }, async (_, number) => {
      for (let round = 0; !over; round++) {
        const code = `X${number}-${round}`;
        const { status, body } = await client.post('/api/uom', { code, name: 'Unit' });
        if (status === 201) acknowledged.push(code);
        else refused.push(`${status} ${body.detail}`);
        await delay(5);
      }
    });
    return {
      async stop() {
        over = true;
        await Promise.all(clients);
        return refused;
      },
    };
  }

  before(async () => {
    await migrate(cluster.url);
    const address = await startApi();
    const { status, body } = await createClient(address).post('/api/setup/init', { company: COMPANY, admin: ADMIN });
    assert.equal(status, 201, JSON.stringify(body));
    token = body.token;
    client = createClient(address, token);
  });
  after(async () => {
    await Promise.all(running.map((api) => api.stop()));
  });

  it('is served from its primary, in whichever order its servers are given', async () => {
    assert.equal((await client.post('/api/uom', { code: 'X', name: 'Unit' })).status, 201);
    assert.deepEqual(await stored(cluster.primaryUrl), ['X']);
    acknowledged.push('X');
  });

  it('is away while no server of it can be written to', async () => {
    const nobody = `postgres://postgres:x@127.0.0.1:${await freePort()}/postgres`;
    for (const servers of [[cluster.standbyUrl], [nobody], [nobody, cluster.standbyUrl]])
      await assert.rejects(findPrimary(servers), isAway);
    const found = await findPrimary([nobody, cluster.standbyUrl, cluster.primaryUrl]);
    assert.equal(found.port, Number(new URL(cluster.primaryUrl).port));
  });

  it('goes on with its standby after a failover: nothing acknowledged is lost, and listeners listen to it', async () => {
    const heard: string[] = [];
    const listener = new Listener(
      { url: cluster.url, channel: 'failover', applicationName: 'listener' },
      { notified: (payload) => heard.push(payload) },
    );
    await listener.listen();
    const selling = sell();
    let refused: string[] = [];
    try {
      await eventually(() => assert.ok(acknowledged.length > 50));
      await cluster.primary.kill();
      await cluster.promote();
      const before = acknowledged.length;
      await eventually(() => assert.ok(acknowledged.length > before + 50), 30_000);
      await eventually(async () => {
        await connect(cluster.standbyUrl, (one) => one.query(`notify failover, 'new'`));
        assert.ok(heard.includes('new'));
      });
    } finally {
      refused = await selling.stop();
      await listener.close();
    }
    // Only what was being committed is not done again by itself.
    for (const one of refused) assert.match(one, /^503 .*while the change was being saved/);
    assert.ok(refused.length <= CLIENTS, refused.join());
    const found = await stored(cluster.standbyUrl);
    assert.deepEqual(
      acknowledged.filter((code) => !found.includes(code)),
      [],
    );
    assert.equal(new Set(found).size, found.length, 'once each');
  });

  it('is not served from an old primary that comes back', async () => {
    await cluster.primary.start();
    const again = createClient(await startApi(), token);
    assert.equal((await again.post('/api/uom', { code: 'Xnew', name: 'Unit' })).status, 201);
    assert.ok((await stored(cluster.standbyUrl)).includes('Xnew'));
    assert.ok(!(await stored(cluster.primaryUrl)).includes('Xnew'));
  });
});
