/** All routes of the service: one array for each resource. */
import { RESOURCES } from '../services/master-data/index.ts';
import { routes as accounting } from './accounting/routes.ts';
import { routes as apiKeys } from './api-keys/routes.ts';
import { routes as auditLogs } from './audit/routes.ts';
import { routes as invitationAnswers } from './auth/invitations.ts';
import { routes as auth } from './auth/routes.ts';
import { routes as automations } from './automations/routes.ts';
import { routes as bank } from './bank/routes.ts';
import { routes as bankRules } from './bank/rules.ts';
import { routes as sepa } from './bank/sepa.ts';
import { routes as comments } from './comments/routes.ts';
import { routes as company } from './company/routes.ts';
import { routes as config } from './config/routes.ts';
import { routes as customFields } from './custom-fields/routes.ts';
import { routes as dashboard } from './dashboard/routes.ts';
import { routes as documentLines } from './documents/lines.ts';
import { routes as documents } from './documents/routes.ts';
import { routes as emailTemplates } from './email-templates/routes.ts';
import { routes as emails } from './emails/routes.ts';
import { routes as files } from './files/routes.ts';
import { routes as imports } from './imports/routes.ts';
import { routes as invitations } from './invitations/routes.ts';
import { routes as memberships } from './memberships/routes.ts';
import { pushRoutes } from './notifications/push.ts';
import { routes as notifications } from './notifications/routes.ts';
import { unsubscribeRoutes } from './notifications/unsubscribe.ts';
import { routes as offsets } from './payments/offsets.ts';
import { routes as openItems } from './payments/open-items.ts';
import { routes as payments } from './payments/routes.ts';

import { routes as incomeTax } from './payroll/income-tax.ts';

import { routes as payPayrolls } from './payroll/pay.ts';
import { routes as payslips } from './payroll/payslips.ts';
import { routes as payroll } from './payroll/routes.ts';

import { routes as people } from './people/routes.ts';
import { routes as periods } from './periods/routes.ts';
import { withReadBack } from './pipeline-sent-back.ts';
import { routes as plugins } from './plugins/routes.ts';
import { routes as prices } from './prices/routes.ts';
import { routes as reportSchedules } from './report-schedules/routes.ts';
import { routes as reports } from './reports/routes.ts';
import { resourceRoutes } from './resource.ts';
import { routes as roles } from './roles/routes.ts';
import type { Route } from './route.ts';
import { routes as setup } from './setup/routes.ts';
import { routes as stock } from './stock/routes.ts';
import { routes as tasks } from './tasks/routes.ts';
import { routes as taxReturns } from './tax-returns/routes.ts';
import { routes as tenants } from './tenants/routes.ts';
import { transactionRoutes } from './transactions/routes.ts';
import { routes as users } from './users/routes.ts';
import { routes as warehouses } from './warehouses/routes.ts';
import { routes as webhooks } from './webhooks/routes.ts';

const SINGLE: readonly Route[] = withReadBack([
  ...setup,
  ...auth,
  ...invitationAnswers,
  ...users,
  ...memberships,
  ...invitations,
  ...tenants,
  ...roles,
  ...apiKeys,
  ...company,
  ...config,
  ...RESOURCES.flatMap(resourceRoutes),
  ...accounting,
  ...taxReturns,
  ...people,
  ...incomeTax,
  ...payroll,
  ...payslips,
  ...payPayrolls,
  ...periods,
  ...warehouses,
  ...prices,
  ...customFields,
  ...stock,
  ...auditLogs,
  ...comments,
  ...documentLines,
  ...documents,
  ...payments,
  ...offsets,
  ...openItems,
  ...reports,
  ...reportSchedules,
  ...dashboard,
  ...imports,
  ...files,
  ...bank,
  ...bankRules,
  ...sepa,
  ...tasks,
  ...emails,
  ...emailTemplates,
  ...notifications,
  ...pushRoutes,
  ...unsubscribeRoutes,
  ...webhooks,
  ...plugins,
  ...automations,
]);

export const ROUTES: readonly Route[] = [...SINGLE, ...transactionRoutes(SINGLE)];
