import assert from 'node:assert/strict';
import { ROLES, type Role } from '../../../../domain/permissions.ts';
import { startTestApp } from '../../../helpers/app.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';

const PASSWORD = 'correct horse battery';

describe('api: users, memberships and roles', () => {
  const app = useApp();

  const addUser = async (email: string, role: Role) => {
    const { status, body } = await app.client.post('/api/users', { email, name: 'Somebody', password: PASSWORD, role });
    assert.equal(status, 201);
    return body.data as { id: string; membershipId: string; version: number };
  };
  const loggedIn = async (email: string): Promise<TestClient> =>
    app.as((await app.anonymous.post('/api/auth/login', { email, password: PASSWORD })).body.token);

  it('creates, changes and deletes a user', async () => {
    const given = { email: 'Berta@example.com', name: 'Berta', locale: 'es-ES', password: PASSWORD };
    const created = await app.client.post('/api/users', given);
    assert.equal(created.status, 201);
    const path = created.headers.get('Location') ?? '';
    assert.equal(path, `/api/users/${created.body.data.id}`);
    const shown = await app.client.get(path);
    assert.deepEqual(shown.body, created.body);
    assert.deepEqual(
      { role: shown.body.data.role, email: shown.body.data.email, active: shown.body.data.active },
      { role: 'viewer', email: given.email, active: true },
    );
    assert.equal(shown.headers.get('ETag'), `"${shown.body.data.id}-1"`);
    const changed = await app.client.patch(path, { name: 'Berta B.' }, { 'If-Match': '"1"' });
    assert.deepEqual(
      { status: changed.status, name: changed.body.data.name, version: changed.body.data.version },
      { status: 200, name: 'Berta B.', version: 2 },
    );
    assert.equal((await app.client.patch(path, { name: 'B' }, { 'If-Match': '"1"' })).status, 412);
    assert.equal((await app.client.del(path)).status, 204);
    assert.equal((await app.client.get(path)).status, 404);
    assert.equal((await app.client.del(path)).status, 404);
  });

  it('answers 409 to a known e-mail and 422 to bad input', async () => {
    await addUser('carla@example.com', 'viewer');
    const known = await app.client.post('/api/users', { email: 'CARLA@example.com', name: 'Carla' });
    assert.deepEqual(
      { status: known.status, code: known.body.code, pointer: known.body.errors[0].pointer },
      { status: 409, code: 'duplicate', pointer: '/email' },
    );
    const bad: [object, string][] = [
      [{ email: 'x', name: 'X' }, '/email'],
      [{ email: 'x@example.com' }, '/name'],
      [{ email: 'x@example.com', name: 'X', role: 'king' }, '/role'],
      [{ email: 'x@example.com', name: 'X', password: 'short' }, '/password'],
      [{ email: 'x@example.com', name: 'X', passwordHash: 'x' }, '/passwordHash'],
    ];
    for (const [body, pointer] of bad) {
      const answer = await app.client.post('/api/users', body);
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.pointer], [422, pointer]);
    }
    assert.equal((await app.client.get('/api/users/not-a-uuid')).status, 400);
  });

  it('takes no end of an API key that is no instant', async () => {
    for (const expiresAt of [
      '2099-01-31T00:00:00+16:00',
      '2099-02-30T00:00:00Z',
      '2099-01-31',
      '0000-01-01T00:00:00Z',
    ]) {
      const answer = await app.client.post('/api/api-keys', { name: 'till', expiresAt });
      assert.deepEqual([answer.status, answer.body.errors?.[0].pointer], [422, '/expiresAt'], expiresAt);
    }
    const furthest = await app.client.post('/api/api-keys', { name: 'till', expiresAt: '2099-01-31T00:00:00+14:00' });
    assert.deepEqual([furthest.status, furthest.body.data.expiresAt], [201, '2099-01-30T10:00:00.000Z']);
  });

  it('changes roles through memberships, with the rules about owners', async () => {
    const admin = await addUser('admin@example.com', 'admin').then(() => loggedIn('admin@example.com'));
    const { membershipId } = await addUser('dora@example.com', 'sales');
    const path = `/api/memberships/${membershipId}`;
    const promoted = await admin.patch(path, { role: 'accountant' });
    assert.deepEqual([promoted.status, promoted.body.data.role], [200, 'accountant']);
    const refused = await admin.patch(path, { role: 'owner' });
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    const { body: owner } = await app.client.get(`/api/users/${app.userId}`);
    const last = await app.client.patch(`/api/memberships/${owner.data.membershipId}`, { role: 'admin' });
    assert.deepEqual([last.status, last.body.code], [409, 'last_owner']);
    assert.equal((await app.client.del(`/api/users/${app.userId}`)).status, 409);
    const duplicate = await app.client.post('/api/memberships', { email: 'dora@example.com', role: 'viewer' });
    assert.deepEqual([duplicate.status, duplicate.body.code], [409, 'duplicate']);
    const nobody = { userId: '01900000-0000-7000-8000-000000000000', role: 'viewer' };
    const unknown = await app.client.post('/api/memberships', nobody);
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/userId']);
  });

  it('lists users, memberships and keys of the company, with filters', async () => {
    const app2 = await startTestApp();
    try {
      const post = (path: string, body: object) => app2.client.post(path, body);
      const names = async (path: string, member = 'name') =>
        (await app2.client.get(path)).body.data.map((row: Record<string, unknown>) => row[member]);
      const berta = await post('/api/users', { email: 'berta@example.com', name: 'Berta', role: 'sales' });
      const other = await post('/api/tenants', { name: 'Other', taxId: 'B20000006' });
      const foreign = { email: 'zoe@example.com', name: 'Zoe' };
      assert.equal((await app2.as(app2.token, other.body.data.id).post('/api/users', foreign)).status, 201);

      const all = await app2.client.get('/api/users?limit=1');
      assert.deepEqual(all.body.pagination, { total: 2, page: 1, per_page: 1, has_more: true });
      assert.deepEqual(all.body.data, [(await app2.client.get(`/api/users/${berta.body.data.id}`)).body.data]);
      assert.deepEqual(await names('/api/users?sort=-name'), ['Olga Owner', 'Berta']);
      assert.deepEqual(await names('/api/users?role=sales'), ['Berta']);
      assert.deepEqual(await names('/api/users?q=OLGA'), ['Olga Owner']);
      assert.deepEqual(await names(`/api/memberships?userId=${berta.body.data.id}`, 'role'), ['sales']);
      assert.deepEqual(await names('/api/memberships', 'tenantId'), [app2.tenantId, app2.tenantId]);
      await post('/api/api-keys', { name: 'till' });
      assert.deepEqual(await names('/api/api-keys?name[contains]=il'), ['till']);
      assert.doesNotMatch(JSON.stringify((await app2.client.get('/api/api-keys')).body), /bms_|hash/i);
      for (const bad of ['users?password=x', 'users?sort=password', 'memberships?userId=7', 'api-keys?limit=501']) {
        assert.deepEqual([bad, (await app2.client.get(`/api/${bad}`)).status], [bad, 400]);
      }
    } finally {
      await app2.stop();
    }
  });

  it('keeps e-mails unique when they are changed', async () => {
    await addUser('first@example.com', 'viewer');
    const second = await addUser('second@example.com', 'viewer');
    const answer = await app.client.patch(`/api/users/${second.id}`, { email: 'FIRST@example.com' });
    assert.deepEqual(
      { status: answer.status, code: answer.body.code, pointer: answer.body.errors[0].pointer },
      { status: 409, code: 'duplicate', pointer: '/email' },
    );
    const shown = await app.client.get(`/api/users/${second.id}`);
    assert.deepEqual([shown.body.data.email, shown.body.data.version], ['second@example.com', 1]);
  });

  it('tells the companies of a user', async () => {
    await addUser('eva@example.com', 'viewer');
    const { status, body } = await app.client.get('/api/memberships/tenants-for-user?email=EVA@example.com');
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.map(({ id, role }: { id: string; role: string }) => [id, role]),
      [[app.tenantId, 'viewer']],
    );
    assert.equal((await app.client.get('/api/memberships/tenants-for-user')).status, 400);
    assert.deepEqual(body.pagination, { total: 1, page: 1, per_page: 50, has_more: false });
    const path = '/api/memberships/tenants-for-user?email=owner@example.test';
    await app.client.post('/api/tenants', { name: 'Second', taxId: 'B20000006' });
    const pages = [await app.client.get(`${path}&limit=1`), await app.client.get(`${path}&limit=1&page=2`)];
    assert.deepEqual(
      pages.map((page) => [page.body.data.length, page.body.pagination]),
      [
        [1, { total: 2, page: 1, per_page: 1, has_more: true }],
        [1, { total: 2, page: 2, per_page: 1, has_more: false }],
      ],
    );
    assert.equal(new Set(pages.map((page) => page.body.data[0].id)).size, 2);
    for (const bad of ['limit=0', 'limit=501', 'page=x']) {
      assert.equal((await app.client.get(`${path}&${bad}`)).status, 400, bad);
    }
  });

  it('lists the roles with their permissions', async () => {
    const { body } = await app.client.get('/api/roles');
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      Object.keys(ROLES),
    );
    assert.ok(body.data[0].permissions.includes('users:delete'));
  });

  it('keeps passwords and keys out of the audit log and the events', async () => {
    const { body } = await app.client.post('/api/api-keys', { name: 'machine' });
    const { rows } = await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw(
        'select old_value::text, new_value::text from audit_logs union all select payload::text, event from outbox',
      ),
    );
    const written = JSON.stringify(rows);
    assert.match(written, /ApiKey|machine/);
    for (const secret of [PASSWORD, 'argon2', body.data.key, 'key_hash', 'keyHash']) {
      assert.ok(!written.includes(secret), secret);
    }
  });
});
