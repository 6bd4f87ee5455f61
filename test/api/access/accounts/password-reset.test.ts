import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { mailedToken, sendMails } from '../../../helpers/mails.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const MINUTE = 60_000;
const OLD = 'correct horse battery';
const NEW = 'staple that nobody guesses';

describe('api: password resets by mail', () => {
  let people = 0;

  const app = useApp({}, { each: true });

  /** Creates somebody with an account made by their company. */
  async function person(role = 'sales') {
    const email = `person${++people}@example.test`;
    const { body } = await app.client.post('/api/users', { email, name: 'Ana', password: OLD, role });
    assert.equal(body.data.email, email, JSON.stringify(body));
    return { email, id: body.data.id as string };
  }
  const forget = (email: string) => app.anonymous.post('/api/auth/forgot-password', { email });
  const reset = (token: string, password = NEW) => app.anonymous.post('/api/auth/reset-password', { token, password });
  const login = (email: string, password: string) => app.anonymous.post('/api/auth/login', { email, password });
  async function tokenFor(email: string): Promise<string> {
    assert.equal((await forget(email)).status, 204);
    return await mailedToken(app, email);
  }
  const later = (minutes: number) => {
    app.clock.now = new Date(app.clock.now.getTime() + minutes * MINUTE);
  };

  it("send a link that names no company, in the reader's language", async () => {
    const { email } = await person();
    await forget(` ${email.toUpperCase()} `);
    const [mail] = await sendMails(app);
    assert.equal(mail?.to, email);
    assert.equal(mail?.subject, 'Elija una contraseña nueva');
    assert.match(String(mail?.text), /\/reset-password#pwd_[\w-]{43}\n/);
    const shown = (await app.client.get('/api/emails')).body.data.find(({ to }: { to: string }) => to === email);
    assert.doesNotMatch(JSON.stringify(shown), /pwd_/);
  });

  it('accept only the latest link, once', async () => {
    const { email } = await person();
    const first = await tokenFor(email);
    const second = await tokenFor(email);
    assertProblem(await reset(first), 401, 'invalid_token');
    assert.equal((await reset(second)).status, 204);
    assertProblem(await reset(second), 401, 'invalid_token');
    assertProblem(await login(email, OLD), 401, 'invalid_credentials');
    assert.equal((await login(email, NEW)).status, 200);
  });

  it('end all sessions and verify the account', async () => {
    const { email, id } = await person();
    const session = (await login(email, OLD)).body;
    assert.equal((await app.client.get(`/api/users/${id}`)).body.data.emailVerified, false);
    assert.equal((await reset(await tokenFor(email))).status, 204);
    const refreshed = await app.anonymous.post('/api/auth/refresh', { refresh_token: session.refresh_token });
    assert.equal(refreshed.status, 401);
    assert.equal((await app.as(session.token).get('/api/auth/me')).status, 401);
    assert.equal((await app.client.get(`/api/users/${id}`)).body.data.emailVerified, true);
    const [log] = (await app.client.get(`/api/audit-logs?entityId=${id}&action=UPDATE`)).body.data;
    assert.ok(log.newValue.passwordChangedAt);
    assert.equal(log.userId, id);
  });

  it('expire after an hour, whether or not the mail was sent', async () => {
    const { email } = await person();
    const token = await tokenFor(email);
    await forget(email);
    later(61);
    assertProblem(await reset(token), 401, 'invalid_token');
    assert.deepEqual(await sendMails(app), []);
    const fresh = await tokenFor(email);
    later(60);
    assertProblem(await reset(fresh), 401, 'token_expired');
  });

  it('answer and limit known and unknown addresses alike', async () => {
    const { email } = await person();
    const seen = ({ status, body, headers }: Answer) => [status, body?.detail, headers.get('content-length')];
    for (let nth = 0; nth < 5; nth++) {
      assert.deepEqual(seen(await forget(email)), seen(await forget('nobody@example.test')));
    }
    const [known, unknown] = [await forget(email), await forget('nobody@example.test')];
    assertProblem(known, 429, 'too_many_requests');
    assert.deepEqual([known.status, known.body.detail], [unknown.status, unknown.body.detail]);
    assert.equal((await sendMails(app)).length, 1);
    later(61);
    assert.equal((await forget(email)).status, 204);
  });

  it('void links when the password or address changes', async () => {
    const changes = [{ password: `${OLD} again` }, { email: 'moved@example.test' }];
    for (const change of changes) {
      const { email, id } = await person();
      const token = await tokenFor(email);
      assert.equal((await app.client.patch(`/api/users/${id}`, change)).status, 200);
      assertProblem(await reset(token), 401, 'invalid_token');
    }
    const { email, id } = await person();
    await forget(email);
    await app.client.patch(`/api/users/${id}`, { email: 'gone@example.test' });
    assert.deepEqual(await sendMails(app), []);
  });

  it('send nothing to users who are locked or have left', async () => {
    const locked = await person();
    const left = await person();
    assert.equal((await app.client.patch(`/api/users/${locked.id}`, { active: false })).status, 200);
    assert.equal((await app.client.del(`/api/users/${left.id}`)).status, 204);
    assert.deepEqual([(await forget(locked.email)).status, (await forget(left.email)).status], [204, 204]);
    assert.deepEqual(await sendMails(app), []);
  });

  it('require an acceptable password and a valid link', async () => {
    const { email } = await person();
    const token = await tokenFor(email);
    const weak = await reset(token, 'short');
    assertProblem(weak, 422, 'validation_failed');
    assert.equal(weak.body.errors[0].pointer, '/password');
    for (const bad of ['pwd_nothing', token.replace('pwd_', 'inv_'), `${token}x`]) {
      assertProblem(await reset(bad), 401, 'invalid_token');
      assertProblem(await app.anonymous.post('/api/auth/invitations/accept', { token }), 401, 'invalid_token');
    }
    assert.equal((await reset(token)).status, 204);
  });
});
