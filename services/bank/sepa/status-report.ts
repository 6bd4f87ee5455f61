/** Applies a bank's status report (pain.002): registers returns of payments that it rejected or returned. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { readStatusReport, type StatusReport } from '../../../domain/bank/sepa/status-report.ts';
import { decodeText } from '../../../domain/bank/statements/format.ts';
import { BadStatement } from '../../../domain/bank/statements/statement.ts';
import { type RowError, ServiceError } from '../../../domain/errors.ts';
import { loadPayments } from '../../trade/payments/payment.ts';
import { earliestReturn, returnPayment } from '../../trade/payments/return.ts';

/**
 * returned: by this report; returned_before: earlier; not_paid: no payment was registered, so there is nothing to undo.
 */
export const REPORT_OUTCOMES = ['returned', 'returned_before', 'not_paid'] as const;

interface Item {
  readonly endToEndId: string;
  readonly paymentId: string | null;
  readonly documentId: string | null;
}

const ITEMS_SQL = `select distinct on (lower(i.end_to_end_id)) lower(i.end_to_end_id) as "endToEndId", i.payment_id as "paymentId",
    i.document_id as "documentId"
  from sepa_order_items i join sepa_orders o on o.id = i.order_id
  where lower(i.end_to_end_id) = any(:ids::text[]) or lower(o.message_id) = :message
  order by lower(i.end_to_end_id), o.id desc`;

/**
 * Registers the returns in a report.
 * @param date of the returns; defaults to the report's, or to the first on which the payment can be returned if that is
 * later
 * @throws ServiceError validation_failed with the line of an entry that belongs to no order of the company;
 * period_closed
 */
export async function applyStatusReport(trx: Db, ctx: Context, content: Uint8Array, date?: string) {
  const report = read(content);
  const reasons = new Map(report.rejected.map((one) => [one.endToEndId.toLowerCase(), one]));
  const items = await query<Item>(trx, ITEMS_SQL, {
    ids: [...reasons.keys()],
    message: report.whole?.messageId.toLowerCase() ?? null,
  });
  assertKnown(report, items);
  const transactions = [];
  for (const { endToEndId, paymentId, documentId } of items) {
    const reason = reasons.get(endToEndId)?.reason ?? report.whole?.reason ?? null;
    const done =
      paymentId === null ? null : await registerReturns(trx, ctx, paymentId, { date: date ?? report.date, reason });
    const outcome = done?.outcome ?? ('not_paid' as const);
    const returnId = done?.id ?? null;
    transactions.push({
      end_to_end_id: endToEndId,
      reason,
      outcome,
      payment_id: paymentId,
      document_id: documentId,
      return_id: returnId,
    });
  }
  return { date: report.date, transactions };
}

async function registerReturns(
  trx: Db,
  ctx: Context,
  id: string,
  { date, reason }: { readonly date: string; readonly reason: string | null },
): Promise<{ readonly outcome: (typeof REPORT_OUTCOMES)[number]; readonly id: string } | null> {
  const [payment] = await loadPayments(trx, [id]);
  if (payment === undefined) return null;
  if (payment.returnedBy !== null) return { outcome: 'returned_before', id: payment.returnedBy };
  const earliest = earliestReturn(payment);
  const on = date < earliest ? earliest : date;
  const back = await returnPayment(trx, ctx, payment.direction, id, { date: on, notes: reason });
  return { outcome: 'returned', id: back.id };
}

/** Parses a report. @throws ServiceError validation_failed */
function read(content: Uint8Array): StatusReport {
  try {
    return readStatusReport(decodeText('camt053', content));
  } catch (error) {
    throw error instanceof BadStatement ? refused(error.errors) : error;
  }
}

/** Checks that the company sent the rejected orders. @throws ServiceError validation_failed */
function assertKnown({ rejected, whole }: StatusReport, items: readonly Item[]): void {
  const known = new Set(items.map(({ endToEndId }) => endToEndId));
  const unknown = rejected.filter(({ endToEndId }) => !known.has(endToEndId.toLowerCase()));
  const errors = unknown.map(({ line, endToEndId }): RowError => {
    return { line, column: 'OrgnlEndToEndId', code: 'invalid_reference', message: `${endToEndId} is in no order` };
  });
  if (whole !== null && items.length === 0) {
    errors.push({
      line: whole.line,
      column: 'OrgnlMsgId',
      code: 'invalid_reference',
      message: 'must be an order of the company',
    });
  }
  if (errors.length > 0) throw refused(errors);
}

function refused(rowErrors: readonly RowError[]): ServiceError {
  return new ServiceError('validation_failed', `Line ${rowErrors[0]?.line ?? 1}: ${rowErrors[0]?.message}`, {
    rowErrors,
  });
}
