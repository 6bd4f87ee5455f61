/** Open invoices that payments may be for, read for many payments at once; indexes serve each mode. */
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';
import { MAX_CANDIDATES, type MatchRequest, type OpenInvoice, referenceKey } from '../../domain/payments/match.ts';
import { invoiceType, type PaymentDirection } from '../../domain/payments/types.ts';
import { type PaymentRow, remainingOf } from './payment.ts';

/** Of one partner, the oldest first: more than a page of payments reaches. */
const PER_PARTNER = 2000;

const OPEN = `d.partner_id = w.partner and d.doc_type = :docType and d.status = 'O' and d.total > d.paid_total and d.currency = w.currency
  and (:from::date is null or d.date >= :from::date) and (:to::date is null or d.date <= :to::date)`;
const FOUND = `d.id, d.code, d.reference, d.supplier_reference as "supplierReference", d.date, (d.total - d.paid_total)::text as outstanding`;
const EXACT = 'd.total - d.paid_total = w.remaining';

/** The invoices for `w`: a payment, by date a partner. */
const BY_MODE = {
  by_reference: `select ${FOUND} from documents d
    where ${OPEN} and w.reference <> '' and (lower(btrim(d.reference)) = w.reference or lower(btrim(d.supplier_reference)) = w.reference
      or lower(d.code) = w.reference) order by d.date, d.id limit ${MAX_CANDIDATES}`,
  by_amount: `select ${FOUND} from documents d where ${OPEN} and ${EXACT} order by d.date, d.id limit ${MAX_CANDIDATES}`,
  by_combination: `select ${FOUND} from documents d where ${OPEN} and d.total - d.paid_total <= w.remaining
    order by (${EXACT}) desc, d.date, d.id limit ${MAX_CANDIDATES}`,
  by_date: `select ${FOUND} from documents d where ${OPEN} order by d.date, d.id limit ${PER_PARTNER}`,
} as const;

/** By payment id; payments without any are absent. */
export async function openInvoices(
  db: Db,
  direction: PaymentDirection,
  payments: readonly PaymentRow[],
  request: MatchRequest,
): Promise<Map<string, readonly OpenInvoice[]>> {
  const mode = request.mode === 'by_amount' && request.allowCombination === true ? 'by_combination' : request.mode;
  const keyOf = ({ id, partner, currency }: PaymentRow) => (mode === 'by_date' ? `${partner.id} ${currency}` : id);
  const wanted = new Map(
    payments.map((payment) => [
      keyOf(payment),
      {
        key: keyOf(payment),
        partner: payment.partner.id,
        currency: payment.currency,
        reference: referenceKey(payment.reference),
        remaining: remainingOf(payment),
      },
    ]),
  );
  const rows = await prepared<{ key: string; found: OpenInvoice[] }>(
    db,
    `select w.key, json_agg(d) as found
     from json_to_recordset(:wanted::json) as w(key text, partner uuid, currency text, reference text, remaining numeric)
     cross join lateral (${BY_MODE[mode]}) d group by w.key`,
    {
      wanted: JSON.stringify([...wanted.values()]),
      docType: invoiceType(direction),
      from: request.from ?? null,
      to: request.to ?? null,
    },
  );
  const found = new Map(rows.map((row) => [row.key, row.found]));
  return new Map(payments.map((payment) => [payment.id, found.get(keyOf(payment)) ?? []]));
}
