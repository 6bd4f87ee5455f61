/** Open invoices that payments may be for, read for many payments at once; indexes serve each mode. */
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';
import { MAX_CANDIDATES, type MatchRequest, type OpenInvoice, referenceKey } from '../../domain/payments/match.ts';
import { invoiceType, type PaymentDirection } from '../../domain/payments/types.ts';
import { type PaymentRow, remainingOf } from './payment.ts';

/** Of one partner, the oldest first: more than a page of payments reaches. */
const PER_PARTNER = 2000;
/** Of several that fit equally well. */
const NAMED = 20;

/**
 * The open invoices of the partners are read once for all payments, and joined by what is compared: an index by reference would not
 * be used, since row-level security comes before functions such as `lower`.
 */
const OPEN = `wanted as materialized (
    select * from json_to_recordset(:wanted::json) as w(key text, partner uuid, currency text, reference text, remaining numeric)
  ), open as materialized (
    select d.id, d.code, d.reference, d.supplier_reference as "supplierReference", d.date, d.total - d.paid_total as outstanding,
      d.partner_id as partner, d.currency
    from documents d
    where d.partner_id in (select partner from wanted) and d.doc_type = :docType and d.status = 'O' and d.total > d.paid_total
      and (:from::date is null or d.date >= :from::date) and (:to::date is null or d.date <= :to::date)
  )`;
const SAME = 'o.partner = w.partner and o.currency = w.currency';

function byKey(key: string): string {
  return `select w.key, o.* from wanted w join open o on ${SAME} and ${key} = w.reference where w.reference <> ''`;
}

/** The invoices for each of `wanted`: a payment, by date a partner. */
const BY_MODE = {
  by_reference: `${byKey('lower(btrim(o.reference))')} union ${byKey('lower(btrim(o."supplierReference"))')} union ${byKey('lower(o.code)')}`,
  // One is enough to match, two are to refuse; some more only to name them.
  by_amount: `select w.key, o.* from wanted w cross join lateral (select * from open o where ${SAME} and o.outstanding = w.remaining limit ${NAMED}) o`,
  by_combination: `select w.key, o.* from wanted w cross join lateral (select * from open o where ${SAME} and o.outstanding <= w.remaining
    order by (o.outstanding = w.remaining) desc, o.date, o.id limit ${MAX_CANDIDATES}) o`,
  by_date: `select w.key, o.* from wanted w cross join lateral (select * from open o where ${SAME} order by o.date, o.id limit ${PER_PARTNER}) o`,
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
    `with ${OPEN}, found as (${BY_MODE[mode]})
     select key, json_agg(json_build_object('id', id, 'code', code, 'reference', reference, 'supplierReference', "supplierReference", 'date', date,
       'outstanding', outstanding::text) order by date, id) as found
     from (select *, row_number() over (partition by key order by date, id) as place from found) f
     where place <= ${PER_PARTNER} group by key`,
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
