/** All routes of the service: one array for each resource. */
import { routes as accounts } from './accounts/routes.ts';
import { routes as apiKeys } from './api-keys/routes.ts';
import { routes as auditLogs } from './audit/routes.ts';
import { routes as auth } from './auth/routes.ts';
import { routes as categories } from './categories/routes.ts';
import { routes as company } from './company/routes.ts';
import { routes as config } from './config/routes.ts';
import { routes as costCenters } from './cost-centers/routes.ts';
import { routes as documents } from './documents/routes.ts';
import { routes as items } from './items/routes.ts';
import { routes as itemUnits } from './items/units.ts';
import { routes as memberships } from './memberships/routes.ts';
import { routes as partnerGroups } from './partner-groups/routes.ts';
import { routes as partnerAddresses } from './partners/addresses.ts';
import { routes as partners } from './partners/routes.ts';
import { routes as periods } from './periods/routes.ts';
import { routes as projects } from './projects/routes.ts';
import { routes as roles } from './roles/routes.ts';
import type { Route } from './route.ts';
import { routes as series } from './series/routes.ts';
import { routes as setup } from './setup/routes.ts';
import { routes as stock } from './stock/routes.ts';
import { routes as taxes } from './taxes/routes.ts';
import { routes as tenants } from './tenants/routes.ts';
import { routes as uom } from './uom/routes.ts';
import { routes as users } from './users/routes.ts';
import { routes as warehouses } from './warehouses/routes.ts';
import { routes as webhooks } from './webhooks/routes.ts';
import { routes as zones } from './zones/routes.ts';

export const ROUTES: readonly Route[] = [
  ...setup,
  ...auth,
  ...users,
  ...memberships,
  ...tenants,
  ...roles,
  ...apiKeys,
  ...company,
  ...config,
  ...partnerGroups,
  ...partners,
  ...partnerAddresses,
  ...categories,
  ...items,
  ...itemUnits,
  ...uom,
  ...warehouses,
  ...zones,
  ...taxes,
  ...series,
  ...periods,
  ...accounts,
  ...projects,
  ...costCenters,
  ...stock,
  ...auditLogs,
  ...documents,
  ...webhooks,
];
