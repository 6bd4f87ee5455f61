/** All routes of the service: one array for each resource. */
import { RESOURCES } from '../services/records/master-data/index.ts';
import { routes as apiKeys } from './access/api-keys/routes.ts';
import { routes as tenants } from './access/companies/routes.ts';
import { routes as invitationAnswers } from './access/invitations/auth.ts';
import { routes as invitations } from './access/invitations/routes.ts';
import { routes as roles } from './access/roles/routes.ts';
import { routes as auth } from './access/sessions/routes.ts';
import { routes as setup } from './access/setup/routes.ts';
import { routes as memberships } from './access/users/memberships.ts';
import { routes as users } from './access/users/routes.ts';
import { routes as sepa } from './bank/sepa/routes.ts';
import { routes as bank } from './bank/statements/routes.ts';
import { routes as bankRules } from './bank/statements/rules.ts';
import { routes as recurring } from './contracts/recurring/routes.ts';
import { routes as automations } from './integrations/automations/routes.ts';
import { routes as plugins } from './integrations/plugins/routes.ts';
import { routes as webhooks } from './integrations/webhooks/routes.ts';
import { routes as accounting } from './ledger/accounting/routes.ts';
import { routes as assets } from './ledger/assets/routes.ts';
import { routes as budgets } from './ledger/budgets/routes.ts';
import { routes as deferrals } from './ledger/deferrals/routes.ts';
import { routes as exchange } from './ledger/exchange/routes.ts';
import { routes as loans } from './ledger/loans/routes.ts';
import { routes as periods } from './ledger/periods/routes.ts';
import { routes as taxReturns } from './ledger/tax-returns/routes.ts';
import { routes as verifactu } from './ledger/verifactu/records.ts';
import { routes as verifactuSending } from './ledger/verifactu/sending.ts';
import { routes as emails } from './messages/mail/routes.ts';
import { routes as notifications } from './messages/notifications/routes.ts';
import { unsubscribeRoutes } from './messages/notifications/unsubscribe.ts';
import { pushRoutes } from './messages/push/routes.ts';
import { routes as toDos } from './messages/to-dos/routes.ts';
import { routes as auditLogs } from './operation/audit/routes.ts';
import { withReadBack } from './pipeline/sent-back.ts';
import { routes as company } from './platform/settings/company.ts';
import { routes as config } from './platform/settings/routes.ts';
import { routes as companyUsage } from './platform/settings/usage.ts';
import { routes as tasks } from './platform/tasks/routes.ts';
import { withPreviews } from './previews/preview.ts';
import { routes as files } from './records/attachments/routes.ts';
import { routes as comments } from './records/comments/routes.ts';
import { routes as customFields } from './records/custom-fields/routes.ts';
import { routes as imports } from './records/imports/routes.ts';
import { routes as warehouses } from './records/master-data/bins.ts';
import { routes as charts } from './records/master-data/charts.ts';
import { routes as people } from './records/people/routes.ts';
import { routes as prices } from './records/prices/routes.ts';
import { routes as reports } from './reports/generation/routes.ts';
import { routes as dashboard } from './reports/overview/routes.ts';
import { routes as reportSchedules } from './reports/schedules/routes.ts';
import { resourceRoutes } from './resource.ts';
import type { Route } from './route.ts';
import { routes as incomeTax } from './staff/payroll/income-tax.ts';
import { routes as payPayrolls } from './staff/payroll/pay.ts';
import { routes as payslips } from './staff/payroll/payslips.ts';
import { routes as payroll } from './staff/payroll/routes.ts';
import { routes as time } from './staff/time/routes.ts';
import { routes as badDebts } from './trade/bad-debts/routes.ts';
import { routes as commissions } from './trade/commissions/routes.ts';
import { routes as customerLinks } from './trade/customers/routes.ts';
import { routes as fullInvoices } from './trade/documents/full-invoice.ts';
import { routes as documentLines } from './trade/documents/lines.ts';
import { routes as documents } from './trade/documents/routes.ts';
import { routes as dropShipments } from './trade/drop-shipments/routes.ts';
import { routes as dunning } from './trade/dunning/routes.ts';
import { routes as publicInvoices } from './trade/einvoice/face.ts';
import { routes as receivedInvoices } from './trade/einvoice/import.ts';
import { routes as electronicInvoices } from './trade/einvoice/routes.ts';
import { routes as landedCosts } from './trade/landed-costs/routes.ts';
import { routes as emailTemplates } from './trade/mail-templates/routes.ts';
import { routes as offsets } from './trade/payments/offsets.ts';
import { routes as openItems } from './trade/payments/open-items.ts';
import { routes as payments } from './trade/payments/routes.ts';
import { routes as quotations } from './trade/quotations/routes.ts';
import { routes as reorder } from './trade/reorder/routes.ts';
import { routes as searching } from './trade/search/routes.ts';
import { routes as stock } from './trade/stock/routes.ts';
import { transactionRoutes } from './trade/transactions/routes.ts';

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
  ...companyUsage,
  ...config,
  ...withPreviews([
    ...charts,
    ...RESOURCES.flatMap(resourceRoutes),
    ...accounting,
    ...taxReturns,
    ...verifactu,
    ...verifactuSending,
    ...people,
    ...incomeTax,
    ...payroll,
    ...payslips,
    ...payPayrolls,
    ...time,
    ...periods,
    ...budgets,
    ...warehouses,
    ...prices,
    ...stock,
    ...documentLines,
    ...electronicInvoices,
    ...publicInvoices,
    ...fullInvoices,
    ...receivedInvoices,
    ...documents,
    ...quotations,
    ...payments,
    ...offsets,
    ...commissions,
    ...dunning,
    ...deferrals,
    ...exchange,
    ...customerLinks,
    ...landedCosts,
    ...reorder,
    ...dropShipments,
    ...openItems,
    ...bank,
    ...bankRules,
    ...recurring,
    ...assets,
    ...loans,
    ...badDebts,
    ...sepa,
  ]),
  ...searching,
  ...customFields,
  ...auditLogs,
  ...comments,
  ...reports,
  ...reportSchedules,
  ...dashboard,
  ...imports,
  ...files,
  ...tasks,
  ...emails,
  ...emailTemplates,
  ...notifications,
  ...pushRoutes,
  ...unsubscribeRoutes,
  ...toDos,
  ...webhooks,
  ...plugins,
  ...automations,
]);

export const ROUTES: readonly Route[] = [...SINGLE, ...withPreviews(transactionRoutes(SINGLE))];
