import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
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

  describe('with permissions of their own', () => {
    const PERMISSIONS = ['partners:create', 'items:read', 'webhooks:create'];

    it('may do just that', async () => {
      const { status, body } = await app.client.post('/api/api-keys', { name: 'checkout', permissions: PERMISSIONS });
      assert.equal(status, 201);
      assert.deepEqual([body.data.role, body.data.permissions], ['custom', [...PERMISSIONS].sort()]);
      const key = app.as(body.data.key);
      assert.equal((await key.get('/api/items')).status, 200);
      const { body: group } = await app.client.get('/api/partnerGroups?isCustomer=true');
      const partner = { name: 'Made by the shop', groupId: group.data[0].id };
      assert.equal((await key.post('/api/partners', partner)).status, 201);
      const refused = await key.get('/api/partners');
      assertProblem(refused, 403, 'forbidden');
      assert.equal(refused.body.detail, 'This API key lacks the permission partners:read');
      assertProblem(await key.post('/api/api-keys', { name: 'more', permissions: ['items:read'] }), 403, 'forbidden');
      const { permissions, role } = (await key.get('/api/auth/me')).body;
      assert.deepEqual([role, [...permissions].sort()], ['viewer', [...PERMISSIONS].sort()]);
      const read = (await app.client.get(`/api/api-keys/${body.data.id}`)).body.data;
      assert.deepEqual([read.role, read.permissions], ['custom', [...PERMISSIONS].sort()]);
      const listed = await app.client.get('/api/api-keys?role=custom');
      assert.deepEqual(
        listed.body.data.map(({ id }: { id: string }) => id),
        [body.data.id],
      );
    });

    it('subscribe to no event that they may not read', async () => {
      const { body } = await app.client.post('/api/api-keys', { name: 'listener', permissions: PERMISSIONS });
      const hook = { name: 'Hook', url: 'https://hooks.example.com/in' };
      const key = app.as(body.data.key);
      assertProblem(await key.post('/api/webhooks', { ...hook, events: ['document.created'] }), 403, 'forbidden');
    });

    it('refuse what does not exist, what goes with a role, and both together', async () => {
      const faults = async (input: object) => {
        const answer = await app.client.post('/api/api-keys', { name: 'bad', ...input });
        assertProblem(answer, 422, 'validation_failed');
        return answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
      };
      assert.deepEqual(
        await faults({ permissions: ['items:read', 'items:fly', 'users:create', 'automations:update'] }),
        ['/permissions/1 unknown_permission', '/permissions/2 not_applicable', '/permissions/3 not_applicable'],
      );
      assert.deepEqual(await faults({ permissions: ['items:read'], role: 'sales' }), ['/role not_applicable']);
      assert.deepEqual(await faults({ permissions: [] }), ['/permissions too_few']);
      assert.deepEqual(await faults({ permissions: ['items:read', 'items:read'] }), ['/permissions duplicate']);
    });

    it('lose what whoever answers for them loses', async () => {
      const leaver = await member('second@example.test', 'Segundo');
      const { body } = await leaver.client.post('/api/api-keys', {
        name: 'his',
        permissions: ['categories:read', 'categories:create'],
      });
      const key = app.as(body.data.key);
      assert.equal((await key.post('/api/categories', { code: 'KEY', name: 'Made by their key' })).status, 201);
      await app.client.patch(`/api/memberships/${leaver.membershipId}`, { role: 'viewer' });
      assertProblem(await key.post('/api/categories', { code: 'LATER', name: 'Made later' }), 403, 'forbidden');
      assert.equal((await key.get('/api/categories')).status, 200);
    });
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

  describe('of other keys', () => {
    const END = '2098-01-01T00:00:00.000Z';
    const LATER = '2098-01-02T00:00:00.000Z';
    const make = async (client: TestClient, input: object) => {
      const { status, body } = await client.post('/api/api-keys', { name: newId(), role: 'admin', ...input });
      assert.equal(status, 201, JSON.stringify(body));
      return { path: `/api/api-keys/${body.data.id}`, client: app.as(body.data.key), ...body.data };
    };

    it('lengthen neither their own life nor that of another beyond it', async () => {
      const key = await make(app.client, { role: 'owner', expiresAt: END });
      const other = await make(app.client, { expiresAt: END });
      for (const expiresAt of [LATER, null]) {
        assertProblem(await key.client.patch(key.path, { expiresAt }), 403, 'forbidden');
        assertProblem(await key.client.patch(other.path, { expiresAt }), 403, 'forbidden');
        assertProblem(await key.client.post('/api/api-keys', { name: 'child', expiresAt }), 403, 'forbidden');
      }
      assert.equal((await key.client.patch(key.path, { name: 'renamed' })).status, 200);
      const soon = new Date(NOW.getTime() + MINUTE_MS).toISOString();
      const brief = await make(app.client, { expiresAt: soon });
      const child = await make(brief.client, {});
      const grandchild = await make(child.client, {});
      assert.deepEqual([child.expiresAt, grandchild.expiresAt], [soon, soon]);
      assertProblem(await app.client.patch(grandchild.path, { expiresAt: LATER }), 403, 'forbidden');
    });

    it('give no more rights than they have', async () => {
      const key = await make((await member('maker@example.test', 'Mara')).client, {});
      assertProblem(await key.client.post('/api/api-keys', { name: 'up', role: 'owner' }), 403, 'forbidden');
      const own = await make(app.client, { role: 'owner' });
      assertProblem(await key.client.patch(own.path, { name: 'mine' }), 403, 'forbidden');
    });

    it('end with the key that made them, and no later', async () => {
      const key = await make(app.client, { expiresAt: END });
      const child = await make(key.client, {});
      const grandchild = await make(child.client, { role: 'viewer' });
      const sooner = new Date(NOW.getTime() + MINUTE_MS).toISOString();
      assert.equal((await app.client.patch(key.path, { expiresAt: sooner })).status, 200);
      assert.equal((await app.client.get(grandchild.path)).body.data.expiresAt, sooner);
      assert.equal((await app.client.del(key.path)).status, 204);
      assertProblem(await grandchild.client.get('/api/uom'), 401, 'invalid_token');
      assert.equal((await app.client.get(child.path)).status, 404);
    });
  });

  it("refuses administrators the change, the deletion and the take-over of an owner's key", async () => {
    const { body } = await app.client.post('/api/api-keys', { name: "owner's", role: 'owner' });
    const path = `/api/api-keys/${body.data.id}`;
    assertProblem(await admin.patch(path, { name: 'mine' }), 403, 'forbidden');
    assertProblem(await admin.patch(path, { expiresAt: '2099-01-01T00:00:00.000Z' }), 403, 'forbidden');
    assertProblem(await admin.del(path), 403, 'forbidden');
    assertProblem(await admin.post(`${path}/take-over`), 403, 'forbidden');
    assertProblem(await app.client.post(`${path}/take-over`), 409, 'invalid_transition');
  });

  it('tells the owners and a demoted person of the keys that may do less', async () => {
    const { client, id, membershipId: theirs } = await member('demoted@example.test', 'Dora');
    const { body: strong } = await client.post('/api/api-keys', { name: 'strong', role: 'admin' });
    const { body: weak } = await client.post('/api/api-keys', { name: 'weak', role: 'sales' });
    await app.client.patch(`/api/memberships/${theirs}`, { role: 'sales' });
    const { rows } = await app.database.withTenant(app, (trx) =>
      trx.raw(`select user_id, body from notifications where metadata ->> 'user_id' = '${id}'`),
    );
    const users = rows.map((row: { user_id: string }) => row.user_id);
    assert.deepEqual(users.sort(), [app.userId, id].sort());
    for (const { body } of rows) assert.match(body, /strong \(admin\)\./);
    assertProblem(await app.as(strong.data.key).get('/api/webhooks'), 403, 'forbidden');
    assert.equal((await app.as(weak.data.key).get('/api/sales')).status, 200);
    assertProblem(await app.as(strong.data.key).post('/api/api-keys', { name: 'up' }), 403, 'forbidden');
  });

  it('suspends keys when their creator leaves, lists them in the answer, notifies the owners, and lets one take over', async () => {
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
    assertProblem(await app.as(key.data.key).get('/api/uom'), 403, 'not_a_member');
    const { rows } = await app.database.withTenant(app, (trx) =>
      trx.raw(`select user_id, title, body from notifications where metadata ->> 'user_id' = '${adminId}'`),
    );
    assert.deepEqual(
      rows.map(({ user_id, title }: Record<string, string>) => [user_id, title]),
      [[app.userId, `Adela ha dejado la empresa: se suspenden las claves de API que había creado (${names.length})`]],
    );
    assert.match(rows[0].body, /zz last \(viewer\)/);
    const { body: kept } = await app.client.get(`/api/api-keys/${key.data.id}`);
    const { createdBy, createdByName, status } = kept.data;
    assert.deepEqual([createdBy, createdByName, status], [adminId, 'Adela', 'suspended']);
    const { body: suspended } = await app.client.get('/api/api-keys?status=suspended&limit=500');
    assert.equal(suspended.data.length, names.length);
    assertProblem(await second.client.post(`/api/api-keys/${key.data.id}/take-over`), 403, 'forbidden');
    const { body: taken } = await app.client.post(`/api/api-keys/${key.data.id}/take-over`);
    assert.deepEqual(
      [taken.data.createdBy, taken.data.takenOverBy, taken.data.status],
      [adminId, app.userId, 'active'],
    );
    assert.equal((await app.as(key.data.key).get('/api/uom')).status, 200);
    // Without keys of their own, there is nothing to report.
    assert.equal((await app.client.del(`/api/users/${second.id}`)).status, 204);
  });
});
