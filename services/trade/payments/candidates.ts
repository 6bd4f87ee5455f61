/** Open invoices and open items that payments may be for, loaded for many payments at once; each mode has an index. */
import type { Db } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { prepared } from '../../../db/sql.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { MAX_CANDIDATES, type MatchRequest, type OpenInvoice } from '../../../domain/trade/payments/match.ts';
import { invoiceType, type MatchingMode, type PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { type PaymentRow, unappliedAmount } from './payment.ts';

/** The most invoices of one partner, or with one reference, oldest first: more than a page of payments reaches. */
const PER_KEY = 2000;
/** The most invoices of one amount: one is enough to match, two to refuse; a few more only to name them. */
const NAMED = 20;
const REFERENCE_KEYS = ['reference_key', 'supplier_key', 'code_key'];
/** Key columns of open items. */
const ITEM_KEYS = ['reference_key', 'code_key'];

export type Way = MatchingMode | 'by_combination';

const INVOICE = `d.id, d.code, d.reference, d.supplier_reference, d.date, d.total - d.paid_total as outstanding,
  case when d.payment_terms_id is null then null else (select jsonb_agg(jsonb_build_object('number', i.number, 'outstanding',
    i.outstanding::text) order by i.number) from document_instalments i where i.document_id = d.id and i.outstanding_key > 0) end
    as instalments`;
const ITEM =
  'd.id, d.code, d.reference, null::text as supplier_reference, d.date, d.total - d.paid_total as outstanding, null::jsonb as instalments';

/**
 * The statement of one way to match. Key columns of documents are compared with precomputed values: a function in the
 * comparison would be kept behind row-level security, and no index be used. The type is a literal, since partial indexes need it.
 */
export function matchingStatement(way: Way, direction: PaymentDirection): string {
  const invoices = (fits: string, from = 'documents d') => `select ${INVOICE} from ${from}
    where d.partner_id = w.partner and d.currency = w.currency and d.doc_type = '${invoiceType(direction)}' and d.status = ${STATE.open}
      and d.outstanding_key > 0
      and (:from::date is null or d.date >= :from::date) and (:to::date is null or d.date <= :to::date) ${fits}`;
  const items = (fits: string) => `select ${ITEM} from open_items d
    where d.partner_id = w.partner and d.currency = w.currency and d.direction = '${direction}' and d.total <> d.paid_total
      and d.outstanding_key > 0
      and (:from::date is null or d.date >= :from::date) and (:to::date is null or d.date <= :to::date) ${fits}`;
  const open = (fits: string) => `(${invoices(fits)}) union all (${items(fits)})`;
  const byReference = [
    ...REFERENCE_KEYS.map((key) => invoices(`and d.${key} = w.reference`)),
    ...ITEM_KEYS.map((key) => items(`and d.${key} = w.reference`)),
  ];
  const first = `order by d.date, d.id limit ${NAMED}`;
  const inParts = invoices(
    `and i.partner_id = w.partner and i.outstanding_key = w.remaining and i.outstanding_key > 0
      and d.outstanding_key <> w.remaining ${first}`,
    'document_instalments i join documents d on d.id = i.document_id',
  );
  const ofAmount = `${open(`and d.outstanding_key = w.remaining ${first}`)} union (${inParts})`;
  const fitting: Readonly<Record<Way, string>> = {
    by_reference: `select * from (${byReference.join(' union ')}) u
      order by date, id limit ${PER_KEY}`,
    // Those with the amount first: the others only explain why none matches.
    auto_reconcile: open(
      `and d.reference_key = w.reference order by d.outstanding_key = w.remaining desc, d.date, d.id limit ${NAMED}`,
    ),
    // Also an instalment of that amount.
    by_amount: ofAmount,
    // Fetches nothing when there are more than can be combined. Single matches are found anyway.
    by_combination: `(select exact.*, false as many
      from (${ofAmount}) exact)
      union all (select smaller.*, count(*) over () >= ${MAX_CANDIDATES} as many
        from (${open(`and d.outstanding_key < w.remaining order by d.outstanding_key, d.date, d.id limit ${MAX_CANDIDATES}`)}) smaller)`,
    // Not more than the payments reach.
    by_date: `select id, code, reference, supplier_reference, date, outstanding, instalments from (
        select u.*, sum(outstanding) over (order by date, id) - outstanding as before
          from (${open(`order by d.date, d.id limit ${PER_KEY}`)}) u
      ) reached where before < w.wanted`,
  };
  return `with wanted as materialized (
      select key, partner, currency, nullif(lower(btrim(reference)), '') as reference, (remaining * 1000000)::bigint as remaining, wanted
      from json_to_recordset(:wanted::json) as w(key text, partner uuid, currency char(3), reference text, remaining numeric,
        wanted numeric)
    )
    select w.key, ${way === 'by_combination' ? 'bool_or(o.many)' : 'false'} as "tooMany", coalesce(json_agg(json_build_object('id', o.id,
      'code', o.code,
      'reference', o.reference, 'supplierReference', o.supplier_reference, 'date', o.date, 'outstanding', o.outstanding::text,
      'instalments', o.instalments)
        order by o.date, o.id)
      ${way === 'by_combination' ? 'filter (where not o.many)' : ''}, '[]') as invoices
    from wanted w cross join lateral (${fitting[way]}) o group by w.key`;
}

/** The invoices that a payment is matched with. */
export interface Candidates {
  readonly invoices: readonly OpenInvoice[];
  /** There are more possible parts than are considered. */
  readonly tooMany: boolean;
}

/** The key shared by payments with the same candidates, besides partner and currency. */
const COMPARED: Readonly<Record<Way, (payment: PaymentRow) => string>> = {
  by_reference: ({ reference }) => reference ?? '',
  auto_reconcile: (payment) => `${unappliedAmount(payment)} ${payment.reference ?? ''}`,
  by_amount: unappliedAmount,
  by_combination: unappliedAmount,
  by_date: () => '',
};

/** Loads the candidates of payments, by payment id. */
export async function openInvoices(
  db: Db,
  direction: PaymentDirection,
  payments: readonly PaymentRow[],
  request: MatchRequest,
): Promise<Map<string, Candidates>> {
  const way = request.mode === 'by_amount' && request.allowCombination === true ? 'by_combination' : request.mode;
  const candidatesKey = (payment: PaymentRow) => `${payment.partner.id} ${payment.currency} ${COMPARED[way](payment)}`;
  const wanted = new Map<string, Wanted>();
  for (const payment of payments) {
    const remaining = unappliedAmount(payment);
    const key = candidatesKey(payment);
    const { partner, currency, reference } = payment;
    wanted.set(key, {
      key,
      partner: partner.id,
      currency,
      reference,
      remaining,
      wanted: sum([wanted.get(key)?.wanted ?? '0', remaining]).toFixed(),
    });
  }
  const rows = await prepared<{ readonly key: string } & Candidates>(db, matchingStatement(way, direction), {
    wanted: JSON.stringify([...wanted.values()]),
    from: request.from ?? null,
    to: request.to ?? null,
  });
  const found = new Map(rows.map((row) => [row.key, row]));
  return new Map(payments.map((payment) => [payment.id, found.get(candidatesKey(payment)) ?? NONE]));
}

const NONE: Candidates = { invoices: [], tooMany: false };

interface Wanted {
  readonly key: string;
  readonly partner: string;
  readonly currency: string;
  readonly reference: string | null;
  /** Unapplied amount of one payment. */
  readonly remaining: Decimal;
  /** Unapplied total of all payments with this key. */
  readonly wanted: Decimal;
}
