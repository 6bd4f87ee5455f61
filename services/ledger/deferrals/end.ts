/** Ends what still waits of an invoice that is cancelled, or of an entry that is reversed. */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { recognitionLines } from '../../../domain/ledger/deferrals/spread.ts';
import { addEntry, type EntryDay } from '../accounting/write-entry.ts';
import { DEFERRAL_SOURCE, lockDeferrals, markRecognised, WAITING_COLUMNS, type WaitingPart } from './add.ts';

const EXISTS_SQL =
  'select exists (select from deferrals where document_id = :id::uuid or entry_id = :id::uuid) as found';
const WAITING_SQL = `select ${WAITING_COLUMNS} from deferrals d join deferral_parts p on p.deferral_id = d.id
  where (d.document_id = :id::uuid or d.entry_id = :id::uuid) and p.recognised_on is null order by p.id`;

/**
 * Takes all that waits of a source to income or expense on a day: together with the reversal of the source's own entry nothing is left.
 * @param id of the invoice or entry
 */
export async function endDeferrals(trx: Db, changes: Changes, id: string, on: EntryDay): Promise<void> {
  const [known] = await prepared<{ found: boolean }>(trx, EXISTS_SQL, { id });
  if (known?.found !== true) return;
  await lockDeferrals(trx, changes.ctx);
  const parts = await prepared<WaitingPart>(trx, WAITING_SQL, { id });
  const [first] = parts;
  if (first === undefined) return;
  const lines = recognitionLines(parts);
  const description = `Anulación de periodificación: ${first.description}`;
  const entry = { ...on, description, sourceType: DEFERRAL_SOURCE, sourceId: id, lines };
  markRecognised(changes, parts, on.date, lines.length === 0 ? null : addEntry(changes, entry));
}
