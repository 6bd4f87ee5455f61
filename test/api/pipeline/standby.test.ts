import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { takesStale } from '../../../api/pipeline/standby.ts';
import { migrate } from '../../../db/migrate.ts';
import { freePort } from '../../../runtime/ports.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { ServiceProcess } from '../../e2e/service-process.ts';
import { createClient, type TestClient } from '../../helpers/client.ts';
import { use } from '../../helpers/hooks.ts';
import { startProxy } from '../../helpers/proxy.ts';
import { startCluster } from '../../helpers/standby.ts';
import { eventually } from '../../helpers/worker.ts';

const ADMIN = { email: 'olga@example.test', name: 'Olga', password: 'correct horse battery staple' };
const COMPANY = { name: 'Frutas García SL', taxId: 'B12345674', country: 'ES' };
const STALE = { Prefer: 'stale' };

describe('reads that may be old', function () {
  this.timeout(120_000);
  const cluster = use(startCluster, { close: (started) => started.close() });
  const proxy = use(() => startProxy(new URL(cluster.standbyUrl).host), { close: (one) => one.close() });
  let api: ServiceProcess;
  let client: TestClient;

  before(async () => {
    await migrate(cluster.primaryUrl);
    const port = await freePort();
    const through = Object.assign(new URL(cluster.standbyUrl), { host: `${proxy.host}:${proxy.port}` });
    api = new ServiceProcess('api/server', [], {
      JWT_SECRET: randomBytes(24).toString('hex'),
      ENCRYPTION_KEY: randomBytes(24).toString('hex'),
      LOG_LEVEL: 'info',
      DATABASE_URL: cluster.primaryUrl,
      DATABASE_STANDBY_URL: through.href,
      DATABASE_STANDBY_SECONDS: '4',
      RATE_LIMIT_PER_MINUTE: '0',
      PORT: String(port),
    });
    await api.says('Listening on');
    const address = `http://127.0.0.1:${port}`;
    const { body } = await createClient(address).post('/api/setup/init', { company: COMPANY, admin: ADMIN });
    client = createClient(address, body.token);
  });
  after(() => api?.stop());

  const onStandby = (sql: string) => connect(cluster.standbyUrl, (one) => one.query(sql));
  const make = async (code: string) => (await client.post('/api/uom', { code, name: 'Unit' })).body.data.id as string;
  /** Whether a list has a unit, and whether the standby answered. */
  const look = async (code: string, headers = {}) => {
    const { body, headers: answered } = await client.get(`/api/uom?code=${code}`, headers);
    return [body.data.length === 1, answered.get('preference-applied')];
  };

  it('go to the standby if they say so, others to the primary', async () => {
    await make('BEFORE');
    await eventually(async () => assert.deepEqual(await look('BEFORE', STALE), [true, 'stale']));
    await onStandby('select pg_wal_replay_pause()');
    const id = await make('AFTER');
    assert.deepEqual(await look('AFTER', STALE), [false, 'stale']);
    assert.deepEqual(await look('AFTER'), [true, null]);
    const file = await client.get('/api/uom?format=csv', STALE);
    assert.equal(file.headers.get('preference-applied'), 'stale');
    assert.ok(String(file.body).includes('BEFORE') && !String(file.body).includes('AFTER'));
    // A record that the standby does not have yet is looked for where it is.
    const one = await client.get(`/api/uom/${id}`, STALE);
    assert.deepEqual([one.status, one.headers.get('preference-applied')], [200, null]);
  });

  it('go to the primary while the standby is too far behind, and back when it is not', async () => {
    await eventually(async () => assert.deepEqual(await look('AFTER', STALE), [true, null]), 20_000);
    await onStandby('select pg_wal_replay_resume()');
    await make('LATER');
    await eventually(async () => assert.deepEqual(await look('LATER', STALE), [true, 'stale']), 20_000);
  });

  it('go to the primary while the standby is away', async () => {
    proxy.down();
    assert.deepEqual(await look('LATER', STALE), [true, null]);
  });

  it('are those with the preference alone', () => {
    const cases: [string, boolean][] = [
      ['stale', true],
      ['return=minimal, Stale', true],
      ['stale; x=1', true],
      ['', false],
      ['stale-ish', false],
      ['not stale', false],
    ];
    for (const [header, expected] of cases) assert.equal(takesStale(header), expected, header);
  });
});
