import assert from 'node:assert/strict';
import jwt from 'jsonwebtoken';
import { OWNER } from '../../../helpers/app.ts';
import { useApp } from '../../../helpers/hooks.ts';

const PASSWORD = 'correct horse battery';

describe('api: authentication', () => {
  const app = useApp();

  const addUser = (email: string, role: string) =>
    app.client.post('/api/users', { email, name: 'Somebody', password: PASSWORD, role });
  const logIn = (email: string, password = PASSWORD) => app.anonymous.post('/api/auth/login', { email, password });

  it('logs in, refreshes, describes the caller and logs out', async () => {
    const login = await logIn(OWNER.email.toUpperCase(), OWNER.password);
    assert.equal(login.status, 200);
    assert.deepEqual(Object.keys(login.body), ['token', 'expires_in', 'refresh_token', 'user', 'tenants']);
    assert.equal(login.headers.get('Cache-Control'), 'no-store');
    const me = await app.as(login.body.token).get('/api/auth/me');
    assert.equal(me.status, 200);
    assert.deepEqual(
      { email: me.body.user.email, id: me.body.tenant.id, role: me.body.role },
      { email: OWNER.email, id: app.tenantId, role: 'owner' },
    );
    assert.ok(me.body.permissions.includes('webhooks:create'));

    const { refresh_token } = login.body;
    const next = await app.anonymous.post('/api/auth/refresh', { refresh_token });
    assert.equal(next.status, 200);
    const logout = await app.as(next.body.token).post('/api/auth/logout');
    assert.deepEqual([logout.status, logout.body], [204, undefined]);
    const ended = await app.anonymous.post('/api/auth/refresh', { refresh_token: next.body.refresh_token });
    assert.deepEqual([ended.status, ended.body.code], [401, 'invalid_token']);
    for (const { body } of [login, next]) {
      const me = await app.as(body.token).get('/api/auth/me');
      assert.deepEqual([me.status, me.body.code], [401, 'invalid_token']);
    }
    assert.equal((await app.client.get('/api/auth/me')).status, 200);
  });

  it('answers 401 with WWW-Authenticate to missing, forged and expired tokens', async () => {
    const claims = jwt.decode(app.token) as jwt.JwtPayload;
    const { jwtSecret } = app.deps.config.auth;
    const [, payload] = app.token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const tokens: Record<string, string> = {
      unauthorized: '',
      invalid_token: `${none}.${payload}.`,
      token_expired: jwt.sign({ ...claims, iat: 1_000_000, exp: 1_000_001 }, jwtSecret ?? ''),
    };
    for (const [code, token] of Object.entries(tokens)) {
      const answer = await app.as(token).get('/api/auth/me');
      assert.deepEqual([answer.status, answer.body.code], [401, code]);
      assert.match(answer.headers.get('WWW-Authenticate') ?? '', /^Bearer/);
      assert.match(answer.headers.get('Content-Type') ?? '', /^application\/problem\+json/);
    }
  });

  it('answers 400 to an x-tenant-id that is not a UUID and 403 to one of another company', async () => {
    const bad = await app.as(app.token, 'main').get('/api/auth/me');
    assert.deepEqual([bad.status, bad.body.code], [400, 'bad_request']);
    const foreign = await app.as(app.token, '01900000-0000-7000-8000-000000000000').get('/api/auth/me');
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'not_a_member']);
  });

  it('refuses the token of a user removed from the company at once', async () => {
    const { body: created } = await addUser('berta@example.com', 'sales');
    const { body: session } = await logIn('berta@example.com');
    assert.equal((await app.as(session.token).get('/api/auth/me')).status, 200);
    assert.equal((await app.client.del(`/api/memberships/${created.data.membershipId}`)).status, 204);
    const after = await app.as(session.token).get('/api/auth/me');
    assert.deepEqual([after.status, after.body.code], [403, 'not_a_member']);
  });

  it('revokes the family when a refresh token is used twice', async () => {
    const { body } = await logIn(OWNER.email, OWNER.password);
    const refresh = (refresh_token: string) => app.anonymous.post('/api/auth/refresh', { refresh_token });
    const next = await refresh(body.refresh_token);
    assert.equal((await refresh(body.refresh_token)).status, 401);
    assert.equal((await refresh(next.body.refresh_token)).status, 401);
  });

  it('answers 429 with Retry-After after five failures for one e-mail', async () => {
    await addUser('carla@example.com', 'viewer');
    for (let attempt = 0; attempt < 5; attempt++) assert.equal((await logIn('carla@example.com', 'no')).status, 401);
    const limited = await logIn('Carla@example.com');
    assert.deepEqual([limited.status, limited.body.code], [429, 'too_many_requests']);
    const wait = Number(limited.headers.get('Retry-After'));
    assert.ok(wait > 0 && wait <= 900, String(wait));
  });

  it('answers 422 to bodies of the wrong shape', async () => {
    const bodies: [object, string][] = [
      [{ email: 'a@example.com' }, '/password'],
      [{ email: 7, password: PASSWORD }, '/email'],
      [{ email: 'a@example.com', password: PASSWORD, admin: true }, '/admin'],
      [{ email: 'a\u0000@example.com', password: PASSWORD }, '/email'],
    ];
    for (const [body, pointer] of bodies) {
      const answer = await app.anonymous.post('/api/auth/login', body);
      assert.equal(answer.status, 422);
      assert.deepEqual(
        answer.body.errors.map((error: { pointer: string }) => error.pointer),
        [pointer],
      );
    }
  });

  it('changes the password and keeps only the current session', async () => {
    await addUser('dora@example.com', 'viewer');
    const here = (await logIn('dora@example.com')).body;
    const elsewhere = (await logIn('dora@example.com')).body;
    const client = app.as(here.token);
    const change = (currentPassword: string, newPassword: string) =>
      client.post('/api/auth/change-password', { currentPassword, newPassword });
    const wrong = await change('not the password', 'another password');
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/currentPassword']);
    const short = await change(PASSWORD, 'short');
    assert.deepEqual([short.status, short.body.errors[0].pointer], [422, '/newPassword']);
    assert.equal((await change(PASSWORD, 'another password')).status, 204);
    const refresh = (refresh_token: string) => app.anonymous.post('/api/auth/refresh', { refresh_token });
    assert.equal((await refresh(elsewhere.refresh_token)).status, 401);
    assert.equal((await refresh(here.refresh_token)).status, 200);
    assert.equal((await logIn('dora@example.com', 'another password')).status, 200);
  });

  it('switches to another company of the user, and to no other', async () => {
    const { body } = await app.client.post('/api/tenants', { name: 'Second', taxId: 'B87654323' });
    const switched = await app.client.post('/api/auth/switch-tenant', { tenantId: body.data.id });
    assert.equal(switched.status, 200);
    assert.equal((await app.as(switched.body.token).get('/api/tenants/mine')).body.data.name, 'Second');
    await addUser('eva@example.com', 'admin');
    const eva = app.as((await logIn('eva@example.com')).body.token);
    const refused = await eva.post('/api/auth/switch-tenant', { tenantId: body.data.id });
    assert.deepEqual([refused.status, refused.body.code], [403, 'not_a_member']);
    assert.equal((await eva.post('/api/auth/switch-tenant', { tenantId: 'second' })).status, 422);
  });

  it('accepts an API key with its role, and refuses it what requires a user', async () => {
    const { body, status } = await app.client.post('/api/api-keys', { name: 'shop', role: 'sales' });
    assert.equal(status, 201);
    const machine = app.as(body.data.key);
    const me = await machine.get('/api/auth/me');
    assert.deepEqual(
      { user: me.body.user, apiKeyId: me.body.apiKeyId, role: me.body.role },
      { user: null, apiKeyId: body.data.id, role: 'sales' },
    );
    assert.equal((await machine.get('/api/api-keys/01900000-0000-7000-8000-000000000000')).status, 403);
    const passwords = { currentPassword: PASSWORD, newPassword: 'another password' };
    for (const [path, sent] of Object.entries({
      '/api/auth/logout': undefined,
      '/api/auth/change-password': passwords,
      '/api/auth/switch-tenant': { tenantId: app.tenantId },
    })) {
      assert.deepEqual([path, (await machine.post(path, sent)).status], [path, 403]);
    }
    const shown = await app.client.get(`/api/api-keys/${body.data.id}`);
    assert.deepEqual(
      Object.keys(shown.body.data).filter((member) => /key|hash/i.test(member)),
      [],
    );
    assert.equal((await app.client.del(`/api/api-keys/${body.data.id}`)).status, 204);
    assert.equal((await machine.get('/api/auth/me')).status, 401);
  });
});
