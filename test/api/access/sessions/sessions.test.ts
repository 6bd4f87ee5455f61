import assert from 'node:assert/strict';
import { hashSecret } from '../../../../services/access/sessions/secrets.ts';
import { OWNER } from '../../../helpers/app.ts';
import { NOW } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { untilBlocked } from '../../../helpers/locks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const DAY_MS = 86_400_000;
const PASSWORD = 'correct horse battery';

describe('api: sessions in two companies', () => {
  let second: string;
  const app = useApp();
  before(async () => {
    const { body } = await app.client.post('/api/tenants', { name: 'Second', taxId: 'B87654323' });
    second = body.data.id;
  });
  beforeEach(() => {
    app.clock.now = NOW;
  });

  const logIn = async (email = OWNER.email, password = OWNER.password) => {
    const { status, body } = await app.anonymous.post('/api/auth/login', { email, password });
    assert.equal(status, 200, JSON.stringify(body));
    return body as { token: string; refresh_token: string };
  };
  const refresh = (refresh_token: string, tenantId?: string) =>
    app.anonymous.post('/api/auth/refresh', { refresh_token, ...(tenantId === undefined ? {} : { tenantId }) });
  const sessionCompany = async (token: string) => (await app.as(token).get('/api/auth/me')).body.tenant?.id;
  const isOver = async (token: string) => assertProblem(await app.as(token).get('/api/auth/me'), 401, 'invalid_token');
  const daysLater = (days: number) => {
    app.clock.now = new Date(NOW.getTime() + days * DAY_MS);
  };

  it('switches companies by an access token, and continues there after a refresh', async () => {
    const login = await logIn();
    const switched = await app.as(login.token).post('/api/auth/switch-tenant', { tenantId: second });
    assert.deepEqual(Object.keys(switched.body), ['token', 'expires_in', 'user', 'tenants']);
    assert.equal(switched.headers.get('Cache-Control'), 'no-store');
    assert.deepEqual(
      [await sessionCompany(login.token), await sessionCompany(switched.body.token)],
      [app.tenantId, second],
    );
    const there = await refresh(login.refresh_token, second.toUpperCase());
    assert.deepEqual([there.status, await sessionCompany(there.body.token)], [200, second]);
    const stays = await refresh(there.body.refresh_token);
    assert.equal(await sessionCompany(stays.body.token), second);
  });

  it('ends all tokens of a login when a refresh token is reused, even after a switch', async () => {
    const login = await logIn();
    const other = await logIn();
    const switched = await app.as(login.token).post('/api/auth/switch-tenant', { tenantId: second });
    const next = (await refresh(login.refresh_token)).body;
    // Reuse counts even if the thief asks for another company, or for one that they do not work in.
    assertProblem(await refresh(login.refresh_token, app.userId), 401, 'invalid_token');
    for (const token of [login.token, switched.body.token, next.token]) await isOver(token);
    assertProblem(await refresh(next.refresh_token), 401, 'invalid_token');
    assert.equal((await refresh(other.refresh_token)).status, 200);
  });

  it('gives tokens to only one of two parallel refreshes, and ends the session', async () => {
    const { refresh_token } = await logIn();
    const answers = await Promise.all([undefined, second, undefined, second].map((id) => refresh(refresh_token, id)));
    const given = answers.filter(({ status }) => status === 200);
    assert.deepEqual([given.length, answers.filter(({ status }) => status === 401).length], [1, 3]);
    await isOver(given[0]?.body.token);
    assertProblem(await refresh(given[0]?.body.refresh_token), 401, 'invalid_token');
  });

  it('also ends a token created while an earlier one is reused', async () => {
    const login = await logIn();
    const next = (await refresh(login.refresh_token)).body;
    // The newest token's row is locked, so that its exchange begins first and ends after the reuse was detected.
    const token_hash = hashSecret(next.refresh_token);
    const [made, reused] = await app.database.withSystem(async (trx) => {
      await trx('refresh_tokens').where({ token_hash }).forUpdate().first('id');
      const exchange = refresh(next.refresh_token);
      await untilBlocked(app.database);
      const secondUse = refresh(login.refresh_token);
      await untilBlocked(app.database, 2);
      return [exchange, secondUse].map((answer) => ({ answer }));
    });
    assert.equal((await made?.answer)?.status, 200);
    assert.equal((await reused?.answer)?.status, 401);
    assertProblem(await refresh((await made?.answer)?.body.refresh_token), 401, 'invalid_token');
  });

  it('ends a session 90 days after its login, however often it is refreshed', async () => {
    let { refresh_token } = await logIn();
    for (const day of [29, 58, 87]) {
      daysLater(day);
      const next = await refresh(refresh_token, day === 58 ? second : app.tenantId);
      assert.equal(next.status, 200);
      refresh_token = next.body.refresh_token;
    }
    daysLater(90 - 1 / 1440);
    const last = await refresh(refresh_token);
    assert.deepEqual([last.status, last.body.expires_in], [200, 60]);
    const switched = await app.as(last.body.token).post('/api/auth/switch-tenant', { tenantId: second });
    assert.equal(switched.body.expires_in, 60);
    daysLater(90);
    assertProblem(await refresh(last.body.refresh_token), 401, 'token_expired');
    for (const { token } of [last.body, switched.body]) {
      assertProblem(await app.as(token).get('/api/auth/me'), 401, 'token_expired');
    }
  });

  it('refuses a company that the user has left, and keeps the token valid', async () => {
    const person = { email: 'rosa@example.com', name: 'Rosa', password: PASSWORD, role: 'sales' };
    await app.client.post('/api/users', person);
    const owner = app.as(app.token, second);
    const { body } = await owner.post('/api/memberships', { email: person.email, role: 'viewer' });
    const login = await logIn(person.email, PASSWORD);
    const there = await refresh(login.refresh_token, second);
    assert.equal(await sessionCompany(there.body.token), second);
    assert.ok((await owner.del(`/api/memberships/${body.data.id}`)).status < 300);
    assertProblem(await app.as(there.body.token).get('/api/auth/me'), 403, 'not_a_member');
    assertProblem(await refresh(there.body.refresh_token, second), 403, 'not_a_member');
    assertProblem(await app.as(login.token).post('/api/auth/switch-tenant', { tenantId: second }), 403, 'not_a_member');
    const back = await refresh(there.body.refresh_token);
    assert.deepEqual([back.status, await sessionCompany(back.body.token)], [200, app.tenantId]);
    assertProblem(await refresh(back.body.refresh_token, 'second'), 422, 'validation_failed');
  });

  it('has no sessions for API keys', async () => {
    const { body } = await app.client.post('/api/api-keys', { name: 'shop', role: 'owner' });
    const machine = app.as(body.data.key);
    assertProblem(await machine.post('/api/auth/switch-tenant', { tenantId: app.tenantId }), 403, 'forbidden');
    assertProblem(await refresh(body.data.key, second), 401, 'invalid_token');
    // A refresh ignores the caller: only the refresh token counts.
    const { refresh_token } = await logIn();
    const next = await machine.post('/api/auth/refresh', { refresh_token, tenantId: second });
    assert.deepEqual([next.status, await sessionCompany(next.body.token)], [200, second]);
  });
});
