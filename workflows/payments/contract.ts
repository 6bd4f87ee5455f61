/** What API, relay and workers must agree on about payments. Only constants and types. */

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
