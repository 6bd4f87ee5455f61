import assert from 'node:assert/strict';
import { newId } from '../../../db/ids.ts';
import { migrate } from '../../../db/migrate.ts';
import { up } from '../../../db/migrations/0045-makers-of-accounts.ts';
import { createMembership, deleteMembership } from '../../../services/identity/memberships.ts';
import { createTenant } from '../../../services/identity/tenants.ts';
import { as, useSystem } from '../../services/identity/helpers.ts';

describe('migration 0045', () => {
  const system = useSystem();

  it('gives each account to the company that has made it, and takes no e-mail for verified', async () => {
    const other = await system.run((trx) => createTenant(trx, system.ctx, { name: 'Other', taxId: 'B20000006' }));
    const otherCtx = { ...system.ctx, tenantId: other.id };
    const bring = (userId: string) =>
      system.run((trx) => createMembership(trx, otherCtx, as('owner'), { userId, role: 'viewer' }), otherCtx);
    const both = await system.addUser('both@example.com', 'viewer');
    await bring(both.user.id);
    const moved = await system.addUser('moved@example.com', 'viewer');
    await bring(moved.user.id);
    await system.run((trx) => deleteMembership(trx, system.ctx, as('owner'), moved.membership.id, null));
    const gone = await system.addUser('gone@example.com', 'viewer');
    await system.run((trx) => deleteMembership(trx, system.ctx, as('owner'), gone.membership.id, null));
    // Nothing tells who has made this one, but where they have been for longest.
    const user = { id: newId(), email: 'old@example.com', name: 'Old', active: true };
    const at = { created_at: system.ctx.now, updated_at: system.ctx.now };
    await system.env.database.withSystem(async (trx) => {
      await trx('users').insert({ ...user, ...at });
      const membership = { id: newId(), tenant_id: system.ctx.tenantId, user_id: user.id, role: 'viewer', ...at };
      await trx('memberships').insert(membership);
    });
    await system.env.database.withSystem((trx) =>
      trx('users').update({ home_tenant_id: null, email_verified_at: null }),
    );
    await migrate(system.url, [{ name: 'x-again', up }]);
    const rows = await system.rows('select email, home_tenant_id, email_verified_at from users order by email');
    assert.deepEqual(
      rows.map((row) => [row.email, row.home_tenant_id === system.ctx.tenantId, row.email_verified_at]),
      ['Ana', 'both', 'gone', 'moved', 'old'].map((name) => [`${name}@example.com`, true, null]),
    );
  });
});
