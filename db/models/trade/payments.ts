/** Payments and their applications. */
import type { UnmatchedReason } from '../../../domain/trade/payments/match.ts';
import type {
  MatchingMode,
  PaymentDirection,
  PaymentStatus,
  SettledBy,
  StoredRequest,
} from '../../../domain/trade/payments/types.ts';
import { day, exact, flag, instant, integer, json, optional, text, uuid } from '../columns.ts';
import { table, versionedTable } from '../table.ts';

export class Payment extends versionedTable('payments', {
  direction: text<PaymentDirection>(),
  partnerId: uuid(),
  amount: exact(),
  /** Sum of the applied amounts. */
  appliedTotal: exact(),
  currency: text(),
  /** Units of it for one of the company's currency; null if that is the company's. */
  exchangeRate: optional(exact()),
  /** The amount in the company's currency; null if that is the payment's. */
  companyAmount: optional(exact()),
  date: day(),
  periodId: uuid(),
  paymentMethod: text<SettledBy>(),
  bankAccountId: optional(uuid()),
  reference: optional(text()),
  notes: optional(text()),
  createdBy: optional(uuid()),
  /** The payment that this one returns. */
  returns: optional(uuid()),
  /** For a return: the bank's charge, in addition to the amount. */
  fees: exact(),
  feesBorneBy: optional(text<'company' | 'partner'>()),
  reconciliation: optional(text<'pending' | 'done'>()),
  /** The requested matching. */
  reconciliationRequest: optional(json<StoredRequest>()),
  /** Outcome of the last matching: mode, reason code if unmatched, and explanation. */
  reconciliationMode: optional(text<MatchingMode>()),
  reconciliationReason: optional(text<UnmatchedReason>()),
  explanation: optional(text()),
}) {
  static override entityType = 'Payment';
  static override access = 'payments:read' as const;
}

/** Part of a payment, or a line of an entry, that settles a document or an open item. */
export class PaymentApplication extends table('payment_applications', {
  paymentId: optional(uuid()),
  documentId: optional(uuid()),
  itemId: optional(uuid()),
  /** Entry and line number, if an entry settles instead of a payment. */
  entryId: optional(uuid()),
  lineNumber: optional(integer()),
  /** The order or note that it was originally an advance on. */
  originDocumentId: optional(uuid()),
  /** Number of the instalment that it names; null settles the earliest first. */
  instalment: optional(integer()),
  date: day(),
  amount: exact(),
  withholding: exact(),
  discount: exact(),
  /** Whether the withholding tax on the invoice stays unchanged despite the discount. */
  keepWithholding: flag(),
  writeOff: exact(),
  settled: exact(),
  /** Value of the amount at the rate of the payment; null in the company's currency. */
  companyAmount: optional(exact()),
  /** Value of what is settled at the rate of the document, likewise. */
  companySettled: optional(exact()),
  previousStatus: text<PaymentStatus>(),
  newStatus: text<PaymentStatus>(),
  matchedBy: optional(text<MatchingMode>()),
  runId: optional(uuid()),
  createdAt: instant(),
}) {}

/** An amount that a line of an entry leaves open with a partner. */
export class OpenItem extends versionedTable('open_items', {
  entryId: uuid(),
  lineNumber: integer(),
  partnerId: uuid(),
  accountId: uuid(),
  direction: text<PaymentDirection>(),
  code: text(),
  reference: optional(text()),
  date: day(),
  dueDate: day(),
  currency: text(),
  /** Negative for credits. */
  total: exact(),
  paidTotal: exact(),
}) {
  static override entityType = 'OpenItem';
  static override access = 'payments:read' as const;
}
