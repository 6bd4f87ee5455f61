/** The companies of a caller. */

import type { Context } from '../../../db/context.ts';
import { type Database, type Db, type Reader, switchScope } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Tenant } from '../../../db/models/access/access.ts';
import { findRow } from '../../../db/queries/find.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { isAdministrator } from '../../../domain/permissions.ts';
import type { NewCompany } from '../../platform/settings/company.ts';
import { findAccount } from '../sessions/login.ts';
import { listUserTenants, type UserTenant } from '../sessions/tokens.ts';
import { addFirstOwner, createCompany } from './companies.ts';
import { type CompanyLimits, reserveFounding } from './founders.ts';

/**
 * Creates a further company owned by the calling user. The transaction stays in the scope of the request's company.
 * @throws ServiceError forbidden (API key), validation_failed, company_limit, too_many_requests
 */
export async function createTenant(trx: Db, ctx: Context, company: NewCompany, limits: CompanyLimits): Promise<Tenant> {
  if (ctx.userId === null)
    throw new ServiceError(
      'forbidden',
      'An API key cannot create a company because a company needs a user as its owner',
    );
  const inside: Context = { ...ctx, tenantId: newId() };
  await switchScope(trx, 'system');
  const founderId = await reserveFounding(trx, ctx.userId, limits);
  const tenant = await createCompany(trx, inside, company, { founderId });
  await addFirstOwner(trx, inside, { id: ctx.userId });
  await switchScope(trx, ctx);
  return tenant;
}

/** Reads the company of the request. */
export async function currentTenant(reader: Reader, ctx: Context): Promise<Tenant> {
  const tenant = await findRow(reader, Tenant, { id: ctx.tenantId });
  if (tenant === undefined) throw notFound('The company');
  return tenant;
}

/** Reads a company that the caller works in. @throws ServiceError not_found */
export async function getTenant(database: Database, ctx: Context, id: string): Promise<Tenant> {
  return await database.withSystem(async (trx) => {
    const own =
      ctx.userId === null ? [ctx.tenantId] : (await listUserTenants(trx, ctx.userId)).map((tenant) => tenant.id);
    const tenant = own.includes(id.toLowerCase()) ? await Tenant.query(trx).findById(id) : undefined;
    if (tenant === undefined) throw notFound('The company');
    return tenant;
  });
}

/**
 * Lists the companies of the user with an e-mail that the caller may know: all of their own; for another user, those where the caller is
 * owner or admin. An API key knows only its own company. An unknown e-mail has none.
 */
export async function tenantsForUser(database: Database, ctx: Context, email: string): Promise<UserTenant[]> {
  return await database.withSystem(async (trx) => {
    const account = await findAccount(trx, email.trim());
    if (account === undefined) return [];
    const tenants = await listUserTenants(trx, account.user.id);
    if (account.user.id === ctx.userId) return tenants;
    const known = new Set([ctx.tenantId]);
    if (ctx.userId !== null) {
      for (const { id, role } of await listUserTenants(trx, ctx.userId)) {
        if (isAdministrator(role)) known.add(id);
      }
    }
    return tenants.filter(({ id }) => known.has(id));
  });
}
