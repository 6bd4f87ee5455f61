/** Roles of a company's own: what they allow, to whom, and what nobody gains by them. */
import assert from 'node:assert/strict';
import { COMMON_PERMISSIONS } from '../../../../domain/permissions.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe("roles of a company's own", () => {
  const app = useApp();
  const make = async (name: string, permissions: string[]) => {
    const { status, body, headers } = await app.client.post('/api/roles', { name, permissions });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(headers.get('location'), `/api/roles/${body.data.id}`);
    return body.data as { id: string; version: number; permissions: string[] };
  };
  const GROUP = { code: 'OWN', name: 'Own', codePrefix: 'OWN', isCustomer: true };

  it('allow members what they list and what every member may read, from their next request on', async () => {
    const role = await make('Till', ['partner_groups:read', 'partner_groups:create']);
    assert.deepEqual(
      role.permissions,
      [...new Set(['partner_groups:read', 'partner_groups:create', ...COMMON_PERMISSIONS])].sort(),
    );
    const member = await addMember(app, 'viewer');
    assert.equal((await member.client.post('/api/partnerGroups', GROUP)).status, 403);
    const path = `/api/memberships/${member.membershipId}`;
    const changed = await app.client.patch(path, { roleId: role.id });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual([changed.body.data.role, changed.body.data.roleId], ['custom', role.id]);
    assert.deepEqual(changed.body.data.permissions, role.permissions);
    assert.equal((await member.client.post('/api/partnerGroups', GROUP)).status, 201);
    assert.equal((await member.client.get('/api/partners')).status, 403, 'a viewer could read them');
    assert.equal((await member.client.get('/api/company')).status, 200);
    const me = (await member.client.get('/api/auth/me')).body;
    assert.deepEqual(me.permissions.toSorted(), role.permissions);

    const less = await app.client.patch(`/api/roles/${role.id}`, { permissions: ['partner_groups:read'] });
    assert.equal(less.body.data.version, 2);
    assert.equal((await member.client.post('/api/partnerGroups', { ...GROUP, code: 'B' })).status, 403);
    assert.equal((await member.client.get('/api/partnerGroups')).status, 200);
    const { data: audit } = (await app.client.get(`/api/audit-logs?entityId=${member.membershipId}`)).body;
    assert.ok(JSON.stringify(audit[0]).includes('partner_groups:read'), 'the audit log says what they may do');
    const shown = (await app.client.get(`/api/users?roleId=${role.id}`)).body.data;
    assert.deepEqual(
      shown.map((user: { role: string; roleId: string }) => [user.role, user.roleId]),
      [['custom', role.id]],
    );
    assertProblem(await app.client.del(`/api/roles/${role.id}`), 409, 'in_use');
    assert.equal((await app.client.patch(path, { role: 'viewer' })).body.data.roleId, null);
    assert.equal((await member.client.get('/api/partners')).status, 200);
    assert.equal((await app.client.del(`/api/roles/${role.id}`)).status, 204);
  });

  it('are given to new users, invitees and keys, and follow a change there', async () => {
    const role = await make('Shop', ['items:read', 'sales_orders:create']);
    const user = await app.client.post('/api/users', { email: 'shop@example.test', name: 'Shop', roleId: role.id });
    assert.deepEqual(
      [user.body.data.role, user.body.data.roleId, user.body.data.status],
      ['custom', role.id, 'invited'],
    );
    const key = await app.client.post('/api/api-keys', { name: 'Shop', roleId: role.id });
    assert.deepEqual([key.body.data.role, key.body.data.roleId], ['custom', role.id]);
    const shop = app.as(key.body.data.key);
    assert.equal((await shop.get('/api/items')).status, 200);
    assert.equal((await shop.get('/api/warehouses')).status, 403);
    await app.client.patch(`/api/roles/${role.id}`, { permissions: ['warehouses:read'] });
    assert.equal((await shop.get('/api/items')).status, 403);
    assert.equal((await shop.get('/api/warehouses')).status, 200);
  });

  it('are listed with those that every company has', async () => {
    const role = await make('Zeta', ['items:read']);
    const { data } = (await app.client.get('/api/roles?limit=500')).body;
    assert.equal(data[0].id, 'owner');
    assert.deepEqual([data[0].own, data[0].version], [false, null]);
    const own = data.find(({ id }: { id: string }) => id === role.id);
    assert.deepEqual([own.code, own.name, own.own, own.version], ['custom', 'Zeta', true, 1]);
    assert.deepEqual((await app.client.get(`/api/roles/${role.id}`)).body.data.permissions, own.permissions);
  });

  it('let nobody gain more than they have: not by what a role lists, nor by giving it', async () => {
    for (const permission of [
      'users:create',
      'memberships:update',
      'api_keys:create',
      'roles:update',
      'plugins:create',
    ]) {
      assertProblem(
        await app.client.post('/api/roles', { name: 'X', permissions: [permission] }),
        422,
        'validation_failed',
      );
    }
    const admins = await make('Reader of all', ['payroll:read', 'people:private']);
    const accountant = await addMember(app, 'accountant');
    assertProblem(
      await accountant.client.post('/api/roles', { name: 'Y', permissions: ['items:read'] }),
      403,
      'forbidden',
    );
    const path = `/api/memberships/${accountant.membershipId}`;
    assertProblem(await accountant.client.patch(path, { roleId: admins.id }), 403, 'forbidden');
    const admin = await addMember(app, 'admin');
    const owner = (await app.client.get('/api/memberships?role=owner')).body.data[0].id;
    assertProblem(await admin.client.patch(`/api/memberships/${owner}`, { roleId: admins.id }), 403, 'forbidden');
    assertProblem(await app.client.patch(`/api/memberships/${owner}`, { roleId: admins.id }), 409, 'last_owner');
  });

  it('are refused with what is wrong, and change nothing', async () => {
    const cases: [object, string][] = [
      [{ name: 'Owner', permissions: ['items:read'] }, '/name'],
      [{ name: 'custom', permissions: ['items:read'] }, '/name'],
      [{ name: 'A', permissions: ['items:fly'] }, '/permissions/0'],
      [{ name: 'A', permissions: [] }, '/permissions'],
      [{ name: 'A', permissions: ['items:read', 'items:read'] }, '/permissions'],
      [{ permissions: ['items:read'] }, '/name'],
    ];
    for (const [body, pointer] of cases) {
      const answer = await app.client.post('/api/roles', body);
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer, JSON.stringify(answer.body));
    }
    await make('Twice', ['items:read']);
    assertProblem(
      await app.client.post('/api/roles', { name: 'TWICE', permissions: ['items:read'] }),
      409,
      'duplicate',
    );
    const both = { name: 'K', roleId: app.tenantId, role: 'viewer' };
    assertProblem(await app.client.post('/api/api-keys', both), 422, 'validation_failed');
    const unknown = await app.client.post('/api/api-keys', { name: 'K', roleId: app.tenantId });
    assert.equal(unknown.body.errors[0].pointer, '/roleId');
    assertProblem(await app.client.get(`/api/roles/${app.tenantId}`), 404, 'not_found');
    assertProblem(await app.client.patch('/api/roles/viewer', { name: 'Z' }), 400, 'invalid_parameter');
  });
});
