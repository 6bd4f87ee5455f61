/** Writes payments and their consequences for documents, with audit records and events, in one statement. */

import { Changes } from '../../../db/changes/changes.ts';
import type { DomainEvent, Entity } from '../../../db/changes/trail.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { JournalEntry } from '../../../db/models/ledger/accounting.ts';
import { Payment, PaymentApplication } from '../../../db/models/trade/payments.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type Decimal, decimal, roundedNumber, sum } from '../../../domain/money.ts';
import { DOCUMENT_PAID, RECONCILIATION_DUE } from '../../../domain/platform/internal-events.ts';
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { openAmounts } from '../../../domain/trade/payments/terms.ts';
import { debtName, invoiceStatus, OPEN_ITEM, paymentStatus } from '../../../domain/trade/payments/types.ts';
import { addEntry, addReversal, type EntryDay, type EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { documentEvent } from '../documents/events.ts';
import type { DocumentRow, LoadedDocument } from '../documents/stored.ts';
import { changeDocument, changedRow } from '../documents/write.ts';
import { addSettledItem, type Debt, isItem, type LoadedItem } from './debts.ts';
import { PAYMENT_AREA } from './facts.ts';
import { NamedAmounts } from './instalments.ts';
import { type LinkRow, type PaymentRow, paymentToJson } from './payment.ts';

/** A document whose settled amount changes. */
export interface PaidDocument {
  readonly document: Debt;
  /** Added to the settled amount; negative when a payment is removed. */
  readonly settled: Decimal;
  /** The same in the company's currency; null if that is the document's. */
  readonly companySettled: Decimal | null;
}

/** An entry to reverse, and the day of the reversal. */
export interface Reversal {
  readonly entry: JournalEntry;
  readonly on: EntryDay;
}

export interface PaymentWrite {
  readonly inserted?: readonly PaymentRow[];
  readonly changed?: readonly { readonly before: PaymentRow; readonly next: PaymentRow }[];
  readonly removed?: readonly PaymentRow[];
  /** New links, with their payments. */
  readonly links: readonly (LinkRow & { readonly paymentId: string })[];
  /** Links with changed amounts; payment and document stay. */
  readonly relinked?: readonly LinkRow[];
  /** Ids of removed links. */
  readonly unlinked?: readonly string[];
  readonly documents: readonly PaidDocument[];
  /** Periods that must stay open until the commit. */
  readonly periods: readonly string[];
  readonly events: readonly { readonly paymentId: string; readonly event: DomainEvent }[];
  /** Their ledger entries. */
  readonly entries?: readonly EntryToWrite[];
  /** Entries to reverse, and when. */
  readonly reversals?: readonly Reversal[];
  readonly runId?: string;
}

/** Writes payments with all consequences, in one statement. @throws ServiceError period_closed; ConcurrentChange */
export async function writePayments(trx: Db, ctx: Context, write: PaymentWrite): Promise<void> {
  const changes = new Changes(ctx);
  addPayments(changes, write);
  await changes.write(trx);
}

/** Adds payments and all their consequences to a change. */
export function addPayments(changes: Changes, write: PaymentWrite): void {
  const {
    inserted = [],
    changed = [],
    removed = [],
    relinked = [],
    unlinked = [],
    entries = [],
    reversals = [],
  } = write;
  const createdAt = changes.ctx.now.toISOString();
  changes.hold(PAYMENT_AREA, ...write.periods);
  for (const row of inserted) changes.audit(auditEntity(row), null, paymentToJson(row));
  for (const { before, next } of changed) {
    changes.audit(auditEntity(next), paymentToJson(before), paymentToJson(next));
  }
  for (const row of removed) changes.audit(auditEntity(row), paymentToJson(row), null);
  changes.insert(Payment, inserted);
  changes.update(
    Payment,
    changed.map(({ before, next }) => ({ before, after: next })),
  );
  changes.remove(Payment, removed);
  const links = write.links.map((link) => ({ ...storedLink(link), runId: write.runId ?? null, createdAt }));
  const old = new Map(changed.flatMap(({ before }) => before.links.map((link) => [link.id, link])));
  changes.insert(PaymentApplication, links);
  changes.update(
    PaymentApplication,
    relinked.map((link) => ({ before: old.get(link.id) ?? {}, after: link })),
  );
  changes.remove(
    PaymentApplication,
    unlinked.map((id) => ({ id })),
  );
  const named = new NamedAmounts();
  for (const link of [...links, ...relinked]) named.add(link, 1);
  for (const link of [...relinked.map(({ id }) => id), ...unlinked].flatMap((id) => old.get(id) ?? []))
    named.add(link, -1);
  for (const link of removed.flatMap((row) => row.links)) named.add(link, -1);
  for (const { document, settled, companySettled } of write.documents) {
    if (isItem(document)) addSettledItem(changes, document, settled, settlingPaymentId(document, write));
    else addSettled(changes, document, settled, { companySettled, named });
  }
  for (const entry of entries) addEntry(changes, entry);
  for (const { entry, on } of reversals) addReversal(changes, entry, on);
  // After the audit records of all that the payments settle: they tell what these events left.
  for (const { paymentId, event } of write.events) changes.emit({ type: Payment.entityType, id: paymentId }, event);
}

/** The payment that settles an item now; null when a settlement is reversed. */
function settlingPaymentId({ row }: LoadedItem, { links, changed = [] }: PaymentWrite): string | null {
  const link = links.find(({ documentId, settled }) => documentId === row.id && decimal(settled).gt(0));
  const standing = changed.find(
    ({ next }) => next.returnedBy === null && next.links.some((one) => one.documentId === row.id),
  );
  return link?.paymentId ?? standing?.next.id ?? null;
}

function storedLink<Link extends LinkRow>(link: Link) {
  const { docType, documentId } = link;
  const item = docType === OPEN_ITEM;
  return { ...link, documentId: item ? null : documentId, itemId: item ? documentId : null };
}

interface Settling {
  /** The settled amount in the company's currency; null if that is the document's. */
  readonly companySettled: Decimal | null;
  /** Amounts of instalments that are named. */
  readonly named: NamedAmounts;
}

/** Adds that more (or less) of a document is settled. @returns its head after that */
export function addSettled(
  changes: Changes,
  before: LoadedDocument,
  settled: Decimal,
  { companySettled = null, named = new NamedAmounts() }: Partial<Settling> = {},
): DocumentRow {
  const row = changedRow(changes.ctx, before.row, afterSettling(before.row, settled, companySettled));
  const { instalments } = before;
  const due = instalments.length === 0 ? instalments : openAfter(named.named(before), row.paidTotal);
  changeDocument(changes, before, { ...before, row, instalments: due }, ...paidEvents(before.row, row));
  return row;
}

/** Instalments with what is open of each once so much of the document is settled. */
function openAfter(instalments: LoadedDocument['instalments'], paidTotal: Decimal): LoadedDocument['instalments'] {
  const open = openAmounts(instalments, paidTotal);
  return instalments.map((one, index) => ({ ...one, outstanding: open[index] as Decimal }));
}

/** The amount that links settle of each document. */
export function settledAmounts(links: readonly LinkRow[]): Map<string, Decimal> {
  const settled = [...groupBy(links, ({ documentId }) => documentId)];
  return new Map(settled.map(([id, own]) => [id, sum(own.map((link) => link.settled)).toFixed()]));
}

/** Sums what links settle, by document. */
export function settledBy(links: readonly LinkRow[], documents: ReadonlyMap<string, Debt>): PaidDocument[] {
  return [...groupBy(links, ({ documentId }) => documentId)].flatMap(([id, own]) => {
    const document = documents.get(id);
    if (document === undefined) return [];
    const settled = sum(own.map((link) => link.settled)).toFixed();
    const inCompany = own.flatMap((link) => link.companySettled ?? []);
    return [{ document, settled, companySettled: inCompany.length === 0 ? null : sum(inCompany).toFixed() }];
  });
}

function auditEntity({ id }: PaymentRow): Entity {
  return { type: Payment.entityType, id };
}

/** Members of a head that change with the settled amount. Orders and notes keep their state, which follows delivery. */
function afterSettling(
  { docType, total, paidTotal: before, companyPaidTotal: company, status }: DocumentRow,
  settled: Decimal,
  companySettled: Decimal | null,
): Pick<DocumentRow, 'paidTotal' | 'companyPaidTotal' | 'paymentStatus' | 'status'> {
  const paidTotal = decimal(before).plus(settled).toFixed();
  const companyPaidTotal = company && sum([company, companySettled ?? '0']).toFixed();
  if (DOCUMENT_TYPES[docType].kind !== 'invoice') return { paidTotal, companyPaidTotal, paymentStatus: null, status };
  const state = paymentStatus(total, paidTotal);
  const stands = status !== DOCUMENT_STATUS.cancelled && status !== DOCUMENT_STATUS.draft;
  return { paidTotal, companyPaidTotal, paymentStatus: state, status: stands ? invoiceStatus(state) : status };
}

/** The request that registers a payment starts its matching itself; the relay does so if that failed. */
const OWN_START_MS = 5000;

/** payment.received or payment.made, and the start of its workflow if something is left to match. */
export function paymentEvents(payment: PaymentRow): DomainEvent[] {
  const money = (value: Decimal) => roundedNumber(value, payment.places);
  const linked = payment.links.map((link) => ({
    type: debtName(link.docType),
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

/** Events of a changed paid amount: document.updated, and document.paid when nothing is outstanding. */
function paidEvents(before: DocumentRow, next: DocumentRow): DomainEvent[] {
  const fields = ['paidTotal', 'outstanding'];
  if (before.paymentStatus !== next.paymentStatus) fields.push('paymentStatus');
  if (before.status !== next.status) fields.push('status');
  const updated = documentEvent('document.updated', next, { fields, previousStatus: before.status });
  const settled = (status: string | null) => status === 'paid' || status === 'overpaid';
  if (!settled(next.paymentStatus) || settled(before.paymentStatus)) return [updated];
  return [updated, { name: DOCUMENT_PAID, payload: { ...updated.payload, payment_status: next.paymentStatus } }];
}
