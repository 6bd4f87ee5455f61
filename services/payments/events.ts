/** What happened to a payment and to what it paid, as the outbox carries it (specification, section Events). */
import type { DomainEvent } from '../../db/changes/trail.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { DOCUMENT_PAID, RECONCILIATION_DUE } from '../../domain/internal-events.ts';
import { type Decimal, round, toNumber } from '../../domain/money.ts';
import { documentEvent } from '../documents/events.ts';
import type { DocumentRow } from '../documents/stored.ts';
import type { PaymentRow } from './payment.ts';

/** The request that registers a payment starts its matching itself; the relay does where it could not. */
const OWN_START_MS = 5000;

/** payment.received or payment.made, and the start of its workflow when something is left for it. */
export function paymentEvents(payment: PaymentRow): DomainEvent[] {
  const money = (value: Decimal) => toNumber(round(value, payment.places));
  const linked = payment.links.map((link) => ({
    type: DOCUMENT_TYPES[link.docType].name,
    id: link.documentId,
    new_status: link.newStatus,
    amount_applied: money(link.amount),
  }));
  const { type, id, new_status } = linked[0] ?? {};
  const registered: DomainEvent = {
    name: payment.direction === 'in' ? 'payment.received' : 'payment.made',
    payload: {
      payment_id: payment.id,
      partner_id: payment.partner.id,
      partner_name: payment.partner.name,
      amount: money(payment.amount),
      currency: payment.currency,
      payment_date: payment.date,
      payment_method: payment.paymentMethod,
      reference: payment.reference,
      linked_document: linked.length === 0 ? null : { type, id, new_status },
      linked_documents: linked,
      created_by: payment.createdBy,
    },
  };
  return payment.reconciliation === 'pending'
    ? [registered, { name: RECONCILIATION_DUE, payload: { payment_id: payment.id }, heldBackMs: OWN_START_MS }]
    : [registered];
}

/** What a change of the paid amount tells: document.updated, and document.paid when nothing is left to pay. */
export function paidEvents(before: DocumentRow, next: DocumentRow): DomainEvent[] {
  const fields = ['paidTotal', 'outstanding'];
  if (before.paymentStatus !== next.paymentStatus) fields.push('paymentStatus');
  if (before.status !== next.status) fields.push('status');
  const updated = documentEvent('document.updated', next, { fields, previousStatus: before.status });
  const settled = (status: string | null) => status === 'paid' || status === 'overpaid';
  if (!settled(next.paymentStatus) || settled(before.paymentStatus)) return [updated];
  return [updated, { name: DOCUMENT_PAID, payload: { ...updated.payload, payment_status: next.paymentStatus } }];
}
