/** Whether the return of a payment can be deleted: what it gave back is settled again. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { DOCUMENT_STATUS } from '../../domain/documents/types.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import { paymentStatus } from '../../domain/payments/types.ts';
import type { Debt } from './debts.ts';
import type { PaymentRow } from './payment.ts';

/** What was settled of debts after the return had given back. */
const SINCE_SQL = `select coalesce(document_id, item_id) as id, sum(settled)::text as settled from payment_applications
  where (document_id = any(:ids::uuid[]) or item_id = any(:ids::uuid[]))
    and seq > (select max(seq) from payment_applications where payment_id = :back::uuid)
  group by 1`;

/**
 * What was overpaid before may be so again; nothing else may be settled beyond its total.
 * @param debts that it gave back, locked
 * @param given how much of each it settled: below zero, of credits above
 * @throws ServiceError invalid_transition when one is cancelled, or has been paid otherwise
 */
export async function assertRestorable(
  trx: Db,
  back: PaymentRow,
  debts: ReadonlyMap<string, Debt>,
  given: ReadonlyMap<string, Decimal>,
): Promise<void> {
  const overpaid: Debt[] = [];
  for (const debt of debts.values()) {
    const { id, code, status, total, paidTotal } = debt.row;
    if (status === DOCUMENT_STATUS.cancelled) throw refused(`${code} is cancelled`);
    if (paymentStatus(total, decimal(paidTotal).minus(given.get(id) ?? '0')) !== 'overpaid') continue;
    const first = back.links.find(({ documentId }) => documentId === id);
    if (first?.previousStatus !== 'overpaid') throw paidSince(debt);
    overpaid.push(debt);
  }
  if (overpaid.length === 0) return;
  const ids = overpaid.map(({ row }) => row.id);
  const rows = await query<{ id: string; settled: Decimal }>(trx, SINCE_SQL, { ids, back: back.id });
  const since = new Map(rows.map(({ id, settled }) => [id, settled]));
  for (const debt of overpaid) {
    const { id, total } = debt.row;
    if (
      decimal(since.get(id) ?? '0')
        .times(total)
        .gt(0)
    )
      throw paidSince(debt);
  }
}

function paidSince({ row }: Debt): ServiceError {
  return refused(`${row.code} has been paid since; undo that first`);
}

function refused(reason: string): ServiceError {
  return new ServiceError('invalid_transition', `It cannot be deleted because ${reason}`);
}
