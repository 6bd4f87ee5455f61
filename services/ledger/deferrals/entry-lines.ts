/** Spreads lines of entries that are made by hand over the months of their service. */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Db } from '../../../db/database.ts';
import { decimal } from '../../../domain/money.ts';
import { AccountBook } from '../accounting/account-book.ts';
import type { EntryToWrite } from '../accounting/write-entry.ts';
import { addDeferrals, DEFERRAL_ROLES, type SpreadLine } from './add.ts';

/**
 * Defers what lines of a manual entry have for later months.
 * @param id of the entry
 * @throws ServiceError validation_failed when 480 or 485 cannot be used
 */
export async function deferEntryLines(trx: Db, changes: Changes, id: string, entry: EntryToWrite): Promise<void> {
  const lines = entry.lines.flatMap((line, index): SpreadLine[] => {
    if (line.service === undefined) return [];
    const { accountId, projectId, costCenterId, service } = line;
    const place = { lineId: null, lineNumber: index + 1, pointer: `/lines/${index}/serviceFrom`, takesBack: null };
    const net = decimal(line.debit).minus(line.credit).toFixed();
    return [{ ...place, service, accountId, projectId, costCenterId, net }];
  });
  if (lines.length === 0) return;
  const accounts = lines.map(({ accountId }) => accountId);
  const book = await AccountBook.loadLocked(trx, { roles: DEFERRAL_ROLES, accounts });
  const { date, periodId, area, description } = entry;
  addDeferrals(
    changes,
    book,
    { documentId: null, entryId: id, date, periodId, area, description: description ?? '' },
    lines,
  );
}
