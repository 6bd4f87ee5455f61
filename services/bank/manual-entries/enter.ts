/** Posts manual entries with the open items that their lines create or settle. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { addEntry, type EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { deferEntryLines } from '../../ledger/deferrals/entry-lines.ts';
import { accrueSettlements } from '../../trade/payments/accruals.ts';
import { addSettlements, type Settlement } from '../../trade/payments/settlements.ts';

/**
 * Posts a manual entry.
 * @param settlements settled by its lines, locked
 * @returns its id
 * @throws ServiceError period_closed; validation_failed when a line is spread, and 480 or 485 cannot be used
 */
export async function postManualEntry(
  trx: Db,
  ctx: Context,
  entry: EntryToWrite,
  settlements: readonly Settlement[],
): Promise<string> {
  const changes = new Changes(ctx);
  const accrued = { ...entry, lines: [...entry.lines, ...(await accrueSettlements(trx, settlements))] };
  const id = addEntry(changes, accrued);
  await deferEntryLines(trx, changes, id, accrued);
  addSettlements(changes, { id, date: entry.date }, settlements);
  await changes.write(trx);
  return id;
}
