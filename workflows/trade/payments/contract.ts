/**
 * Contract of payment workflows between the API, the relay and the workers. Constants, types and start options only.
 */

import { taskPriority, type Work } from '../../platform/priorities/contract.ts';
import { searchAttributes } from '../../platform/search-attributes/contract.ts';
import { DOCUMENTS_QUEUE } from '../documents/contract.ts';

export const PAYMENT_RECONCILIATION = 'paymentReconciliation';

/** Reference to a payment. The matching options are stored with the payment. */
export interface PaymentRef {
  readonly tenantId: string;
  readonly paymentId: string;
}

/** The outcome of a matching. The applications themselves are in the database. */
export interface ReconciliationResult {
  readonly outcome: 'matched' | 'not_matched' | 'gone';
  readonly documentIds: readonly string[];
}

/** Workflow id for matching one payment, or all open ones as a task: `<tenant>/reconcile/<payment or task>`. */
export function reconciliationId(tenantId: string, id: string): string {
  return `${tenantId}/reconcile/${id}`;
}

/** Start options for matching one payment. */
export function reconciliationStart(payment: PaymentRef, work: Extract<Work, 'requestedMatching' | 'paymentMatching'>) {
  const { tenantId, paymentId } = payment;
  return {
    workflow: PAYMENT_RECONCILIATION,
    workflowId: reconciliationId(tenantId, paymentId),
    taskQueue: DOCUMENTS_QUEUE,
    args: [payment] as [PaymentRef],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Payment', entityId: paymentId }),
    priority: taskPriority(work, tenantId),
    staticSummary: `Matching of payment ${paymentId}`,
  };
}
