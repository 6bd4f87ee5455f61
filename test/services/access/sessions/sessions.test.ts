import assert from 'node:assert/strict';
import { changePassword } from '../../../../services/access/accounts/change-password.ts';
import { createTenant } from '../../../../services/access/companies/tenants.ts';
import { authenticate } from '../../../../services/access/sessions/authenticate.ts';
import { login } from '../../../../services/access/sessions/login.ts';
import { endSession, refreshSession, switchTenant } from '../../../../services/access/sessions/sessions.ts';
import { deleteMembership } from '../../../../services/access/users/memberships.ts';
import { changeUser, createUser } from '../../../../services/access/users/users.ts';
import { as, NOW, OWNER, PASSWORD, refusedWith, UNLIMITED, useSystem } from './helpers.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('login and sessions', () => {
  const system = useSystem();

  const later = (ms: number) => system.at(new Date(NOW.getTime() + ms));
  const storedSession = async (token: string) => {
    const { userId, sessionId } = await authenticate(system.env, token, undefined);
    assert.ok(userId !== null && sessionId !== null);
    return { userId, sessionId };
  };

  describe('login', () => {
    it("accepts the e-mail in any case, and lists the user's companies", async () => {
      const session = await system.logIn(' ANA@Example.COM ');
      assert.deepEqual(session.tenants, [{ id: system.ctx.tenantId, name: 'Frutas García', role: 'owner' }]);
      assert.equal(session.expires_in, 900);
      assert.equal(session.user.email, OWNER.email);
      assert.equal(session.user.lastLoginAt, NOW.toISOString());
      assert.deepEqual(
        Object.keys(session.user).filter((member) => /password|hash/i.test(member)),
        [],
      );
    });

    it('refuses wrong, unknown, deactivated and password-less accounts with the same answer', async () => {
      await system.addUser('gone@example.com', 'viewer');
      const [gone] = await system.rows(`select id from users where email = 'gone@example.com'`);
      await system.run((trx) => changeUser(trx, system.ctx, as('owner'), String(gone?.id), { active: false }, null));
      await system.run((trx) =>
        createUser(trx, system.ctx, as('owner'), { email: 'invited@example.com', name: 'Invited' }),
      );
      const tries: [string, string][] = [
        ['ana@example.com', 'wrong password 1'],
        ['nobody@example.com', PASSWORD],
        ['gone@example.com', PASSWORD],
        ['invited@example.com', PASSWORD],
      ];
      const answers = [];
      for (const [email, password] of tries) {
        answers.push(
          await system.logIn(email, password, '192.0.2.9').catch((error) => `${error.code}: ${error.message}`),
        );
      }
      assert.deepEqual(new Set(answers), new Set(['invalid_credentials: E-mail or password is wrong']));
    });

    it('blocks an e-mail at an address for 15 minutes after five failures there', async () => {
      await system.addUser('dora@example.com', 'viewer');
      for (let attempt = 1; attempt <= 5; attempt++) {
        await assert.rejects(
          system.logIn('dora@example.com', 'wrong', '198.51.100.6'),
          refusedWith('invalid_credentials'),
        );
      }
      await assert.rejects(
        system.logIn('DORA@example.com', PASSWORD, '198.51.100.6'),
        (error: { code: string; retryAfter: number }) => {
          assert.equal(error.code, 'too_many_requests');
          assert.equal(error.retryAfter, 15 * 60);
          return true;
        },
      );
      const credentials = { email: 'dora@example.com', password: PASSWORD };
      await assert.rejects(login(later(14 * MINUTE), credentials, '198.51.100.6'), refusedWith('too_many_requests'));
      assert.ok(await system.logIn('dora@example.com', PASSWORD, '198.51.100.7'));
      assert.ok((await login(later(15 * MINUTE), credentials, '198.51.100.6')).token);
    });

    it('slows down guesses from many addresses, except where the owner has logged in before', async () => {
      await system.addUser('hugo@example.com', 'viewer');
      const home = '198.51.100.200';
      assert.ok(await system.logIn('hugo@example.com', PASSWORD, home));
      for (const email of ['hugo@example.com', 'unknown@example.com']) {
        for (let attempt = 1; attempt <= 50; attempt++) {
          await assert.rejects(
            system.logIn(email, 'wrong', `2001:db8:0:${attempt}::1`),
            refusedWith('invalid_credentials'),
          );
        }
        await assert.rejects(system.logIn(email, 'wrong', '2001:db8:0:51::1'), refusedWith('too_many_requests'));
      }
      await assert.rejects(system.logIn('hugo@example.com', PASSWORD, '192.0.2.77'), refusedWith('too_many_requests'));
      await assert.rejects(system.logIn('hugo@example.com', 'wrong', home), refusedWith('invalid_credentials'));
      assert.ok(await system.logIn('hugo@example.com', PASSWORD, home));
      const credentials = { email: 'hugo@example.com', password: PASSWORD };
      assert.ok(await login(later(60 * MINUTE), credentials, '192.0.2.77'));
    });

    it('counts per account, in any spelling of its e-mail, and per IPv6 network', async () => {
      const { user } = await system.addUser('ivan@example.com', 'viewer');
      const spellings = [
        'ivan@example.com',
        'IVAN@example.com',
        ' Ivan@Example.com',
        'ivan@EXAMPLE.com ',
        'iVAN@example.com',
      ];
      for (const [index, spelling] of spellings.entries()) {
        await assert.rejects(
          system.logIn(spelling, 'wrong', `2001:db8:7:7::${index}`),
          refusedWith('invalid_credentials'),
        );
      }
      await assert.rejects(
        system.logIn(user.email, PASSWORD, '2001:db8:7:7:ffff::1'),
        refusedWith('too_many_requests'),
      );
    });

    it('deletes expired counters', async () => {
      const counters = async () => (await system.rows(`select key from login_limits where key like '%clara%'`)).length;
      await system.addUser('clara@example.com', 'viewer');
      await assert.rejects(
        system.logIn('clara@example.com', 'wrong', '192.0.2.61'),
        refusedWith('invalid_credentials'),
      );
      assert.ok(await system.logIn('clara@example.com', PASSWORD, '192.0.2.62'));
      assert.equal(await counters(), 3);
      for (let round = 0; round < 20; round++) {
        await login(later(40 * DAY), { email: OWNER.email, password: PASSWORD }, '192.0.2.63');
      }
      assert.equal(await counters(), 0);
    });

    it('clears the failures of an e-mail at an address after a success', async () => {
      await system.addUser('eva@example.com', 'viewer');
      for (let round = 0; round < 3; round++) {
        for (let attempt = 1; attempt <= 4; attempt++) {
          await assert.rejects(
            system.logIn('eva@example.com', 'wrong', `203.0.113.${round}`),
            refusedWith('invalid_credentials'),
          );
        }
        assert.ok(await system.logIn('eva@example.com', PASSWORD, `203.0.113.${round}`));
      }
    });

    it('blocks an address after twenty failures, for any e-mails', async () => {
      for (let attempt = 1; attempt <= 20; attempt++) {
        await assert.rejects(
          system.logIn(`nobody${attempt}@example.com`, 'wrong', '192.0.2.20'),
          refusedWith('invalid_credentials'),
        );
      }
      await assert.rejects(system.logIn('ana@example.com', PASSWORD, '192.0.2.20'), refusedWith('too_many_requests'));
      assert.ok(await system.logIn('ana@example.com', PASSWORD, '192.0.2.21'));
    });

    it('lets no more than five of many parallel guesses through', async () => {
      await system.addUser('fina@example.com', 'viewer');
      const guesses = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          system.logIn('fina@example.com', `guess ${index}`, '192.0.2.100').catch((error) => error.code),
        ),
      );
      assert.equal(guesses.filter((code) => code === 'invalid_credentials').length, 5);
      assert.equal(guesses.filter((code) => code === 'too_many_requests').length, 7);
    });

    it('allows many users to log in from one address concurrently', async () => {
      const logins = await Promise.all(Array.from({ length: 24 }, () => system.logIn('ana@example.com')));
      assert.equal(new Set(logins.map((session) => session.refresh_token)).size, 24);
    });
  });

  describe('refresh', () => {
    it('replaces the token each time, within one session', async () => {
      const first = await system.logIn('ana@example.com');
      const second = await refreshSession(later(MINUTE), first.refresh_token);
      const third = await refreshSession(later(2 * MINUTE), second.refresh_token);
      assert.notEqual(second.refresh_token, first.refresh_token);
      assert.deepEqual(await storedSession(third.token), await storedSession(first.token));
    });

    it('ends the family when a replaced token is reused, and no other session', async () => {
      const stolen = await system.logIn('ana@example.com');
      const other = await system.logIn('ana@example.com');
      const next = await refreshSession(system.env, stolen.refresh_token);
      await assert.rejects(refreshSession(system.env, stolen.refresh_token), refusedWith('invalid_token'));
      await assert.rejects(refreshSession(system.env, next.refresh_token), refusedWith('invalid_token'));
      assert.ok(await refreshSession(system.env, other.refresh_token));
    });

    it('gives new tokens to at most one of two parallel uses', async () => {
      const { refresh_token } = await system.logIn('ana@example.com');
      const both = await Promise.allSettled([1, 2, 3].map(() => refreshSession(system.env, refresh_token)));
      assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
    });

    it('refuses unknown and expired tokens, and access tokens', async () => {
      const session = await system.logIn('ana@example.com');
      await assert.rejects(refreshSession(system.env, 'unknown'), refusedWith('invalid_token'));
      await assert.rejects(refreshSession(system.env, session.token), refusedWith('invalid_token'));
      await assert.rejects(refreshSession(later(30 * DAY), session.refresh_token), refusedWith('token_expired'));
      assert.ok(await refreshSession(later(30 * DAY - MINUTE), session.refresh_token));
    });

    it('refuses a user who has left all companies', async () => {
      const { membership } = await system.addUser('gina@example.com', 'viewer');
      const { refresh_token } = await system.logIn('gina@example.com');
      await system.run((trx) => deleteMembership(trx, system.ctx, as('owner'), membership.id, null));
      await assert.rejects(refreshSession(system.env, refresh_token), refusedWith('invalid_token'));
    });
  });

  describe('logout', () => {
    it('ends the session of the access token, or of the given refresh token', async () => {
      const [one, two] = [await system.logIn('ana@example.com'), await system.logIn('ana@example.com')];
      const { userId, sessionId } = await storedSession(one.token);
      await endSession(system.env, userId, { sessionId, refreshToken: two.refresh_token });
      await assert.rejects(refreshSession(system.env, two.refresh_token), refusedWith('invalid_token'));
      await assert.rejects(authenticate(system.env, two.token, undefined), refusedWith('invalid_token'));
      assert.equal((await authenticate(system.env, one.token, undefined)).userId, userId);
      await endSession(system.env, userId, { sessionId, refreshToken: undefined });
      await assert.rejects(refreshSession(system.env, one.refresh_token), refusedWith('invalid_token'));
      await assert.rejects(authenticate(system.env, one.token, undefined), refusedWith('invalid_token'));
    });

    it("does not end other users' sessions", async () => {
      await system.addUser('hana@example.com', 'viewer');
      const hers = await system.logIn('hana@example.com');
      const mine = await storedSession((await system.logIn('ana@example.com')).token);
      await endSession(system.env, mine.userId, { sessionId: mine.sessionId, refreshToken: hers.refresh_token });
      assert.ok(await refreshSession(system.env, hers.refresh_token));
    });
  });

  describe('switch-tenant', () => {
    it('issues a token for another company of the user, and no other', async () => {
      const second = await system.run((trx) =>
        createTenant(trx, system.ctx, { name: 'Second', taxId: 'B20000006' }, UNLIMITED),
      );
      await system.addUser('ines@example.com', 'admin');
      const owner = await storedSession((await system.logIn('ana@example.com')).token);
      const switched = await switchTenant(system.env, owner, second.id);
      assert.equal((await authenticate(system.env, switched.token, undefined)).tenantId, second.id);
      assert.deepEqual(
        switched.tenants.map(({ name }) => name),
        ['Frutas García', 'Second'],
      );
      const ines = await storedSession((await system.logIn('ines@example.com')).token);
      await assert.rejects(switchTenant(system.env, ines, second.id), refusedWith('not_a_member'));
      await endSession(system.env, owner.userId, { sessionId: owner.sessionId, refreshToken: undefined });
      await assert.rejects(switchTenant(system.env, owner, second.id), refusedWith('invalid_token'));
    });
  });

  describe('change-password', () => {
    it('requires the current password and an acceptable new one, and ends other sessions', async () => {
      const { user } = await system.addUser('juana@example.com', 'viewer');
      const [here, elsewhere] = [await system.logIn('juana@example.com'), await system.logIn('juana@example.com')];
      const { sessionId } = await storedSession(here.token);
      const ctx = { ...system.ctx, userId: user.id };
      const change = (currentPassword: string, newPassword: string) =>
        changePassword(system.env.database, ctx, { currentPassword, newPassword, sessionId, address: '192.0.2.50' });
      const newPassword = 'a new password 1';
      await assert.rejects(change('wrong', newPassword), (error: { errors: { pointer: string }[] }) => {
        assert.equal(error.errors[0]?.pointer, '/currentPassword');
        return true;
      });
      for (const bad of ['elevenchars', 'x'.repeat(257), 'ééééééééééé']) {
        await assert.rejects(change(PASSWORD, bad), (error: { errors: { pointer: string }[] }) => {
          assert.equal(error.errors[0]?.pointer, '/newPassword');
          return true;
        });
      }
      await change(PASSWORD, newPassword);
      await assert.rejects(system.logIn('juana@example.com'), refusedWith('invalid_credentials'));
      assert.ok(await system.logIn('juana@example.com', newPassword));
      await assert.rejects(refreshSession(system.env, elsewhere.refresh_token), refusedWith('invalid_token'));
      await assert.rejects(authenticate(system.env, elsewhere.token, undefined), refusedWith('invalid_token'));
      const goesOn = await refreshSession(system.env, here.refresh_token);
      // An access token survives the exchange of its refresh token, until the family ends.
      for (const { token } of [here, goesOn]) assert.ok(await authenticate(system.env, token, undefined));
      await assert.rejects(refreshSession(system.env, here.refresh_token), refusedWith('invalid_token'));
      for (const { token } of [here, goesOn]) {
        await assert.rejects(authenticate(system.env, token, undefined), refusedWith('invalid_token'));
      }
    });
  });

  describe('stored data', () => {
    it('contains no password, token or hash in the audit log or events', async () => {
      const written = await system.rows('select old_value, new_value from audit_logs', system.ctx.tenantId);
      const events = await system.rows('select payload from outbox', system.ctx.tenantId);
      const everything = JSON.stringify([written, events]);
      assert.match(everything, /juana@example.com/);
      assert.doesNotMatch(everything, /argon2|password_hash|passwordHash|keyHash|token/);
      assert.doesNotMatch(everything, new RegExp(PASSWORD));
    });
  });
});
