/** Goods and services delivered or received by a day and not invoiced yet, with their value. */
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import type { AccountRole } from '../../../../domain/ledger/accounting/roles.ts';
import type { Decimal } from '../../../../domain/money.ts';
import { NOTE_COLUMNS, pendingLines, STANDS } from './lines-sql.ts';

/** The company's accounts for entries of uninvoiced goods and services, by side. */
export const PENDING_ROLES: Readonly<Record<'sales' | 'purchase', readonly AccountRole[]>> = {
  sales: ['salesPending', 'salesGoods', 'salesServices', 'salesReturns'],
  purchase: ['purchasesPending', 'purchaseGoods', 'purchaseServices', 'purchaseReturns'],
};

/** Note lines that are entered together. */
export interface PendingPart {
  readonly side: 'sales' | 'purchase';
  readonly partnerId: string;
  /** Account set on the lines; null uses that of the item or company. */
  readonly accountId: string | null;
  readonly itemId: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  /** Whether they were returned after invoicing and are not credited yet; the value is then negative. */
  readonly returned: boolean;
  /** Value before the invoice's tax, including tax that cannot be deducted; not rounded. */
  readonly value: Decimal;
}

/**
 * Documents count as they stood at the end of the day, without later invoices, returns or cancellations. Only open
 * notes, and those that changed or were returned after the day, are read; all others are invoiced. Notes with entries
 * of their own are already in the ledger.
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

/** Loads the pending parts. @param day at whose end documents are read */
export async function pendingParts(trx: Db, day: string): Promise<PendingPart[]> {
  return await query<PendingPart>(trx, PARTS_SQL, { day });
}
