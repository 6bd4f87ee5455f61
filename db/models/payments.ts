/** Payments, and what they are applied to. */
import type { UnmatchedReason } from '../../domain/payments/match.ts';
import type {
  MatchingMode,
  PaymentDirection,
  PaymentStatus,
  SettledBy,
  StoredRequest,
} from '../../domain/payments/types.ts';
import { day, exact, flag, instant, integer, json, optional, text, uuid } from './columns.ts';
import { table, versionedTable } from './table.ts';

export class Payment extends versionedTable('payments', {
  direction: text<PaymentDirection>(),
  partnerId: uuid(),
  amount: exact(),
  /** Σ of the amounts applied. */
  appliedTotal: exact(),
  currency: text(),
  date: day(),
  periodId: uuid(),
  paymentMethod: text<SettledBy>(),
  bankAccountId: optional(uuid()),
  reference: optional(text()),
  notes: optional(text()),
  createdBy: optional(uuid()),
  /** The payment that came back with this one. */
  returns: optional(uuid()),
  /** Of a return: what the bank charged besides the amount. */
  fees: exact(),
  feesBorneBy: optional(text<'company' | 'partner'>()),
  reconciliation: optional(text<'pending' | 'done'>()),
  /** How it is to be matched. */
  reconciliationRequest: optional(json<StoredRequest>()),
  /** What came of the last matching: how, why not, and in words. */
  reconciliationMode: optional(text<MatchingMode>()),
  reconciliationReason: optional(text<UnmatchedReason>()),
  explanation: optional(text()),
}) {}

/** Part of a payment, or a line of an entry, that settles a document or an open item. */
export class PaymentApplication extends table('payment_applications', {
  paymentId: optional(uuid()),
  documentId: optional(uuid()),
  itemId: optional(uuid()),
  /** With its line, where no payment settles. */
  entryId: optional(uuid()),
  lineNumber: optional(integer()),
  /** The order or note that it was an advance on. */
  originDocumentId: optional(uuid()),
  /** Number of the instalment that it names; otherwise the earliest are paid first. */
  instalment: optional(integer()),
  date: day(),
  amount: exact(),
  withholding: exact(),
  discount: exact(),
  /** Whether its discount leaves the tax withheld on the invoice as it was. */
  keepWithholding: flag(),
  writeOff: exact(),
  settled: exact(),
  previousStatus: text<PaymentStatus>(),
  newStatus: text<PaymentStatus>(),
  matchedBy: optional(text<MatchingMode>()),
  runId: optional(uuid()),
  createdAt: instant(),
}) {}

/** What a line of an entry leaves open with a partner. */
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
  /** Below zero for credits. */
  total: exact(),
  paidTotal: exact(),
}) {
  static override entityType = 'OpenItem';
}
