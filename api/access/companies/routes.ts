import { Type } from 'typebox';
import { Tenant } from '../../../db/models/access/access.ts';
import { createTenant, currentTenant, getTenant } from '../../../services/access/companies/tenants.ts';
import { dataBody, uuid } from '../../../services/platform/validation/schemas.ts';
import { newCompanySchema } from '../../platform/settings/company-schemas.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { heldRole, tenantMembers, tenantSchema } from '../sessions/schemas.ts';

const TAG = 'Companies';

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/tenants/mine',
    id: 'getMyTenant',
    summary: 'The company of the request, and the caller’s role in it',
    description: 'The company in `x-tenant-id`, or else that of the token.',
    tag: TAG,
    access: 'member',
    responses: { 200: dataBody(Type.Object({ ...tenantMembers, role: heldRole() }, { title: 'MyTenant' })) },
    handler: async ({ reader, ctx, caller }) =>
      ok({ ...Tenant.toJson({ ...(await currentTenant(reader, ctx)) }), role: caller.role }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/tenants',
    id: 'createTenant',
    summary: 'Create a further company with the caller as its owner',
    problems: ['company_limit', 'duplicate', 'forbidden'],
    description:
      'It starts with the accounts and taxes of its country, units, groups, a warehouse, series and periods. A person can create ' +
      'a limited number of companies, one at a time; accounts with an unverified e-mail count with the founder of their company.',
    tag: TAG,
    access: 'tenants:create',
    body: newCompanySchema,
    responses: { 201: dataBody(tenantSchema) },
    handler: async ({ db, ctx, body, deps }) => {
      const tenant = await createTenant(db, ctx, body, deps.config.companies);
      return created(`/api/tenants/${tenant.id}`, Tenant.toJson({ ...tenant }));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/tenants/:id',
    id: 'getTenant',
    summary: 'One of the caller’s companies',
    description: 'Companies of other users are reported as not found.',
    tag: TAG,
    access: 'member',
    transaction: 'none',
    params: Type.Object({ id: uuid() }),
    responses: { 200: dataBody(tenantSchema) },
    handler: async ({ ctx, deps, params }) =>
      ok(Tenant.toJson({ ...(await getTenant(deps.database, ctx, params.id)) })),
  }),
];
