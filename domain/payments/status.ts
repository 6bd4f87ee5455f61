/** Payment status is derived from applications, never set. */
import { DOCUMENT_STATUS, type DocumentStatus } from '../documents/types.ts';
import { type DecimalInput, decimal } from '../money.ts';
import type { LinkStatus } from './types.ts';

export const PAYMENT_STATUSES = ['pending', 'partial', 'paid', 'overpaid'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * @param total of the document; negative for a rectifying one, which is settled by negative amounts
 * @param applied sum of its applications
 */
export function paymentStatus(total: DecimalInput, applied: DecimalInput): PaymentStatus {
  const paid = decimal(applied);
  // A zero total is fully paid.
  if (decimal(total).eq(0)) return paid.eq(0) ? 'paid' : 'overpaid';
  if (paid.eq(0)) return 'pending';
  const rest = decimal(total).minus(paid);
  if (rest.eq(0)) return 'paid';
  // Whether the rest has the sign of the total.
  return rest.gt(0) === decimal(total).gt(0) ? 'partial' : 'overpaid';
}

/** The state of a posted invoice: closed once it is paid, open again when a payment is removed. */
export function invoiceStatus(status: PaymentStatus): DocumentStatus {
  return status === 'paid' || status === 'overpaid' ? DOCUMENT_STATUS.closed : DOCUMENT_STATUS.open;
}

export function linkStatus(amount: DecimalInput, applied: DecimalInput, links: number): LinkStatus {
  if (links === 0) return 'unlinked';
  return decimal(applied).gte(amount) ? 'linked' : 'partially_linked';
}
