/**
 * Payments, their methods and directions, and the payment status of documents, which is derived from applications and
 * never set.
 */

import { type DecimalInput, decimal } from '../../money.ts';
import {
  DOC_TYPES,
  DOCUMENT_STATUS,
  DOCUMENT_TYPES,
  type DocType,
  type DocumentStatus,
  parseDocType,
} from '../documents/types.ts';

export const PAYMENT_METHODS = ['transfer', 'cash', 'card', 'cheque', 'effects', 'direct_debit', 'voucher'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** in: received; out: issued. */
export type PaymentDirection = 'in' | 'out';

/** Party that bears the bank's charge for a returned payment. */
export const FEE_BEARERS = ['company', 'partner'] as const;

/** Type code of open items, which payments settle in addition to documents. */
export const OPEN_ITEM = 'ITEM';
export type DebtType = DocType | typeof OPEN_ITEM;
/** Name of open items for clients. */
const ITEM_NAME = 'open_item';
/** Names used in links of payments: sales_invoice …, open_item. */
export const DEBT_NAMES: readonly string[] = [
  ...DOC_TYPES.filter(isPayable).map((code) => DOCUMENT_TYPES[code].name),
  ITEM_NAME,
];

export function debtName(type: DebtType): string {
  return type === OPEN_ITEM ? ITEM_NAME : DOCUMENT_TYPES[type].name;
}

/** Parses a type by code or name; undefined if it is neither, or nothing is paid of it. */
export function parseDebtType(text: string): DebtType | undefined {
  if (text === ITEM_NAME) return OPEN_ITEM;
  const docType = parseDocType(text);
  return docType !== undefined && isPayable(docType) ? docType : undefined;
}

/** Whether documents of a type can be paid, if only in advance: quotations cannot. */
export function isPayable(docType: DocType): boolean {
  return DOCUMENT_TYPES[docType].kind !== 'quotation';
}

/** Whether documents of the type are debts. Orders and notes are not: payments of them are advances. */
export function isOwed(type: DebtType): boolean {
  return type === OPEN_ITEM || DOCUMENT_TYPES[type].kind === 'invoice';
}

/** Kinds of payments; an offset moves no money, and its method is `offset`. */
export const PAYMENT_KINDS = ['in', 'out', 'offset'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];
export const SETTLED_BY = [...PAYMENT_METHODS, 'offset'] as const;
export type SettledBy = (typeof SETTLED_BY)[number];

export const RECONCILIATION_MODES = ['by_reference', 'by_amount', 'by_date', 'manual'] as const;
/** Modes of automatic matching; `auto_reconcile` at registration links only if the match is certain. */
export const MATCHING_MODES = ['by_reference', 'by_amount', 'by_date', 'auto_reconcile'] as const;
export type MatchingMode = (typeof MATCHING_MODES)[number];

/** A request for automatic matching, stored with its payment or task until it is done. */
export interface StoredRequest {
  readonly mode: MatchingMode;
  /** Range of invoice dates, inclusive. */
  readonly from?: string;
  readonly to?: string;
  readonly allow_combination?: boolean;
}

/** How far a payment has been applied. */
export const LINK_STATUSES = ['linked', 'partially_linked', 'unlinked'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** The direction of payments that settle documents of a type. */
export function paymentDirection(docType: DocType): PaymentDirection {
  return DOCUMENT_TYPES[docType].side === 'sales' ? 'in' : 'out';
}

/** The documents that a payment can be applied to. */
export function payableTypes(direction: PaymentDirection): DocType[] {
  return DOC_TYPES.filter((code) => isPayable(code) && paymentDirection(code) === direction);
}

/** Type of the invoices that the other side issues; a negative total can be paid too, by refunding the credit. */
export function refundedType(direction: PaymentDirection): 'SINV' | 'PINV' {
  return direction === 'in' ? 'PINV' : 'SINV';
}

/** The invoice type that matching considers. */
export function invoiceType(direction: PaymentDirection): 'SINV' | 'PINV' {
  return direction === 'in' ? 'SINV' : 'PINV';
}

export const PAYMENT_STATUSES = ['pending', 'partial', 'paid', 'overpaid'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * Derives the payment status of a document.
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
  // The remainder has the sign of the total unless it is overpaid.
  return rest.gt(0) === decimal(total).gt(0) ? 'partial' : 'overpaid';
}

/** The status of a posted invoice: closed once it is paid, open again when a payment is removed. */
export function invoiceStatus(status: PaymentStatus): DocumentStatus {
  return status === 'paid' || status === 'overpaid' ? DOCUMENT_STATUS.closed : DOCUMENT_STATUS.open;
}

export function linkStatus(amount: DecimalInput, applied: DecimalInput, links: number): LinkStatus {
  if (links === 0) return 'unlinked';
  return decimal(applied).gte(amount) ? 'linked' : 'partially_linked';
}
