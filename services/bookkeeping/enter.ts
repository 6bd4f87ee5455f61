/** Posts entries that people make, with what their lines leave open or settle. */
import { Changes } from '../../db/changes/changes.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { addEntry, type EntryToWrite } from '../accounting/write-entry.ts';
import { addSettlements, type Settlement } from '../payments/settlements.ts';

/**
 * Posts an entry.
 * @param settlements what its lines settle, locked
 * @returns its id
 * @throws ServiceError period_closed
 */
export async function enter(
  trx: Db,
  ctx: Context,
  entry: EntryToWrite,
  settlements: readonly Settlement[],
): Promise<string> {
  const changes = new Changes(ctx);
  const id = addEntry(changes, entry);
  addSettlements(changes, { id, date: entry.date }, settlements);
  await changes.write(trx);
  return id;
}
