/** Payments, their methods and sides (specification, "PaymentIn and PaymentOut"). */
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../documents/types.ts';

export const PAYMENT_METHODS = ['transfer', 'cash', 'card', 'cheque', 'effects', 'direct_debit', 'voucher'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** in: received; out: issued. */
export type PaymentDirection = 'in' | 'out';

/** Besides payments there is what was set off without money: its method is `offset`. */
export const PAYMENT_KINDS = ['in', 'out', 'offset'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];
export const SETTLED_BY = [...PAYMENT_METHODS, 'offset'] as const;

export const RECONCILIATION_MODES = ['by_reference', 'by_amount', 'by_date', 'manual'] as const;
/** What is done without a person: the modes, and `auto_reconcile` of a registration, which links only what leaves no doubt. */
export const MATCHING_MODES = ['by_reference', 'by_amount', 'by_date', 'auto_reconcile'] as const;
export type MatchingMode = (typeof MATCHING_MODES)[number];

/** How much of a payment's own money is applied. */
export const LINK_STATUSES = ['linked', 'partially_linked', 'unlinked'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** Which payments settle documents of a type. */
export function paidBy(docType: DocType): PaymentDirection {
  return DOCUMENT_TYPES[docType].side === 'sales' ? 'in' : 'out';
}

/** The documents that a payment can be applied to. */
export function payableTypes(direction: PaymentDirection): DocType[] {
  return DOC_TYPES.filter((code) => paidBy(code) === direction);
}

/** Invoices of the other side, of which those with a negative total can be paid too: what is credited is paid back. */
export function refundedType(direction: PaymentDirection): 'SINV' | 'PINV' {
  return direction === 'in' ? 'PINV' : 'SINV';
}

/** What customers and suppliers are matched with. */
export function invoiceType(direction: PaymentDirection): 'SINV' | 'PINV' {
  return direction === 'in' ? 'SINV' : 'PINV';
}
