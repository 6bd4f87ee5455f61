/** Payments, and what they are applied to. */
import type { MatchingMode } from '../../domain/payments/types.ts';
import { day, exact, instant, json, optional, text, uuid } from './columns.ts';
import { table, versionedTable } from './table.ts';

export class Payment extends versionedTable('payments', {
  direction: text<'in' | 'out'>(),
  partnerId: uuid(),
  amount: exact(),
  /** Σ of the amounts applied. */
  appliedTotal: exact(),
  currency: text(),
  date: day(),
  periodId: uuid(),
  paymentMethod: text(),
  bankAccountId: optional(uuid()),
  reference: optional(text()),
  notes: optional(text()),
  createdBy: optional(uuid()),
  reconciliation: optional(text<'pending' | 'done'>()),
  /** How it is to be matched. */
  reconciliationRequest: optional(json<object>()),
  /** What came of the last matching: how, why not, and in words. */
  reconciliationMode: optional(text()),
  reconciliationReason: optional(text()),
  explanation: optional(text()),
}) {}

/** Part of a payment that pays a document. */
export class PaymentApplication extends table('payment_applications', {
  paymentId: uuid(),
  documentId: uuid(),
  /** The order or note that it was an advance on. */
  originDocumentId: optional(uuid()),
  date: day(),
  amount: exact(),
  withholding: exact(),
  discount: exact(),
  writeOff: exact(),
  settled: exact(),
  previousStatus: text(),
  newStatus: text(),
  matchedBy: optional(text<MatchingMode>()),
  runId: optional(uuid()),
  createdAt: instant(),
}) {}
