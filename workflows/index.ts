/** Every workflow that the workers run; the entry point of the bundle. */

export { dueEntries } from './contracts/due-entries/due-entries.ts';
export { recurringDue } from './contracts/recurring/due.ts';
export { recurringRuns } from './contracts/recurring/runs.ts';
export { scheduledAutomation } from './integrations/automations/clock.ts';
export { automationRun } from './integrations/automations/run.ts';
export { webhookDelivery } from './integrations/webhooks/delivery.ts';
export { webhookRecovery } from './integrations/webhooks/recovery.ts';
export { depreciationRun } from './ledger/assets/run.ts';
export { exchangeRates } from './ledger/exchange/rates.ts';
export { taxAccruals } from './ledger/tax-returns/accruals.ts';
export { verifactuSubmission } from './ledger/verifactu/submission.ts';
export { emailDelivery } from './messages/mail/delivery.ts';
export { pushDelivery } from './messages/push/delivery.ts';
export { lifecycleComparison } from './operation/missing-work/lifecycles.ts';
export { maintenance } from './operation/pruning/pruning.ts';
export { storageMeasurement } from './operation/storage/measurement.ts';
export { scheduleComparison } from './platform/schedules/comparison.ts';
export { importFile } from './platform/tasks/import-file.ts';
export { dailySummaries } from './reports/daily-summary/summaries.ts';
export { reportGeneration } from './reports/generation/generation.ts';
export { scheduledReport } from './reports/schedules/scheduled-report.ts';
export { payrollGeneration, payslipMails } from './staff/payroll.ts';
export { documentLifecycle } from './trade/documents/lifecycle.ts';
export { documentPdf } from './trade/documents/pdf.ts';
export { faceSubmission } from './trade/einvoice/face-submission.ts';
export { paymentReconciliation } from './trade/payments/reconciliation.ts';
export { stockRevaluation } from './trade/stock/revaluation.ts';
