import assert from 'node:assert/strict';
import type { Context } from '../../../../db/context.ts';
import { newId } from '../../../../db/ids.ts';
import type { Membership } from '../../../../db/models/access/access.ts';
import { createApiKey } from '../../../../services/access/api-keys/api-keys.ts';
import { createTenant, tenantsForUser } from '../../../../services/access/companies/tenants.ts';
import { getMember } from '../../../../services/access/members/members.ts';
import { changeMembership, createMembership, deleteMembership } from '../../../../services/access/users/memberships.ts';
import { changeUser, createUser, deleteUser } from '../../../../services/access/users/users.ts';
import { as, refusedWith, UNLIMITED, useSystem } from '../sessions/helpers.ts';

describe('users and memberships', () => {
  let otherCtx: Context;
  const system = useSystem({ each: true });
  beforeEach(async () => {
    const other = await system.run((trx) =>
      createTenant(trx, system.ctx, { name: 'Other', taxId: 'B20000006' }, UNLIMITED),
    );
    otherCtx = { ...system.ctx, tenantId: other.id };
  });

  const inOther = (email: string) =>
    system.run(
      (trx) => createUser(trx, otherCtx, as('owner'), { email, name: 'Other', passwordHash: 'none' }),
      otherCtx,
    );
  const ownerMembership = async () => (await system.run((trx) => getMember(trx, system.ctx.userId ?? ''))).membership;
  const remove = (membership: Membership, actor = as('owner')) =>
    system.run((trx) => deleteMembership(trx, system.ctx, actor, membership.id, null));
  const change = (membership: Membership, changes: object, actor = as('owner')) =>
    system.run((trx) => changeMembership(trx, system.ctx, actor, membership.id, changes, null));

  it('creates users with audit records and an event', async () => {
    const { user, membership } = await system.addUser('berta@example.com', 'sales');
    const logs = await system.rows(
      `select entity_type, action, user_id, new_value from audit_logs where entity_id in ('${user.id}', '${membership.id}') order by id`,
      system.ctx.tenantId,
    );
    assert.deepEqual(
      logs.map((log) => ({ entity_type: log.entity_type, action: log.action, user_id: log.user_id })),
      [
        { entity_type: 'User', action: 'CREATE', user_id: system.ctx.userId },
        { entity_type: 'Membership', action: 'CREATE', user_id: system.ctx.userId },
      ],
    );
    const events = await system.rows(
      `select event, entity_type, entity_id, payload from outbox where entity_id = '${user.id}'`,
      system.ctx.tenantId,
    );
    const payload = { user_id: user.id, email: 'berta@example.com', name: 'berta', role: 'sales' };
    assert.deepEqual(events, [{ event: 'user.created', entity_type: 'User', entity_id: user.id, payload }]);
  });

  it('refuses the e-mail of a member, in any case and in parallel', async () => {
    await assert.rejects(system.addUser('ana@EXAMPLE.com', 'viewer'), refusedWith('duplicate'));
    const both = await Promise.allSettled([1, 2, 3].map(() => system.addUser('twin@example.com', 'viewer')));
    assert.deepEqual(both.map((one) => (one.status === 'fulfilled' ? 'created' : one.reason.code)).sort(), [
      'created',
      'duplicate',
      'duplicate',
    ]);
    assert.deepEqual(await system.rows(`select count(*) from users where lower(email) = 'twin@example.com'`), [
      { count: 1 },
    ]);
  });

  it('lets only owners create, change and remove owners', async () => {
    const admin = as('admin');
    const { membership: second } = await system.addUser('second@example.com', 'owner');
    const { user: sales, membership } = await system.addUser('berta@example.com', 'sales');
    const input = { email: 'new@example.com', name: 'New', role: 'owner' } as const;
    const tries: Record<string, () => Promise<unknown>> = {
      'create an owner': () => system.run((trx) => createUser(trx, system.ctx, admin, input)),
      'promote to owner': () => change(membership, { role: 'owner' }, admin),
      'demote an owner': () => change(second, { role: 'viewer' }, admin),
      'deactivate an owner': () => change(second, { active: false }, admin),
      'remove an owner': () => remove(second, admin),
      'delete an owner': () => system.run((trx) => deleteUser(trx, system.ctx, admin, second.userId, null)),
      "change an owner's password": () =>
        system.run((trx) => changeUser(trx, system.ctx, admin, second.userId, { passwordHash: 'none' }, null)),
      "make an owner's key": () =>
        system.run((trx) => createApiKey(trx, system.ctx, admin, { name: 'key', role: 'owner' })),
      'bring an owner in': async () => {
        const { user } = await inOther('yara@example.com');
        return system.run((trx) => createMembership(trx, system.ctx, admin, { userId: user.id, role: 'owner' }));
      },
    };
    for (const [what, attempt] of Object.entries(tries)) {
      await assert.rejects(attempt(), refusedWith('forbidden'), what);
    }
    await change(membership, { role: 'admin' }, admin);
    await change(membership, { role: 'owner' });
    await change(second, { role: 'viewer' });
    assert.equal((await system.run((trx) => getMember(trx, sales.id))).membership.role, 'owner');
  });

  it('keeps the last owner', async () => {
    const owner = await ownerMembership();
    // An owner who cannot log in does not count.
    const { user: idle } = await system.addUser('idle@example.com', 'owner');
    await system.run((trx) => changeUser(trx, system.ctx, as('owner'), idle.id, { active: false }, null));
    await assert.rejects(remove(owner), refusedWith('last_owner'));
    await assert.rejects(change(owner, { role: 'admin' }), refusedWith('last_owner'));
    await assert.rejects(change(owner, { active: false }), refusedWith('last_owner'));
    await assert.rejects(
      system.run((trx) => deleteUser(trx, system.ctx, as('owner'), owner.userId, null)),
      refusedWith('last_owner'),
    );
  });

  it('keeps the last owner when two owners leave concurrently, in any way', async () => {
    const first = await ownerMembership();
    const { membership: second } = await system.addUser('second@example.com', 'owner');
    const ways: [() => Promise<unknown>, () => Promise<unknown>][] = [
      [() => change(first, { role: 'admin' }), () => change(second, { role: 'admin' })],
      [() => change(first, { active: false }), () => remove(second)],
    ];
    for (const [one, other] of ways) {
      const outcomes = await Promise.allSettled([one(), other()]);
      const codes = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : outcome.reason.code));
      assert.deepEqual(codes.sort(), ['done', 'last_owner']);
      for (const membership of [first, second]) {
        await change(membership, { role: 'owner', active: true }).catch((error) => {
          assert.equal(error.code, 'not_found'); // it was the one removed
        });
      }
    }
  });

  it('ends the membership of a deleted user, and deactivates a user without any other', async () => {
    const { user } = await system.addUser('berta@example.com', 'sales');
    await system.run(
      (trx) => createMembership(trx, otherCtx, as('owner'), { userId: user.id, role: 'viewer' }),
      otherCtx,
    );
    const isActive = async () => (await system.rows(`select active from users where id = '${user.id}'`))[0]?.active;

    await system.run((trx) => deleteUser(trx, system.ctx, as('admin'), user.id, null));
    await assert.rejects(
      system.run((trx) => getMember(trx, user.id)),
      refusedWith('not_found'),
    );
    assert.equal(await isActive(), true);
    const session = await system.logIn('berta@example.com');
    assert.deepEqual(
      session.tenants.map(({ name }) => name),
      ['Other'],
    );

    await system.run((trx) => deleteUser(trx, otherCtx, as('owner'), user.id, null), otherCtx);
    assert.equal(await isActive(), false);
    await assert.rejects(system.logIn('berta@example.com'), refusedWith('invalid_credentials'));
    const events = await system.rows(
      `select event, payload->>'role' as role from outbox where entity_id = '${user.id}' order by seq`,
      otherCtx.tenantId,
    );
    assert.deepEqual(events, [
      { event: 'user.created', role: 'viewer' },
      { event: 'user.deleted', role: 'viewer' },
    ]);

    const again = { email: 'BERTA@example.com', role: 'sales' } as const;
    await system.run((trx) => createMembership(trx, system.ctx, as('admin'), again));
    assert.equal(await isActive(), true);
    assert.ok(await system.logIn('berta@example.com'));
  });

  it('deactivates a user who is deleted in two companies concurrently', async () => {
    const { user } = await system.addUser('berta@example.com', 'sales');
    await system.run(
      (trx) => createMembership(trx, otherCtx, as('owner'), { userId: user.id, role: 'viewer' }),
      otherCtx,
    );
    await Promise.all(
      [system.ctx, otherCtx].map((ctx) => system.run((trx) => deleteUser(trx, ctx, as('owner'), user.id, null), ctx)),
    );
    assert.deepEqual(await system.rows(`select active from users where id = '${user.id}'`), [{ active: false }]);
  });

  it('lets its own company change an account or, if it works elsewhere too, only callers who run all its companies', async () => {
    const { user } = await system.addUser('berta@example.com', 'sales');
    await system.run(
      (trx) => createMembership(trx, otherCtx, as('owner'), { userId: user.id, role: 'viewer' }),
      otherCtx,
    );
    const { user: admin } = await system.addUser('admin@example.com', 'admin');
    const foreign = (await inOther('zoe@example.com')).user;
    const attempt = (id: string, changes: object, userId = admin.id, actor = as('admin'), ctx = system.ctx) =>
      system.run((trx) => changeUser(trx, { ...ctx, userId }, actor, id, changes, null), ctx);
    const ana = system.ctx.userId ?? '';
    for (const changes of [{ passwordHash: 'none' }, { email: 'mine@example.com' }, { active: false }, { name: 'B' }]) {
      await assert.rejects(attempt(user.id, changes), refusedWith('forbidden'));
      // The same from the other company, for a caller who runs both.
      await assert.rejects(attempt(user.id, changes, ana, as('owner'), otherCtx), refusedWith('forbidden'));
    }
    await assert.rejects(attempt(foreign.id, { name: 'Mine' }), refusedWith('not_found'));
    const own = await attempt(user.id, { name: 'Berta B.', locale: 'en-GB' }, user.id, as('sales'));
    assert.deepEqual(
      { name: own.user.name, locale: own.user.locale, version: own.user.version },
      { name: 'Berta B.', locale: 'en-GB', version: 2 },
    );
    await assert.rejects(attempt(user.id, { active: false }, user.id, as('sales')), refusedWith('forbidden'));
    assert.equal((await attempt(user.id, { active: false }, ana, as('owner'))).user.active, false);
  });

  it('adds accounts at once from companies that the caller also runs, by id or e-mail', async () => {
    const { user } = await inOther('xenia@example.com');
    const create = (input: { userId?: string; email?: string }, userId = system.ctx.userId) =>
      system.run((trx) => createMembership(trx, { ...system.ctx, userId }, as('admin'), { ...input, role: 'viewer' }));
    const { user: admin } = await system.addUser('admin@example.com', 'admin');
    for (const wrong of [{ userId: newId() }, {}, { userId: user.id, email: user.email }]) {
      await assert.rejects(create(wrong), refusedWith('validation_failed'));
    }
    // A caller who runs only this company does not learn whether the id exists.
    const messages = await Promise.all(
      [user.id, newId()].map((userId) => create({ userId }, admin.id).catch((error) => error.message)),
    );
    assert.equal(new Set(messages).size, 1);
    const membership = await create({ email: 'Xenia@Example.com' });
    assert.deepEqual([membership.userId, membership.active], [user.id, true]);
    await assert.rejects(create({ userId: user.id }), refusedWith('duplicate'));
  });

  it("shows only those of a user's companies that the caller may know", async () => {
    const { user } = await system.addUser('berta@example.com', 'sales');
    await system.run(
      (trx) => createMembership(trx, otherCtx, as('owner'), { userId: user.id, role: 'viewer' }),
      otherCtx,
    );
    const { user: admin } = await system.addUser('admin@example.com', 'admin');
    const names = async (userId: string | null, email: string) =>
      (await tenantsForUser(system.env.database, { ...system.ctx, userId }, email)).map(({ name }) => name);
    assert.deepEqual(await names(system.ctx.userId, 'berta@example.com'), ['Frutas García', 'Other']);
    assert.deepEqual(await names(admin.id, 'berta@example.com'), ['Frutas García']);
    assert.deepEqual(await names(null, 'berta@example.com'), ['Frutas García']);
    assert.deepEqual(await names(user.id, 'berta@example.com'), ['Frutas García', 'Other']);
    assert.deepEqual(await names(admin.id, 'nobody@example.com'), []);
  });
});
