/** Checks whether the return of a payment can be deleted; the debts it opened are then settled again. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { type PaymentStatus, paymentStatus } from '../../../domain/trade/payments/types.ts';
import { type Debt, isItem } from './debts.ts';
import type { PaymentRow } from './payment.ts';

/** A settlement of a debt that was not reversed. */
interface Standing {
  readonly id: string;
  readonly settled: Decimal;
  /** Payment status of the debt after this settlement. */
  readonly newStatus: PaymentStatus;
  /** Whether it was made after the return. */
  readonly since: boolean;
}

/** In order of creation, including what deleting the return restores. Returned payments and reversed entries are left out. */
const STANDING_SQL = `select coalesce(a.document_id, a.item_id) as id, a.settled::text, a.new_status as "newStatus",
    a.seq > (select max(seq) from payment_applications where payment_id = :back::uuid) as since
  from payment_applications a left join payments p on p.id = a.payment_id left join journal_entries e on e.id = a.entry_id
  where (a.document_id = any(:ids::uuid[]) or a.item_id = any(:ids::uuid[])) and p.returns is null and e.reversal_of is null
    and not exists (select from payments b where b.returns = p.id and b.id <> :back::uuid)
    and not exists (select from journal_entries r where r.reversal_of = e.id)
  order by a.seq`;

/**
 * Refuses to delete a return if its debts could not be settled again. A debt may end up overpaid only if it was overpaid deliberately, and
 * an instalment never.
 * @param debts opened by the return, locked
 * @param given amounts that the return settled of each: negative, or positive for credits
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
    assertInstalmentsOpen(back, debt);
    if (paymentStatus(total, decimal(paidTotal).minus(given.get(id) ?? '0')) === 'overpaid') overpaid.push(debt);
  }
  if (overpaid.length === 0) return;
  const ids = overpaid.map(({ row }) => row.id);
  const rows = await query<Standing>(trx, STANDING_SQL, { ids, back: back.id });
  for (const debt of overpaid) {
    const standing = rows.filter(({ id }) => id === debt.row.id);
    if (!isOverpaidKnowingly(debt.row.total, standing)) throw paidSince(debt);
  }
}

/** @throws ServiceError invalid_transition when an instalment that it gave back has been paid by its name */
function assertInstalmentsOpen(back: PaymentRow, debt: Debt): void {
  if (isItem(debt)) return;
  for (const { number, amount, settled } of debt.instalments) {
    const named = back.links.filter((link) => link.documentId === debt.row.id && link.instalment === number);
    const again = decimal(settled).minus(sum(named.map((link) => link.settled)));
    if (named.length > 0 && again.gt(amount)) throw paidSince(debt);
  }
}

/** Whether nothing was paid since the return, and every payment that exceeded the total did so when it was made. */
function isOverpaidKnowingly(total: Decimal, standing: readonly Standing[]): boolean {
  const pays = ({ settled }: Pick<Standing, 'settled'>) => decimal(settled).times(total).gt(0);
  const since = sum(standing.filter((one) => one.since).map((one) => one.settled)).toFixed();
  if (pays({ settled: since })) return false;
  let paid = decimal(0);
  return standing.every((one) => {
    paid = paid.plus(one.settled);
    return !pays(one) || paymentStatus(total, paid) !== 'overpaid' || one.newStatus === 'overpaid';
  });
}

function paidSince({ row }: Debt): ServiceError {
  return refused(`${row.code} has been paid since; undo that first`);
}

function refused(reason: string): ServiceError {
  return new ServiceError('invalid_transition', `It cannot be deleted because ${reason}`);
}
