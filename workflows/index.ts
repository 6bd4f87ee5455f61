/** Every workflow that the workers run; the entry point of the bundle. */
export { documentLifecycle } from './documents/lifecycle.ts';
export { documentPdf } from './documents/pdf.ts';
export { importFile } from './imports/import-file.ts';
export { invitationMail } from './mail/invitation.ts';
export { lifecycleComparison } from './maintenance/lifecycles.ts';
export { paymentReconciliation } from './payments/reconciliation.ts';
export { maintenance } from './pruning/maintenance.ts';
export { stockRevaluation } from './stock/revaluation.ts';
export { webhookDelivery } from './webhooks/delivery.ts';
export { webhookRecovery } from './webhooks/recovery.ts';
