/** The contract of payments between API, relay and workers. Constants, types and start options only. */
import { DOCUMENTS_QUEUE } from '../documents/contract.ts';
import { priorityOf, type Work } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';

export const PAYMENT_RECONCILIATION = 'paymentReconciliation';

/** Ids only: how it is matched is stored with the payment. */
export interface PaymentRef {
  readonly tenantId: string;
  readonly paymentId: string;
}

/** The outcome; the applications themselves are in the database. */
export interface ReconciliationResult {
  readonly outcome: 'matched' | 'not_matched' | 'gone';
  readonly documentIds: readonly string[];
}

/** The matching of one payment, or of all open ones as a task: `<tenant>/reconcile/<payment or task>`. */
export function reconciliationId(tenantId: string, id: string): string {
  return `${tenantId}/reconcile/${id}`;
}

/** Start options of the matching of one payment. */
export function reconciliationStart(payment: PaymentRef, work: Extract<Work, 'requestedMatching' | 'paymentMatching'>) {
  const { tenantId, paymentId } = payment;
  return {
    workflow: PAYMENT_RECONCILIATION,
    workflowId: reconciliationId(tenantId, paymentId),
    taskQueue: DOCUMENTS_QUEUE,
    args: [payment] as [PaymentRef],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Payment', entityId: paymentId }),
    priority: priorityOf(work, tenantId),
    staticSummary: `Matching of payment ${paymentId}`,
  };
}
