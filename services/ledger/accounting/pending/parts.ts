/** Goods and services delivered or received by a day and not invoiced yet, with their value. */
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import type { AccountRole } from '../../../../domain/ledger/accounting/roles.ts';
import type { Decimal } from '../../../../domain/money.ts';
import { PENDING_NOTES, pendingLines } from './lines-sql.ts';

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

/** Notes with entries of their own are already in the ledger. */
const PARTS_SQL = `
  with ${PENDING_NOTES}
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
