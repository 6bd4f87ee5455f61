import type { Database } from '../../../db/database.ts';
import { Tenant, User } from '../../../db/models/access/access.ts';
import type { Machine } from '../../../domain/actors.ts';
import { notFound } from '../../../domain/errors.ts';
import { listUserTenants, type UserTenant } from '../sessions/tokens.ts';

/** Describes a caller to itself: the user (null for an API key), the company of the request, role and permissions. */
export async function describeCaller(
  database: Database,
  caller: {
    readonly tenantId: string;
    readonly userId: string | null;
    readonly machine: Machine | null;
    readonly role: string;
    readonly permissions: ReadonlySet<string>;
  },
) {
  const { tenantId, userId, machine, role, permissions } = caller;
  return await database.withSystem(async (trx) => {
    const tenant = await Tenant.query(trx).findById(tenantId);
    if (tenant === undefined) throw notFound('The company');
    const user = userId === null ? undefined : await User.query(trx).findById(userId);
    const tenants: readonly UserTenant[] =
      userId === null
        ? [{ id: tenant.id, name: tenant.name, role: role as UserTenant['role'] }]
        : await listUserTenants(trx, userId);
    return {
      user: user === undefined ? null : User.toJson({ ...user }),
      tenant: Tenant.toJson({ ...tenant }),
      role,
      permissions: [...permissions].sort(),
      tenants,
      apiKeyId: machine?.kind === 'api_key' ? machine.id : null,
      pluginId: machine?.kind === 'plugin' ? machine.id : null,
    };
  });
}
