/** What notes have delivered or received and nobody has invoiced by a day, with its value. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import { NOTE_COLUMNS, pendingLines, STANDS } from './lines-sql.ts';

/** Lines of notes that are entered alike. */
export interface PendingPart {
  readonly side: 'sales' | 'purchase';
  readonly partnerId: string;
  /** Of the lines; null = that of the item or the company. */
  readonly accountId: string | null;
  readonly itemId: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  /** Returned after it was invoiced, and not credited yet: the value is below zero. */
  readonly returned: boolean;
  /** Without the tax that the invoice will charge, but for what of it cannot be deducted; not rounded. */
  readonly value: Decimal;
}

/**
 * Documents are taken as they stood at the end of the day: what was invoiced, returned or cancelled later counts as not done yet. Looked at
 * are only notes that are open, or of which something has happened after the day or come back; the others are invoiced. Notes that are
 * entered themselves are in the ledger already.
 */
const PARTS_SQL = `
  with after as (
    select l.base_id as id from documents d join document_lines l on l.document_id = d.id
    where d.doc_type in ('SINV', 'PINV') and l.base_type in ('SDN', 'PDN') and (d.date > :day::date or d.status in ('D', 'X'))
    union select d.returns from documents d where d.returns is not null
  ), notes as (
    select ${NOTE_COLUMNS} from documents d
    where d.doc_type in ('SDN', 'PDN') and d.returns is null and ${STANDS} and (d.status <> 'C' or d.id in (select id from after))
  )
  select case doc_type when 'SDN' then 'sales' else 'purchase' end as side, partner_id as "partnerId", account_id as "accountId",
    item_id as "itemId", project_id as "projectId", cost_center_id as "costCenterId", pending < 0 as returned,
    sum(amount * pending / quantity)::text as value
  from (${pendingLines('notes')}) as open_lines
  where pending <> 0 and not exists (select from journal_lines j where j.note_line_id = open_lines.id)
  group by doc_type, partner_id, account_id, item_id, project_id, cost_center_id, pending < 0
  order by doc_type, partner_id, account_id, item_id, project_id, cost_center_id, pending < 0`;

/** @param day at whose end documents are looked at */
export async function pendingParts(trx: Db, day: string): Promise<PendingPart[]> {
  return await query<PendingPart>(trx, PARTS_SQL, { day });
}
