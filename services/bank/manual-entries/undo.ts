/** Reverses manual entries: closes their open items, and reopens the documents and items that they settled. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { dropReversal } from '../../ledger/accounting/planned-reversals.ts';
import { addReversal, type EntryDay, loadPosted } from '../../ledger/accounting/write-entry.ts';
import { endDeferrals } from '../../ledger/deferrals/end.ts';
import { loadVatPeriods } from '../../ledger/tax-returns/filed.ts';
import { type Debt, lockDebts, lockEntryItems } from '../../trade/payments/debts.ts';
import { addSettlements, type Settlement } from '../../trade/payments/settlements.ts';

const SETTLED_SQL = `select line_number as "lineNumber", coalesce(document_id, item_id) as id, settled::text
  from payment_applications where entry_id = :entryId::uuid order by seq`;

/**
 * Posts the reversal of a manual entry.
 * @returns the id of the reversal
 * @throws ServiceError period_closed; in_use when one of its open items is settled; duplicate when it is already
 * reversed
 */
export async function reverseManualEntry(trx: Db, ctx: Context, entryId: string, on: EntryDay): Promise<string> {
  const changes = new Changes(ctx);
  const original = await loadPosted(trx, { id: entryId });
  const settled = await prepared<{ lineNumber: number; id: string; settled: Decimal }>(trx, SETTLED_SQL, { entryId });
  const debts =
    settled.length === 0
      ? new Map<string, Debt>()
      : await lockDebts(
          trx,
          settled.map(({ id }) => id),
        );
  const items = await lockEntryItems(trx, entryId);
  const used = items.find(({ row }) => !decimal(row.paidTotal).eq(0));
  if (used !== undefined) {
    const message = `It cannot be reversed because its open item ${used.row.code} is settled; undo what settles it first`;
    throw new ServiceError('in_use', message);
  }
  const id = addReversal(changes, original, on, await loadVatPeriods(trx));
  await endDeferrals(trx, changes, entryId, on);
  const settlements: Settlement[] = [
    ...settled.map((one) => {
      const debt = debts.get(one.id);
      if (debt === undefined) throw new Error('an entry settles what is not there');
      return { lineNumber: one.lineNumber, debt, settled: decimal(one.settled).neg().toFixed() };
    }),
    ...items.map((item) => ({ lineNumber: item.row.lineNumber, debt: item, settled: item.row.total })),
  ];
  addSettlements(changes, { id, date: on.date }, settlements);
  await changes.write(trx);
  await dropReversal(trx, entryId);
  return id;
}
