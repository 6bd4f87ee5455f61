import assert from 'node:assert/strict';
import pg from 'pg';
import { freePort } from '../../../../runtime/ports.ts';
import { ServiceProcess } from '../../../e2e/service-process.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { type Answer, createClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';

const PASSWORD = 'correct horse battery';

/** Cached callers of one process, while another process changes them. */
describe('api: callers cached by two processes', function () {
  // The first process of a clone compiles the service.
  this.timeout(180_000);
  let other: ServiceProcess;
  let there: string;
  const app = useApp({ clock: REAL_CLOCK });
  before(async () => {
    const port = await freePort();
    there = `http://127.0.0.1:${port}`;
    other = new ServiceProcess('api/server', [], {
      DATABASE_URL: app.databaseUrl,
      JWT_SECRET: String(app.deps.config.auth.jwtSecret),
      ENCRYPTION_KEY: String(app.deps.config.encryptionKey),
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'info',
    });
    await other.says('Listening on');
  });
  after(async () => {
    await other?.stop();
  });

  let people = 0;
  /** Creates a user who has just been authenticated by the other process. */
  const somebody = async (role = 'admin') => {
    const email = `p${++people}@example.test`;
    const user = (await app.client.post('/api/users', { email, name: 'P', role, password: PASSWORD })).body.data;
    const login = (await app.anonymous.post('/api/auth/login', { email, password: PASSWORD })).body;
    assert.ok(login.token, JSON.stringify([user, login]));
    const known = createClient(there, login.token);
    const read = () => known.get('/api/webhooks');
    const first = await read();
    assert.equal(first.status, 200, JSON.stringify(first.body));
    return { user, token: login.token, refreshToken: login.refresh_token, read };
  };
  const machine = async () => {
    const { body } = await app.client.post('/api/api-keys', { name: `m${++people}`, role: 'admin' });
    const known = createClient(there, body.data.key);
    const read = () => known.get('/api/webhooks');
    const first = await read();
    assert.equal(first.status, 200, JSON.stringify(first.body));
    return { id: body.data.id, read };
  };
  const errorCode = (answer: Answer) => answer.body.code;

  it('refuses a person after each end of their membership', async function () {
    this.timeout(120_000);
    for (let round = 0; round < 20; round++) {
      const { user, read } = await somebody();
      assert.equal((await app.client.del(`/api/users/${user.id}`)).status, 204);
      assert.equal(errorCode(await read()), 'not_a_member');
    }
  });

  it('applies a new role from the next request on', async () => {
    const { user, read } = await somebody();
    const membership = `/api/memberships/${user.membershipId}`;
    assert.equal((await app.client.patch(membership, { role: 'viewer' })).status, 200);
    assert.equal(errorCode(await read()), 'forbidden');
    assert.equal((await app.client.patch(membership, { role: 'admin' })).status, 200);
    assert.equal((await read()).status, 200);
  });

  it('refuses a locked user', async () => {
    const { user, read } = await somebody();
    assert.equal((await app.client.patch(`/api/users/${user.id}`, { active: false })).status, 200);
    assert.equal(errorCode(await read()), 'not_a_member');
  });

  it('ends a session on logout, and no other', async () => {
    const { token, refreshToken, read } = await somebody();
    const stays = await somebody();
    assert.equal((await app.as(token).post('/api/auth/logout', { refresh_token: refreshToken })).status, 204);
    assert.equal(errorCode(await read()), 'invalid_token');
    assert.equal((await stays.read()).status, 200);
  });

  it('refuses a deleted API key', async () => {
    const { id, read } = await machine();
    assert.equal((await app.client.del(`/api/api-keys/${id}`)).status, 204);
    assert.equal(errorCode(await read()), 'invalid_token');
  });

  it('takes from an API key what its creator loses, and all while they are locked or gone', async () => {
    const { user, token } = await somebody('admin');
    const { body } = await app.as(token).post('/api/api-keys', { name: 'made to last', role: 'admin' });
    const read = (path: string) => createClient(there, body.data.key).get(path);
    const status = async (path = '/api/webhooks') => (await read(path)).status;
    assert.deepEqual([await status(), await status('/api/uom')], [200, 200]);
    await app.client.patch(`/api/memberships/${user.membershipId}`, { role: 'sales' });
    assert.deepEqual([await status(), await status('/api/uom')], [403, 200]);
    await app.client.patch(`/api/memberships/${user.membershipId}`, { role: 'admin' });
    assert.equal(await status(), 200);
    await app.client.patch(`/api/memberships/${user.membershipId}`, { active: false });
    assert.equal(errorCode(await read('/api/uom')), 'not_a_member');
    await app.client.patch(`/api/memberships/${user.membershipId}`, { active: true });
    assert.equal(await status(), 200);
    await app.client.del(`/api/memberships/${user.membershipId}`);
    assert.equal(errorCode(await read('/api/uom')), 'not_a_member');
    const taken = await app.client.post(`/api/api-keys/${body.data.id}/take-over`);
    assert.deepEqual([taken.status, await status()], [200, 200]);
  });

  it('shows newly defined custom fields', async () => {
    const { token } = await somebody();
    const known = createClient(there, token);
    const members = async () => Object.keys((await known.get('/api/warehouses?limit=1')).body.data[0]);
    assert.ok(!(await members()).includes('custom_dock'));
    const field = { table_name: 'Warehouse', field_name: 'dock', label: 'Dock', type: 'TEXT' };
    assert.equal((await app.client.post('/api/custom-fields', field)).status, 201);
    assert.ok((await members()).includes('custom_dock'));
  });

  it('queries the database while it cannot listen for changes', async () => {
    const { user, read } = await somebody();
    const client = new pg.Client({ connectionString: app.databaseUrl });
    await client.connect();
    const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'callers' and datname = current_database()`);
    await client.end();
    assert.equal(rowCount, 2, 'each process listens');
    assert.equal((await app.client.del(`/api/users/${user.id}`)).status, 204);
    assert.equal(errorCode(await read()), 'not_a_member');
  });
});
