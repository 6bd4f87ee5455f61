/** What API, relay and workers must agree on about payments. Constants, types, and how a matching is started. */
import { DOCUMENTS_QUEUE } from '../documents/contract.ts';
import { priorityOf, type Work } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';

export const PAYMENT_RECONCILIATION = 'paymentReconciliation';

/** Ids only: how it is matched stands with the payment. */
export interface PaymentRef {
  readonly tenantId: string;
  readonly paymentId: string;
}

/** What came of it; the applications themselves are in the database. */
export interface ReconciliationResult {
  readonly outcome: 'matched' | 'not_matched' | 'gone';
  readonly documentIds: readonly string[];
}

/** The matching of one payment, or of all that are open as a task: `<tenant>/reconcile/<payment or task>`. */
export function reconciliationId(tenantId: string, id: string): string {
  return `${tenantId}/reconcile/${id}`;
}

/** With what the matching of one payment is started, by whomever. */
export function reconciliationStart(payment: PaymentRef, work: Extract<Work, 'matchingAskedFor' | 'paymentMatching'>) {
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
