import assert from 'node:assert/strict';
import type { Clock } from '../../../helpers/app.ts';
import type { Answer, TestClient } from '../../../helpers/client.ts';
import { NOW } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { mailedToken, sendMails } from '../../../helpers/mails.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const FIRST = 'the password of the first company';
const OWN = 'a password of their own choice';
const DAY_MS = 86_400_000;

/** Two unrelated companies, each with its own owner. */
describe('api: invitations', () => {
  let victim: TestClient;
  let victimId: string;
  let hostile: TestClient;
  let hostileId: string;
  const clock: Clock = { now: NOW };

  const app = useApp({ clock });
  before(async () => {
    victim = app.client;
    victimId = app.tenantId;
    const rival = await app.client.post('/api/users', person('rival@example.test', { password: FIRST, role: 'admin' }));
    const { body: login } = await logIn('rival@example.test', FIRST);
    const { body } = await app.as(login.token).post('/api/tenants', { name: 'Hostil SL', taxId: 'A58818501' });
    await app.client.del(`/api/users/${rival.body.data.id}`);
    hostileId = body.data.id;
    hostile = await loggedIn('rival@example.test', FIRST, hostileId);
  });
  afterEach(() => {
    clock.now = NOW;
  });

  const person = (email: string, more: object = {}) => ({ email, name: 'Somebody', ...more });
  const logIn = (email: string, password: string) => app.anonymous.post('/api/auth/login', { email, password });
  const loggedIn = async (email: string, password: string, tenantId?: string) =>
    app.as((await logIn(email, password)).body.token, tenantId);
  const accept = (token: string, password?: string) =>
    app.anonymous.post('/api/auth/invitations/accept', { token, ...(password === undefined ? {} : { password }) });
  const invite = (client: TestClient, email: string, role = 'viewer') =>
    client.post('/api/memberships', { email, role });
  /** Creates a user who was invited by the company and has accepted. */
  const verified = async (client: TestClient, email: string) => {
    assert.equal((await client.post('/api/users', person(email))).status, 201);
    const answer = await accept(await mailedToken(app, email), OWN);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data as { userId: string; membershipId: string };
  };
  const answerShape = ({ status, body }: Answer) => ({
    status,
    members: Object.entries(body.data).map(([name, value]) => [name, value === null ? 'null' : typeof value]),
  });

  describe('protection against account takeover', () => {
    it('does not let a company take over an account by a password set before another company invites it', async () => {
      const email = 'boss@victim.test';
      const made = await hostile.post('/api/users', person(email, { password: FIRST, role: 'admin' }));
      assert.deepEqual([made.status, made.body.data.status], [201, 'active']);
      const spy = (await logIn(email, FIRST)).body;
      for (const [path, body] of [
        ['/api/users', person(email, { password: OWN, role: 'admin' })],
        ['/api/memberships', { email, role: 'admin' }],
      ] as const) {
        const invited = await victim.post(path, body);
        assert.deepEqual([invited.status, invited.body.data.status], [201, 'invited'], path);
        assert.notEqual(invited.body.data.userId ?? invited.body.data.id, made.body.data.id);
        if (path === '/api/users') await victim.del(`/api/users/${invited.body.data.id}`);
      }
      assertProblem(await app.as(spy.token, victimId).get('/api/partners'), 403, 'not_a_member');
      // The password of the second company does not work either.
      assertProblem(await logIn(email, OWN), 401, 'invalid_credentials');

      const token = await mailedToken(app, email);
      const early = await hostile.patch(`/api/users/${made.body.data.id}`, { password: `${FIRST} again` });
      assert.equal(early.status, 200);
      const { body } = await accept(token, OWN);
      assert.deepEqual([body.data.userId, body.data.tenantId], [made.body.data.id, victimId]);
      for (const old of [FIRST, `${FIRST} again`]) {
        assertProblem(await logIn(email, old), 401, 'invalid_credentials');
      }
      const { body: refused } = await app.anonymous.post('/api/auth/refresh', { refresh_token: spy.refresh_token });
      assert.equal(refused.code, 'invalid_token');
      assertProblem(await app.as(spy.token).get('/api/partners'), 401, 'invalid_token');
      assert.equal((await (await loggedIn(email, OWN, victimId)).get('/api/users')).status, 200);
      const mine = `/api/users/${made.body.data.id}`;
      for (const change of [{ password: FIRST }, { active: false }, { email: 'other@hostile.test' }]) {
        assertProblem(await hostile.patch(mine, change), 403, 'forbidden');
        assertProblem(await victim.patch(mine, change), 403, 'forbidden');
      }
    });

    it('does not let a company take over an account after removing it', async () => {
      const email = 'left@victim.test';
      const made = await hostile.post('/api/users', person(email, { password: FIRST }));
      assert.equal((await hostile.del(`/api/users/${made.body.data.id}`)).status, 204);
      assert.equal((await invite(victim, email, 'admin')).body.data.status, 'invited');
      assertProblem(await logIn(email, FIRST), 401, 'invalid_credentials');
      // The company may add its own account again, with the password; that password opens nothing else.
      assert.equal((await invite(hostile, email)).body.data.status, 'active');
      const spy = await loggedIn(email, FIRST, victimId);
      assertProblem(await spy.get('/api/partners'), 403, 'not_a_member');
      const { body } = await accept(await mailedToken(app, email), OWN);
      assert.equal(body.data.userId, made.body.data.id);
      assertProblem(await logIn(email, FIRST), 401, 'invalid_credentials');
    });

    it('keeps a locked account locked in the membership that locked it', async () => {
      const email = 'locked@victim.test';
      const made = await hostile.post('/api/users', person(email, { password: FIRST }));
      await hostile.patch(`/api/users/${made.body.data.id}`, { active: false });
      await invite(victim, email);
      await accept(await mailedToken(app, email), OWN);
      const here = await loggedIn(email, OWN);
      assert.equal((await here.get('/api/partners')).status, 200);
      const { body } = await hostile.get(`/api/users/${made.body.data.id}`);
      assert.deepEqual(
        { status: body.data.status, active: body.data.active, emailVerified: body.data.emailVerified },
        { status: 'locked', active: true, emailVerified: true },
      );
      const { token } = (await logIn(email, OWN)).body;
      assertProblem(await app.as(token, hostileId).get('/api/partners'), 403, 'not_a_member');
    });

    it('protects an account whose company was created by a user of another', async () => {
      const email = 'founder@victim.test';
      const made = await hostile.post('/api/users', person(email, { password: FIRST, role: 'admin' }));
      const founder = await loggedIn(email, FIRST);
      assert.equal((await founder.post('/api/tenants', { name: 'Founded', taxId: 'B20000006' })).status, 201);
      const path = `/api/users/${made.body.data.id}`;
      for (const change of [{ password: OWN }, { email: 'mine@hostile.test' }, { active: false }]) {
        assertProblem(await hostile.patch(path, change), 403, 'forbidden');
      }
      // The same after it was removed and added again.
      assert.equal((await hostile.del(path)).status, 204);
      assert.equal((await invite(hostile, email)).body.data.status, 'active');
      assertProblem(await hostile.patch(path, { password: OWN }), 403, 'forbidden');
      assert.equal((await (await loggedIn(email, FIRST)).get('/api/partners')).status, 200);
    });

    it("voids reset links sent to the account's previous address", async () => {
      const [before, email] = ['mine@hostile.test', 'chief@victim.test'];
      const { id } = (await hostile.post('/api/users', person(before, { password: FIRST }))).body.data;
      assert.equal((await app.anonymous.post('/api/auth/forgot-password', { email: before })).status, 204);
      const token = await mailedToken(app, before);
      assert.equal((await hostile.patch(`/api/users/${id}`, { email })).status, 200);
      const used = await app.anonymous.post('/api/auth/reset-password', { token, password: OWN });
      assertProblem(used, 401, 'invalid_token');
      assert.equal((await hostile.get(`/api/users/${id}`)).body.data.emailVerified, false);
      await invite(victim, email);
      const spy = await loggedIn(email, FIRST, hostileId);
      assert.deepEqual((await spy.get('/api/auth/invitations')).body.data, []);
    });

    it('refuses a login that was under way while the password was replaced', async () => {
      const email = 'race@victim.test';
      await hostile.post('/api/users', person(email, { password: FIRST }));
      await invite(victim, email);
      const token = await mailedToken(app, email);
      const [accepted, ...logins] = await Promise.all([
        accept(token, OWN),
        ...Array.from({ length: 6 }, () => logIn(email, FIRST)),
      ]);
      assert.equal(accepted.status, 200);
      for (const { status, body } of logins) {
        if (status === 200) assertProblem(await app.as(body.token).get('/api/partners'), 401, 'invalid_token');
      }
    });
  });

  describe('secrecy of accounts', () => {
    it('gives the same answers and records whether or not an account exists', async () => {
      const known = ['known@there.test', 'made@there.test'];
      await verified(victim, known[0] as string);
      await victim.post('/api/users', person(known[1] as string, { name: 'Secret Name', password: FIRST }));
      for (const path of ['/api/users', '/api/memberships']) {
        const inviteBody = (email: string) => (path === '/api/users' ? person(email) : { email, role: 'viewer' });
        const unknown = answerShape(await hostile.post(path, inviteBody(`nobody${path.length}@there.test`)));
        assert.equal(unknown.status, 201);
        for (const email of known) {
          const answer = await hostile.post(path, inviteBody(email));
          assert.deepEqual(answerShape(answer), unknown);
          const id = answer.body.data.membershipId ?? answer.body.data.id;
          for (const about of [`/api/memberships/${id}`, `/api/invitations/${id}`]) {
            assert.doesNotMatch(JSON.stringify((await hostile.get(about)).body), /Secret Name/);
          }
          assertProblem(await hostile.post(path, inviteBody(email)), 409, 'duplicate');
          assert.equal((await hostile.del(`/api/memberships/${id}`)).status, 204);
        }
      }
      await invite(hostile, known[0] as string);
      const known0 = await loggedIn(known[0] as string, OWN);
      const { body } = await known0.get('/api/auth/invitations');
      assert.equal((await known0.post(`/api/auth/invitations/${body.data[0].id}/decline`)).status, 204);
      const { rows: ids } = await app.database.withSystem((trx) =>
        trx.raw('select id from users where email = any(?)', [known]),
      );
      const { rows } = await app.database.withTenant({ tenantId: hostileId }, (trx) =>
        trx.raw(`select row_to_json(a)::text as t from audit_logs a union all select row_to_json(o)::text from outbox o
          union all select row_to_json(n)::text from notifications n`),
      );
      const told = JSON.stringify([rows, (await hostile.get('/api/users?limit=500')).body]);
      assert.match(told, /known@there/);
      for (const { id } of ids) assert.ok(!told.includes(id), 'the id of the account is told');
      assert.doesNotMatch(told, /Secret Name/);
      const companies = await hostile.get(`/api/memberships/tenants-for-user?email=${known[0]}`);
      assert.deepEqual(companies.body.data, []);
    });

    it('lists invitees among the users until they accept', async () => {
      const email = 'new@there.test';
      const { body: made } = await victim.post('/api/users', person(email, { role: 'sales' }));
      const { id, membershipId } = made.data;
      const { body: shown } = await victim.get(`/api/users/${id}`);
      assert.deepEqual(shown, made);
      const members = { active: false, status: 'invited', emailVerified: false, role: 'sales', lastLoginAt: null };
      for (const [name, value] of Object.entries(members)) assert.equal(shown.data[name], value, name);
      assert.deepEqual((await victim.get(`/api/users?status=invited&q=new@there`)).body.data, [made.data]);
      const renamed = await victim.patch(`/api/users/${id}`, { ...made.data, name: 'New Name' });
      assert.deepEqual([renamed.status, renamed.body.data.name], [200, 'New Name']);
      for (const change of [{ password: OWN }, { active: true }, { email: 'x@there.test' }]) {
        assertProblem(await victim.patch(`/api/users/${id}`, change), 409, 'invalid_transition');
      }
      const path = `/api/memberships/${membershipId}`;
      assert.equal((await victim.patch(path, { role: 'hr' })).body.data.role, 'hr');
      assertProblem(await victim.patch(path, { active: true }), 409, 'invalid_transition');
      const before = (await victim.get(path)).headers.get('ETag');

      const { body: accepted } = await accept(await mailedToken(app, email), OWN);
      assert.deepEqual(
        { userId: accepted.data.userId, membershipId: accepted.data.membershipId, role: accepted.data.role },
        { userId: id, membershipId, role: 'hr' },
      );
      const after = await victim.get(path);
      assert.deepEqual(
        { status: after.body.data.status, active: after.body.data.active, userId: after.body.data.userId },
        { status: 'active', active: true, userId: id },
      );
      assert.notEqual(after.headers.get('ETag'), before);
      const { body: user } = await victim.get(`/api/users/${id}`);
      assert.deepEqual(
        { name: user.data.name, emailVerified: user.data.emailVerified, active: user.data.active },
        { name: 'New Name', emailVerified: true, active: true },
      );
    });
  });

  describe('acceptance', () => {
    /** Events of the hostile company about users with an address. */
    const userEvents = async (email: string) => {
      const sql = `select event, payload ->> 'user_id' as id from outbox where payload ->> 'email' = ? order by seq`;
      return (await app.database.withTenant({ tenantId: hostileId }, (trx) => trx.raw(sql, [email]))).rows;
    };

    it('lets only the logged-in user with the verified e-mail accept', async () => {
      const email = 'works@victim.test';
      const { userId } = await verified(victim, email);
      const { body: invited } = await hostile.post('/api/users', person(email, { role: 'sales', password: FIRST }));
      const path = '/api/auth/invitations';
      const here = await loggedIn(email, OWN);
      const { body: mine } = await here.get(path);
      assert.deepEqual(
        mine.data.map(({ id, tenantName, role }: Record<string, string>) => ({ id, tenantName, role })),
        [{ id: invited.data.membershipId, tenantName: 'Hostil SL', role: 'sales' }],
      );
      const other = await verified(victim, 'other@victim.test').then(() => loggedIn('other@victim.test', OWN));
      await hostile.post('/api/users', person('squat@victim.test', { password: FIRST }));
      const unverified = await loggedIn('squat@victim.test', FIRST);
      assert.deepEqual((await unverified.get(path)).body.data, []);
      assertProblem(await unverified.post(`${path}/${mine.data[0].id}/accept`), 403, 'forbidden');
      for (const answer of ['accept', 'decline']) {
        assertProblem(await other.post(`${path}/${mine.data[0].id}/${answer}`), 404, 'not_found');
      }
      const { body: accepted } = await here.post(`${path}/${mine.data[0].id}/accept`);
      assert.deepEqual([accepted.data.userId, accepted.data.tenantId], [userId, hostileId]);
      // The user who was invited gives way to the account that accepted.
      assert.deepEqual(await userEvents(email), [
        { event: 'user.created', id: invited.data.id },
        { event: 'user.deleted', id: invited.data.id },
        { event: 'user.created', id: userId },
      ]);
      assertProblem(await here.post(`${path}/${mine.data[0].id}/accept`), 404, 'not_found');
      assert.equal((await app.as((await logIn(email, OWN)).body.token, hostileId).get('/api/items')).status, 200);
      // The session continued, and the password still works.
      assert.equal((await here.get('/api/auth/me')).body.user.emailVerified, true);
      const { data: members } = (await hostile.get(`/api/memberships?userId=${userId}`)).body;
      assert.deepEqual([members.length, members[0].status], [1, 'active']);
      // A company ends or locks only its own membership.
      const locked = await hostile.patch(`/api/memberships/${accepted.data.membershipId}`, { active: false });
      assert.deepEqual([locked.body.data.status, locked.status], ['locked', 200]);
      assert.equal((await here.get('/api/partners')).status, 200);
      assert.equal((await hostile.del(`/api/memberships/${accepted.data.membershipId}`)).status, 204);
      assert.equal((await here.get('/api/partners')).status, 200);
    });

    it('lets a verified account accept without a new password, and keeps the old one', async () => {
      const email = 'keeps@victim.test';
      await verified(victim, email);
      await invite(hostile, email);
      const here = await loggedIn(email, OWN);
      const answer = await accept(await mailedToken(app, email), FIRST);
      assert.equal(answer.status, 200);
      assertProblem(await logIn(email, FIRST), 401, 'invalid_credentials');
      assert.equal((await logIn(email, OWN)).body.tenants.length, 2);
      assert.equal((await here.get('/api/partners')).status, 200);
    });

    it('requires people with a verified e-mail who left their last company to accept', async () => {
      const email = 'returns@victim.test';
      const { userId } = await verified(victim, email);
      assert.equal((await victim.del(`/api/users/${userId}`)).status, 204);
      assertProblem(await logIn(email, OWN), 401, 'invalid_credentials');
      const { body } = await victim.post('/api/users', person(email, { password: FIRST }));
      assert.equal(body.data.status, 'invited');
      assertProblem(await victim.post('/api/memberships', { userId, role: 'viewer' }), 422, 'validation_failed');
      const answer = await accept(await mailedToken(app, email));
      assert.equal(answer.body.data.userId, userId);
      assertProblem(await logIn(email, FIRST), 401, 'invalid_credentials');
      assert.equal((await (await loggedIn(email, OWN)).get('/api/partners')).status, 200);
    });

    it('accepts an invitation once under concurrent requests', async () => {
      const email = 'twin@there.test';
      await victim.post('/api/users', person(email));
      const token = await mailedToken(app, email);
      const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token, OWN)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401]);
      assertProblem(await accept(token, OWN), 401, 'invalid_token');
    });

    it('requires an acceptable password if the account needs one', async () => {
      const email = 'weak@there.test';
      await victim.post('/api/users', person(email));
      const token = await mailedToken(app, email);
      for (const [password, code] of [
        [undefined, 'required'],
        ['short', 'too_short'],
      ] as const) {
        const { status, body } = await accept(token, password);
        assert.deepEqual(
          { status, pointer: body.errors[0].pointer, code: body.errors[0].code },
          { status: 422, pointer: '/password', code },
        );
      }
      assertProblem(await accept('inv_nothing', OWN), 401, 'invalid_token');
      assert.equal((await accept(token, OWN)).status, 200);
    });

    it('expires invitations until they are sent again', async () => {
      const email = 'late@there.test';
      const { body } = await victim.post('/api/users', person(email));
      const path = `/api/invitations/${body.data.membershipId}`;
      const first = await mailedToken(app, email);
      clock.now = new Date(NOW.getTime() + 7 * DAY_MS);
      assertProblem(await accept(first, OWN), 401, 'token_expired');
      const later = app.as((await logIn('owner@example.test', 'correct horse battery staple')).body.token);
      assert.equal((await later.get(path)).body.data.status, 'expired');
      const listed = await later.get('/api/invitations?status=expired&email=late@there.test');
      assert.equal(listed.body.data.length, 1);
      const again = await later.post(`${path}/resend`);
      assert.deepEqual([again.status, again.body.data.status], [200, 'pending']);
      assertProblem(await accept(first, OWN), 401, 'invalid_token');
      const second = await mailedToken(app, email);
      assert.notEqual(second, first);
      assert.equal((await accept(second, OWN)).status, 200);
      assertProblem(await later.post(`${path}/resend`), 409, 'invalid_transition');
    });
  });

  it('withdraws and declines invitations, also from the mail, and notifies the company', async () => {
    const ids: string[] = [];
    const tokens: string[] = [];
    for (const name of ['gone', 'no', 'deleted']) {
      const { body } = await victim.post('/api/users', person(`${name}@there.test`));
      ids.push(body.data.membershipId);
      tokens.push(await mailedToken(app, `${name}@there.test`));
    }
    assert.equal((await victim.del(`/api/invitations/${ids[0]}`)).status, 204);
    assertProblem(await victim.del(`/api/invitations/${ids[0]}`), 409, 'invalid_transition');
    assert.equal((await app.anonymous.post('/api/auth/invitations/decline', { token: tokens[1] })).status, 204);
    assert.equal((await victim.del(`/api/memberships/${ids[2]}`)).status, 204);
    const states = await Promise.all(
      ids.map(async (id) => (await victim.get(`/api/invitations/${id}`)).body.data.status),
    );
    assert.deepEqual(states, ['withdrawn', 'declined', 'withdrawn']);
    for (const token of tokens) assertProblem(await accept(token, OWN), 401, 'invalid_token');
    for (const id of ids) assertProblem(await victim.get(`/api/memberships/${id}`), 404, 'not_found');
    const { rows } = await app.database.withTenant({ tenantId: victimId }, (trx) =>
      trx.raw(`select title from notifications where title like '%rechazado%'`),
    );
    assert.deepEqual(rows, [{ title: 'Somebody ha rechazado la invitación' }]);
    assert.equal((await invite(victim, 'gone@there.test')).status, 201);
  });

  it('lets only owners invite owners', async () => {
    const { body } = await victim.post('/api/users', person('boss@there.test', { role: 'owner' }));
    await victim.post('/api/users', person('admin@there.test', { password: FIRST, role: 'admin' }));
    const admin = await loggedIn('admin@there.test', FIRST);
    assertProblem(await invite(admin, 'more@there.test', 'owner'), 403, 'forbidden');
    const path = `/api/invitations/${body.data.membershipId}`;
    assertProblem(await admin.post(`${path}/resend`), 403, 'forbidden');
    assertProblem(await admin.del(path), 403, 'forbidden');
    assertProblem(await admin.patch(`/api/memberships/${body.data.membershipId}`, { role: 'sales' }), 403, 'forbidden');
    // An invitee is not an owner yet: the last owner stays.
    assertProblem(await victim.del(`/api/users/${app.userId}`), 409, 'last_owner');
  });

  it('limits mails to an address without delaying other companies', async () => {
    const email = 'bombed@there.test';
    const { body } = await hostile.post('/api/users', person(email));
    const path = `/api/invitations/${body.data.membershipId}/resend`;
    for (let sent = 1; sent < 5; sent++) assert.equal((await hostile.post(path)).status, 200);
    const refused = await hostile.post(path);
    assertProblem(refused, 429, 'too_many_requests');
    assert.equal(refused.headers.get('Retry-After'), String(DAY_MS / 1000));
    await hostile.del(`/api/invitations/${body.data.membershipId}`);
    assertProblem(await invite(hostile, email), 429, 'too_many_requests');
    assert.equal((await invite(victim, email)).status, 201);
    assert.equal((await sendMails(app)).filter(({ to }) => to === email).length, 1);
  });

  it('counts the mails to an address anew after a day', async () => {
    const email = 'patient@there.test';
    const { body } = await victim.post('/api/users', person(email));
    const path = `/api/invitations/${body.data.membershipId}/resend`;
    for (let sent = 1; sent < 5; sent++) assert.equal((await victim.post(path)).status, 200);
    clock.now = new Date(NOW.getTime() + DAY_MS - 1);
    assertProblem(
      await (await loggedIn('owner@example.test', 'correct horse battery staple')).post(path),
      429,
      'too_many_requests',
    );
    clock.now = new Date(NOW.getTime() + DAY_MS);
    const later = await loggedIn('owner@example.test', 'correct horse battery staple');
    for (let sent = 0; sent < 5; sent++) assert.equal((await later.post(path)).status, 200, String(sent));
    assertProblem(await later.post(path), 429, 'too_many_requests');
    assert.equal((await later.del(`/api/invitations/${body.data.membershipId}`)).status, 204);
  });

  it('keeps the token in the mail only', async () => {
    const email = 'token@there.test';
    await victim.post('/api/users', person(email));
    const token = await mailedToken(app, email);
    const { rows } = await app.database.withTenant({ tenantId: victimId }, (trx) =>
      trx.raw(`select row_to_json(i)::text as t from invitations i union all select row_to_json(o)::text from outbox o
        union all select row_to_json(a)::text from audit_logs a`),
    );
    assert.ok(!JSON.stringify(rows).includes(token.slice(4)));
    const { body } = await victim.get('/api/invitations?limit=500');
    const members = new Set(body.data.flatMap(Object.keys));
    for (const hidden of ['mailId', 'tokenHash', 'mailedAt', 'tenantId']) assert.ok(!members.has(hidden), hidden);
  });
});
