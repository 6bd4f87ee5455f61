/** Every workflow that the workers run; the entry point of the bundle. */

export { scheduledAutomation } from './automation-schedules/run.ts';
export { automationRun } from './automations/run.ts';
export { dailySummaries } from './daily-summaries/summaries.ts';
export { documentLifecycle } from './documents/lifecycle.ts';
export { documentPdf } from './documents/pdf.ts';
export { emailDelivery } from './mail/delivery.ts';
export { invitationMail } from './mail/invitation.ts';
export { lifecycleComparison } from './maintenance/lifecycles.ts';
export { maintenance } from './maintenance/pruning.ts';
export { paymentReconciliation } from './payments/reconciliation.ts';
export { payrollGeneration } from './payroll/generation.ts';
export { payslipMails } from './payroll/payslips.ts';
export { pushDelivery } from './push/delivery.ts';
export { scheduledReport } from './report-schedules/scheduled-report.ts';
export { reportGeneration } from './reports/generation.ts';
export { reportScheduleComparison, scheduleComparison } from './schedules/comparison.ts';
export { stockRevaluation } from './stock/revaluation.ts';
export { importFile } from './tasks/import-file.ts';
export { webhookDelivery } from './webhooks/delivery.ts';
export { webhookRecovery } from './webhooks/recovery.ts';
