/** Payment status of a document, payment by payment. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { type Decimal, decimal, roundedNumber } from '../../../domain/money.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';
import {
  debtName,
  OPEN_ITEM,
  type PaymentDirection,
  type PaymentStatus,
  paymentStatus,
  type SettledBy,
} from '../../../domain/trade/payments/types.ts';
import { PLACES } from '../../platform/settings/format.ts';

interface Found {
  readonly id: string;
  /** Only invoices. */
  readonly paymentStatus: PaymentStatus | null;
  readonly total: Decimal;
  readonly paidTotal: Decimal;
  readonly places: number;
  readonly entries: readonly { readonly id: string; readonly date: string; readonly amount: Decimal }[];
  readonly payments: readonly {
    readonly id: string;
    readonly date: string;
    readonly method: SettledBy;
    readonly amount: Decimal;
    readonly withholding: Decimal;
    readonly discount: Decimal;
    readonly writeOff: Decimal;
  }[];
}

/** Signs amounts from the document's point of view: refunds are negative. */
const signed = (column: string) =>
  `sum(case when a.settled = a.amount + a.withholding + a.discount + a.write_off then a.${column} else -a.${column} end)::text`;

const statusSql = (columns: string, from: string, of: 'document_id' | 'item_id') => `select d.id, ${columns}, d.total,
    d.paid_total as "paidTotal", ${PLACES} as places,
    (select coalesce(json_agg(entered order by entered.date, entered.id), '[]') from (
      select e.id, e.date, sum(a.settled)::text as amount
      from payment_applications a join journal_entries e on e.id = a.entry_id where a.${of} = d.id group by e.id) entered) as entries,
    (select coalesce(json_agg(applied order by applied.date, applied.id), '[]') from (
      select p.id, p.date, p.payment_method as method, ${signed('amount')} as amount, ${signed('withholding')} as withholding,
        ${signed('discount')} as discount, ${signed('write_off')} as "writeOff"
      from payment_applications a join payments p on p.id = a.payment_id where a.${of} = d.id group by p.id) applied) as payments
  from ${from} d where d.id = :id::uuid`;

const DOCUMENT_SQL = `${statusSql('d.payment_status as "paymentStatus"', 'documents', 'document_id')} and d.doc_type = :type`;
const ITEM_SQL = `${statusSql('null as "paymentStatus"', 'open_items', 'item_id')} and d.direction = :type`;

/**
 * The payment status of a document or open item with its payments and the entries that settle it; for an order or note, its advances.
 * @throws ServiceError not_found
 */
export async function reconciliationStatus(reader: Reader, type: DocType | PaymentDirection, id: string) {
  const item = type === 'in' || type === 'out';
  const [found] = await query<Found>(reader, item ? ITEM_SQL : DOCUMENT_SQL, { id, type });
  if (found === undefined) throw notFound(`The ${debtName(item ? OPEN_ITEM : type).replaceAll('_', ' ')}`);
  const money = (value: Decimal) => roundedNumber(value, found.places);
  return {
    document_id: found.id,
    document_total: money(found.total),
    total_applied: money(found.paidTotal),
    remaining: money(decimal(found.total).minus(found.paidTotal).toFixed()),
    status: found.paymentStatus ?? paymentStatus(found.total, found.paidTotal),
    payments: found.payments.map((payment) => ({
      payment_id: payment.id,
      payment_date: payment.date,
      amount_applied: money(payment.amount),
      payment_method: payment.method,
      withholding: money(payment.withholding),
      discount: money(payment.discount),
      write_off: money(payment.writeOff),
    })),
    entries: found.entries.map((entry) => ({
      entry_id: entry.id,
      date: entry.date,
      amount_applied: money(entry.amount),
    })),
  };
}
