import assert from 'node:assert/strict';
import jwt from 'jsonwebtoken';
import { newId } from '../../../../db/ids.ts';
import { ROLES, type Role } from '../../../../domain/permissions.ts';
import { createApiKey, deleteApiKey } from '../../../../services/access/api-keys/api-keys.ts';
import { createTenant } from '../../../../services/access/companies/tenants.ts';
import { authenticate } from '../../../../services/access/sessions/authenticate.ts';
import { changeMembership, deleteMembership } from '../../../../services/access/users/memberships.ts';
import { changeUser } from '../../../../services/access/users/users.ts';
import { as, NOW, refusedWith, SECRET, UNLIMITED, useSystem } from './helpers.ts';

const MINUTE = 60_000;

describe('authenticate', () => {
  const system = useSystem();

  const check = (token: string | undefined, tenant?: string) => authenticate(system.env, token, tenant);

  it('uses the company of the token, or the one in the header', async () => {
    const { token } = system.owner;
    const identity = await check(`Bearer ${token}`);
    assert.equal(identity.tenantId, system.ctx.tenantId);
    assert.equal(identity.userId, system.ctx.userId);
    assert.equal(identity.role, 'owner');
    const second = await system.run((trx) =>
      createTenant(trx, system.ctx, { name: 'Second', taxId: 'B20000006' }, UNLIMITED),
    );
    assert.equal((await check(`bearer ${token}`, second.id)).tenantId, second.id);
    assert.equal((await check(token, second.id.toUpperCase())).tenantId, second.id);
  });

  it('refuses a missing token, and a header that is not a UUID', async () => {
    for (const none of [undefined, '', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz']) {
      await assert.rejects(check(none), refusedWith('unauthorized'), String(none));
    }
    for (const tenant of ['', 'main', `${system.ctx.tenantId}0`, "' or 1=1"]) {
      await assert.rejects(check(system.owner.token, tenant), refusedWith('bad_request'), tenant);
    }
  });

  it('refuses forged tokens', async () => {
    const claims = jwt.decode(system.owner.token) as Record<string, unknown>;
    const { exp: _, ...endless } = claims;
    const [header, payload, signature] = system.owner.token.split('.') as [string, string, string];
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged: Record<string, string> = {
      'no algorithm': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      'no algorithm, old signature': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
      'another key': jwt.sign(claims, 'another-secret-another-secret-another'),
      'another algorithm, right key': jwt.sign(claims, SECRET, { algorithm: 'HS512' }),
      'tampered user': `${header}.${encode({ ...claims, sub: newId() })}.${signature}`,
      'no signature': `${header}.${payload}.`,
      'another issuer': jwt.sign({ ...claims, iss: 'somebody' }, SECRET),
      'another audience': jwt.sign({ ...claims, aud: 'somewhere' }, SECRET),
      'no user': jwt.sign({ ...claims, sub: 'admin' }, SECRET),
      'no end': jwt.sign(endless, SECRET),
      'not yet valid': jwt.sign({ ...claims, nbf: Math.floor(NOW.getTime() / 1000) + 60 }, SECRET),
      garbage: 'abc.def.ghi',
      'an unknown API key': 'bms_0000000000000000000000000000000000000000000',
    };
    for (const [what, token] of Object.entries(forged)) {
      await assert.rejects(check(token), refusedWith('invalid_token'), what);
    }
    // A token signed the same way with the right key and claims is accepted, so each refusal above has its own reason.
    assert.equal((await check(jwt.sign(claims, SECRET))).userId, system.ctx.userId);
  });

  it('refuses an expired token', async () => {
    const at = (minutes: number) => system.at(new Date(NOW.getTime() + minutes * MINUTE));
    assert.equal((await authenticate(at(14.9), system.owner.token, undefined)).role, 'owner');
    await assert.rejects(authenticate(at(15), system.owner.token, undefined), refusedWith('token_expired'));
  });

  it('reads role and membership on every request', async () => {
    const { membership } = await system.addUser('berta@example.com', 'sales');
    const { token } = await system.logIn('berta@example.com');
    const change = (changes: { role?: Role; active?: boolean }) =>
      system.run((trx) => changeMembership(trx, system.ctx, as('owner'), membership.id, changes, null));
    assert.equal((await check(token)).role, 'sales');
    await change({ role: 'viewer' });
    assert.equal((await check(token)).role, 'viewer');
    await change({ active: false });
    await assert.rejects(check(token), refusedWith('not_a_member'));
    await change({ active: true });
    await system.run((trx) => changeUser(trx, system.ctx, as('owner'), membership.userId, { active: false }, null));
    await assert.rejects(check(token), refusedWith('not_a_member'));
    await system.run((trx) => changeUser(trx, system.ctx, as('owner'), membership.userId, { active: true }, null));
    // The sessions of a deactivated account have ended.
    await assert.rejects(check(token), refusedWith('invalid_token'));
    const again = await system.logIn('berta@example.com');
    assert.equal((await check(again.token)).role, 'viewer');
    await system.run((trx) => deleteMembership(trx, system.ctx, as('owner'), membership.id, null));
    await assert.rejects(check(again.token), refusedWith('not_a_member'));
  });

  it('refuses other companies', async () => {
    await system.addUser('carla@example.com', 'admin');
    const { token } = await system.logIn('carla@example.com');
    const foreign = await system.run((trx) =>
      createTenant(trx, system.ctx, { name: 'Foreign', taxId: 'B30000004' }, UNLIMITED),
    );
    await assert.rejects(check(token, foreign.id), refusedWith('not_a_member'));
    await assert.rejects(check(token, newId()), refusedWith('not_a_member'));
  });

  for (const role of Object.keys(ROLES) as Role[]) {
    it(`gives ${role} exactly the permissions of the role, by token and by key`, async () => {
      await system.addUser(`${role}@example.com`, role);
      const { token } = await system.logIn(`${role}@example.com`);
      const { secret } = await system.run((trx) => createApiKey(trx, system.ctx, as('owner'), { name: role, role }));
      for (const identity of [await check(token), await check(secret)]) {
        assert.equal(identity.role, role);
        assert.deepEqual(identity.permissions, ROLES[role].permissions);
      }
    });
  }

  it('accepts an API key for its own company only, until it expires or is deleted', async () => {
    const expiresAt = new Date(NOW.getTime() + MINUTE).toISOString();
    const { apiKey, secret } = await system.run((trx) =>
      createApiKey(trx, system.ctx, as('owner'), { name: 'shop', role: 'sales', expiresAt }),
    );
    const identity = await check(`Bearer ${secret}`, system.ctx.tenantId);
    assert.deepEqual(
      { userId: identity.userId, machine: identity.machine, tenantId: identity.tenantId, role: identity.role },
      { userId: null, machine: { kind: 'api_key', id: apiKey.id }, tenantId: system.ctx.tenantId, role: 'sales' },
    );
    await assert.rejects(check(secret, newId()), refusedWith('not_a_member'));
    const later = system.at(new Date(NOW.getTime() + MINUTE));
    await assert.rejects(authenticate(later, secret, undefined), refusedWith('token_expired'));
    await system.run((trx) => deleteApiKey(trx, system.ctx, as('owner'), apiKey.id, null));
    await assert.rejects(check(secret), refusedWith('invalid_token'));
  });
});
