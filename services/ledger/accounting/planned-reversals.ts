/** Days on which manual entries are to be reversed (decision 0354). */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { JournalEntry } from '../../../db/models/ledger/accounting.ts';
import { prepared } from '../../../db/sql.ts';

/** SQL of the day on which an entry `e` is to be reversed; null if none is planned, or it is reversed already. */
export const REVERSES_ON =
  '(select p.date from planned_reversals p where p.tenant_id = e.tenant_id and p.entry_id = e.id)';

const READ_SQL = 'select date from planned_reversals where entry_id = :entryId::uuid';
const PLAN_SQL = `insert into planned_reversals (id, tenant_id, entry_id, date)
  values (:id::uuid, :tenantId::uuid, :entryId::uuid, :date::date)
  on conflict on constraint planned_reversals_entry_key do update set date = excluded.date`;
const DROP_SQL = 'delete from planned_reversals where entry_id = :entryId::uuid';
const DUE_SQL = `select p.entry_id as "entryId", p.date, e.description from planned_reversals p
  join journal_entries e on e.id = p.entry_id and e.status = 'posted'
  where p.date <= :today::date order by p.date, p.entry_id limit :limit::integer`;

export interface PlannedReversal {
  readonly entryId: string;
  readonly date: string;
  readonly description: string | null;
}

/** The day on which an entry is to be reversed; null if none is planned. */
export async function loadReversesOn(reader: Reader, entryId: string): Promise<string | null> {
  const [row] = await prepared<{ date: string }>(reader, READ_SQL, { entryId });
  return row?.date ?? null;
}

/** Plans the reversal of an entry, or drops the plan, with its audit record. @param before as read, the entry being locked */
export async function planReversal(
  trx: Db,
  ctx: Context,
  entryId: string,
  before: string | null,
  date: string | null,
): Promise<void> {
  if (date === before) return;
  if (date === null) await dropReversal(trx, entryId);
  else await prepared(trx, PLAN_SQL, { id: newId(), tenantId: ctx.tenantId, entryId, date });
  const entity = { type: JournalEntry.entityType, id: entryId };
  await new Changes(ctx).audit(entity, { reversesOn: before }, { reversesOn: date }).write(trx);
}

/** Drops the plan of an entry that is reversed. */
export async function dropReversal(trx: Db, entryId: string): Promise<void> {
  await prepared(trx, DROP_SQL, { entryId });
}

/** Posted entries to be reversed by a day, the earliest first. */
export async function loadDueReversals(reader: Reader, today: string, limit: number): Promise<PlannedReversal[]> {
  return await prepared<PlannedReversal>(reader, DUE_SQL, { today, limit });
}
