/** A payment with its applications: as it is stored, and as clients and the audit log see it. */
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { notFound } from '../../domain/errors.ts';
import { type Decimal, decimal, round, toNumber } from '../../domain/money.ts';
import type { MatchOutcome } from '../../domain/payments/match.ts';
import { linkStatus, type PaymentStatus } from '../../domain/payments/status.ts';
import type { MatchingMode, PaymentDirection, PaymentKind, PaymentMethod } from '../../domain/payments/types.ts';
import { PLACES } from '../settings/format.ts';
import type { StoredRequest } from './request.ts';

/** One application to one document. */
export interface LinkRow {
  readonly id: string;
  readonly documentId: string;
  readonly docType: DocType;
  readonly documentCode: string | null;
  readonly originDocumentId: string | null;
  readonly date: string;
  readonly amount: Decimal;
  readonly withholding: Decimal;
  readonly discount: Decimal;
  readonly writeOff: Decimal;
  readonly settled: Decimal;
  readonly previousStatus: PaymentStatus;
  readonly newStatus: PaymentStatus;
  readonly matchedBy: MatchingMode | null;
}

export interface PaymentRow {
  readonly id: string;
  readonly direction: PaymentDirection;
  readonly partner: { readonly id: string; readonly code: string; readonly name: string };
  readonly amount: Decimal;
  /** Σ of the amounts applied. */
  readonly appliedTotal: Decimal;
  readonly currency: string;
  readonly date: string;
  readonly periodId: string;
  readonly method: PaymentMethod | 'offset';
  readonly bankAccountId: string | null;
  readonly reference: string | null;
  readonly notes: string | null;
  readonly createdBy: string | null;
  readonly reconciliation: 'pending' | 'done' | null;
  readonly request: StoredRequest | null;
  /** What came of the last matching; null where there was none, or people have changed since what it applied. */
  readonly outcome: MatchOutcome | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Decimals of amounts. */
  readonly places: number;
  readonly links: readonly LinkRow[];
}

const LINKS_JSON = `(select coalesce(json_agg(json_build_object(
    'id', a.id, 'documentId', a.document_id, 'docType', d.doc_type, 'documentCode', d.code, 'originDocumentId', a.origin_document_id, 'date', a.date,
    'amount', a.amount::text, 'withholding', a.withholding::text, 'discount', a.discount::text, 'writeOff', a.write_off::text,
    'settled', a.settled::text, 'previousStatus', a.previous_status, 'newStatus', a.new_status, 'matchedBy', a.matched_by
  ) order by a.seq), '[]') from payment_applications a join documents d on d.id = a.document_id where a.payment_id = p.id)`;

/** The columns of a payment under the names of `PaymentRow`; exact numbers as text. */
export const PAYMENT_JSON = `json_build_object(
  'id', p.id, 'direction', p.direction, 'partner', json_build_object('id', partner.id, 'code', partner.code, 'name', partner.name),
  'amount', p.amount::text, 'appliedTotal', p.applied_total::text, 'currency', p.currency, 'date', p.date, 'periodId', p.period_id,
  'method', p.payment_method, 'bankAccountId', p.bank_account_id, 'reference', p.reference, 'notes', p.notes, 'createdBy', p.created_by,
  'reconciliation', p.reconciliation, 'request', p.reconciliation_request, 'version', p.version,
  'outcome', case when p.explanation is not null then
    json_build_object('mode', p.reconciliation_mode, 'reason', p.reconciliation_reason, 'explanation', p.explanation) end,
  'createdAt', p.created_at, 'updatedAt', p.updated_at,
  'places', ${PLACES}, 'links', ${LINKS_JSON})`;

/** Where payments come from; `p` is the payment. */
export const PAYMENT_FROM = 'payments p join partners partner on partner.id = p.partner_id';

const BY_ID = `select ${PAYMENT_JSON} as payment from ${PAYMENT_FROM} where p.id = any(:ids::uuid[]) order by p.id`;

/** Payments by id; those that do not exist are left out. */
export async function loadPayments(db: Db, ids: readonly string[]): Promise<PaymentRow[]> {
  const rows = await prepared<{ payment: PaymentRow }>(db, BY_ID, { ids: [...ids] });
  return rows.map(({ payment }) => withInstants(payment));
}

/** The same, locked until the end of the transaction. */
export async function lockPayments(trx: Db, ids: readonly string[]): Promise<PaymentRow[]> {
  await prepared(trx, 'select id from payments where id = any(:ids::uuid[]) order by id for update', { ids: [...ids] });
  return loadPayments(trx, ids);
}

/** @throws ServiceError not_found, also for one of another kind */
export function onlyPayment(rows: readonly PaymentRow[], kind: PaymentKind): PaymentRow {
  const [row] = rows;
  if (row === undefined || kind !== (row.method === 'offset' ? 'offset' : row.direction))
    throw notFound(kind === 'offset' ? 'The offset' : 'The payment');
  return row;
}

export function withInstants(row: PaymentRow): PaymentRow {
  const instant = (value: string) => new Date(value).toISOString();
  return { ...row, createdAt: instant(row.createdAt), updatedAt: instant(row.updatedAt) };
}

/** What is not applied yet. */
export function remainingOf({ amount, appliedTotal }: Pick<PaymentRow, 'amount' | 'appliedTotal'>): Decimal {
  return decimal(amount).minus(appliedTotal).toFixed();
}

/** `pending` until the workflow has matched it; then what came of it, or of a later matching. */
function matchingToJson({ amount, appliedTotal, links, reconciliation, outcome }: PaymentRow) {
  if (reconciliation === 'pending') return { reconciliation: 'pending' as const };
  if (outcome === null) return {};
  const { mode, reason, explanation: message } = outcome;
  const matched = links.filter(({ matchedBy }) => matchedBy !== null).length;
  return { reconciliation: { mode, status: linkStatus(amount, appliedTotal, matched), reason, message } };
}

/** A payment as clients see it; what was set off without money is shown otherwise. */
export function paymentAnswer(row: PaymentRow) {
  const { method: payment_method } = row;
  if (payment_method === 'offset') throw new Error('an offset is no payment of money');
  return { ...paymentToJson(row), payment_method };
}

/** A payment or an offset, as the audit log keeps it. */
export function paymentToJson(row: PaymentRow) {
  const money = (value: Decimal) => toNumber(round(value, row.places));
  return {
    id: row.id,
    partner_id: row.partner.id,
    partner_name: row.partner.name,
    amount: money(row.amount),
    currency: row.currency,
    payment_date: row.date,
    payment_method: row.method,
    bank_account_id: row.bankAccountId,
    reference: row.reference,
    notes: row.notes,
    status: linkStatus(row.amount, row.appliedTotal, row.links.length),
    ...matchingToJson(row),
    amount_applied: money(row.appliedTotal),
    credit: money(remainingOf(row)),
    linked_documents: row.links.map((link) => ({
      id: link.id,
      document_type: DOCUMENT_TYPES[link.docType].name,
      document_id: link.documentId,
      document_code: link.documentCode,
      date: link.date,
      amount_applied: money(link.amount),
      withholding: money(link.withholding),
      discount: money(link.discount),
      write_off: money(link.writeOff),
      previous_status: link.previousStatus,
      new_status: link.newStatus,
      advance_on: link.originDocumentId,
      matched_by: link.matchedBy,
    })),
    created_by: row.createdBy,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    version: row.version,
  };
}
