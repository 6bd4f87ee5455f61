/** What was paid of a document, payment by payment. */
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { notFound } from '../../domain/errors.ts';
import { type Decimal, decimal, roundedNumber } from '../../domain/money.ts';
import { type PaymentStatus, paymentStatus, type SettledBy } from '../../domain/payments/types.ts';
import { PLACES } from '../settings/format.ts';

interface Found {
  readonly id: string;
  /** Only invoices. */
  readonly paymentStatus: PaymentStatus | null;
  readonly total: Decimal;
  readonly paidTotal: Decimal;
  readonly places: number;
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

const STATUS_SQL = `select d.id, d.payment_status as "paymentStatus", d.total, d.paid_total as "paidTotal",
    ${PLACES} as places,
    (select coalesce(json_agg(applied order by applied.date, applied.id), '[]') from (
      select p.id, p.date, p.payment_method as method, sum(a.settled - a.withholding - a.discount - a.write_off)::text as amount,
        sum(a.withholding)::text as withholding,
        sum(a.discount)::text as discount, sum(a.write_off)::text as "writeOff"
      from payment_applications a join payments p on p.id = a.payment_id where a.document_id = d.id group by p.id) applied) as payments
  from documents d where d.id = :id::uuid and d.doc_type = :docType`;

/**
 * The payment status of a document with its payments; for an order or note, its advances.
 * @throws ServiceError not_found
 */
export async function reconciliationStatus(reader: Reader, docType: DocType, id: string) {
  const [found] = await query<Found>(reader, STATUS_SQL, { id, docType });
  if (found === undefined) throw notFound(`The ${DOCUMENT_TYPES[docType].name.replaceAll('_', ' ')}`);
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
  };
}
