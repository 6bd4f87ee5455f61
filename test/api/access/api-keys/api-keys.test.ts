import assert from 'node:assert/strict';
import type { Clock } from '../../../helpers/app.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { NOW } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PASSWORD = 'correct horse battery';
const MINUTE_MS = 60_000;

describe('api: API keys', () => {
  let admin: TestClient;
  let adminId: string;
  let membershipId: string;
  const clock: Clock = { now: NOW };

  const app = useApp({ clock });
  before(async () => {
    ({ client: admin, id: adminId, membershipId } = await member('admin@example.test', 'Adela'));
  });
  afterEach(() => {
    clock.now = NOW;
  });

  async function member(email: string, name: string) {
    const { body } = await app.client.post('/api/users', { email, name, password: PASSWORD, role: 'admin' });
    const { body: session } = await app.anonymous.post('/api/auth/login', { email, password: PASSWORD });
    return {
      client: app.as(session.token),
      id: body.data.id as string,
      membershipId: body.data.membershipId as string,
    };
  }

  it('makes keys expire after a year by default, and never only for owners', async () => {
    const inAYear = new Date(NOW);
    inAYear.setUTCFullYear(inAYear.getUTCFullYear() + 1);
    const { body } = await admin.post('/api/api-keys', { name: 'till' });
    assert.equal(body.data.expiresAt, inAYear.toISOString());
    const chosen = await admin.post('/api/api-keys', { name: 'chosen', expiresAt: '2099-01-01T00:00:00.000Z' });
    assert.equal(chosen.body.data.expiresAt, '2099-01-01T00:00:00.000Z');
    assertProblem(await admin.post('/api/api-keys', { name: 'ever', expiresAt: null }), 403, 'forbidden');
    const path = `/api/api-keys/${body.data.id}`;
    assertProblem(await admin.patch(path, { expiresAt: null }), 403, 'forbidden');
    const ever = await app.client.post('/api/api-keys', { name: 'ever', expiresAt: null });
    assert.deepEqual([ever.status, ever.body.data.expiresAt], [201, null]);
    // Others may send the owner's choice back unchanged.
    const { body: read } = await admin.get(`/api/api-keys/${ever.body.data.id}`);
    const renamed = await admin.patch(`/api/api-keys/${ever.body.data.id}`, { ...read.data, name: 'for ever' });
    assert.deepEqual(
      { status: renamed.status, expiresAt: renamed.body.data.expiresAt, name: renamed.body.data.name },
      { status: 200, expiresAt: null, name: 'for ever' },
    );
    assert.equal((await app.client.patch(path, { expiresAt: null })).body.data.expiresAt, null);

    const client = app.as(chosen.body.data.key);
    assert.equal((await client.get('/api/uom')).status, 200);
    const { data } = (await admin.post('/api/api-keys', { name: 'ends' })).body;
    clock.now = inAYear;
    assertProblem(await app.as(data.key).get('/api/uom'), 401, 'token_expired');
  });

  it('shows the creator of a key, even of one created by another key, and its last use', async () => {
    const { body: first } = await admin.post('/api/api-keys', { name: 'first', role: 'admin' });
    const maker = [first.data.createdBy, first.data.createdByName, first.data.lastUsedAt];
    assert.deepEqual(maker, [adminId, 'Adela', null]);
    const client = app.as(first.data.key);
    const { body: second } = await client.post('/api/api-keys', { name: 'second' });
    assert.deepEqual([second.data.createdBy, second.data.createdByName], [adminId, 'Adela']);

    const lastUsed = async () => (await admin.get(`/api/api-keys/${first.data.id}`)).body.data;
    const { lastUsedAt, version, updatedAt } = await lastUsed();
    assert.deepEqual(
      { lastUsedAt, version, updatedAt },
      { lastUsedAt: NOW.toISOString(), version: 1, updatedAt: first.data.updatedAt },
    );
    clock.now = new Date(NOW.getTime() + MINUTE_MS - 1);
    await client.get('/api/uom');
    assert.equal((await lastUsed()).lastUsedAt, NOW.toISOString());
    clock.now = new Date(NOW.getTime() + MINUTE_MS);
    await client.get('/api/uom');
    assert.equal((await lastUsed()).lastUsedAt, clock.now.toISOString());
    const { body: listed } = await admin.get('/api/api-keys?sort=-lastUsedAt&limit=1');
    assert.equal(listed.data[0].name, 'first');
  });

  it('accepts a key while somebody changes it', async () => {
    const { body } = await app.client.post('/api/api-keys', { name: 'locked' });
    await app.database.withTenant({ tenantId: app.tenantId }, async (trx) => {
      await trx.raw('select from api_keys where id = ? for update', [body.data.id]);
      assert.equal((await app.as(body.data.key).get('/api/uom')).status, 200);
    });
  });

  it('keeps keys working when their creator leaves, lists them in the answer and notifies the owners', async () => {
    const { body: told } = await app.client.get('/api/api-keys?limit=500');
    const theirs = told.data.filter(({ createdBy }: { createdBy: string }) => createdBy === adminId);
    assert.ok(theirs.length > 0);
    const { body: key } = await admin.post('/api/api-keys', { name: 'zz last' });
    const second = await member('second@example.test', 'Sara');
    const answer = await second.client.del(`/api/memberships/${membershipId}`);
    assert.equal(answer.status, 200);
    const names = answer.body.data.apiKeys.map(({ name }: { name: string }) => name);
    assert.deepEqual(names.sort(), [...theirs.map(({ name }: { name: string }) => name), 'zz last'].sort());
    assert.doesNotMatch(JSON.stringify(answer.body), /bms_|hash/i);
    assert.equal((await app.as(key.data.key).get('/api/uom')).status, 200);
    const { rows } = await app.database.withTenant(app, (trx) =>
      trx.raw(`select user_id, title, body from notifications where metadata -> 'api_key_ids' is not null`),
    );
    assert.deepEqual(
      rows.map(({ user_id, title }: Record<string, string>) => [user_id, title]),
      [[app.userId, `Adela ha dejado la empresa: siguen valiendo claves de API que había creado (${names.length})`]],
    );
    assert.match(rows[0].body, /zz last \(viewer\)/);
    const { body: kept } = await app.client.get(`/api/api-keys/${key.data.id}`);
    assert.deepEqual([kept.data.createdBy, kept.data.createdByName], [adminId, 'Adela']);
    // Without keys of their own, there is nothing to report.
    assert.equal((await app.client.del(`/api/users/${second.id}`)).status, 204);
  });
});
