/** Lines of purchase invoices that become assets, or a part of their cost. */
import type { Db } from '../../../../db/database.ts';
import { leftToCapitalise, namedAccount } from '../../../../db/queries/assets.ts';
import { STATE } from '../../../../db/queries/document-states.ts';
import { query } from '../../../../db/sql.ts';
import type { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';

interface PurchaseLine {
  readonly date: string;
  readonly accountId: string | null;
  readonly costCenterId: string | null;
  readonly projectId: string | null;
  /** Whether its invoice is posted and takes nothing back. */
  readonly usable: boolean;
  /** The amount left of it, in the company's currency. */
  readonly left: Decimal;
}

const LINE_SQL = `
  select d.date, ${namedAccount('l', 'i', 'purchase')} as "accountId", coalesce(l.cost_center_id, d.cost_center_id) as "costCenterId",
    coalesce(l.project_id, d.project_id) as "projectId", ${leftToCapitalise('l')}::text as left,
    d.doc_type = 'PINV' and d.posted_at is not null and d.status <> ${STATE.cancelled} and l.amount > 0 as usable
  from document_lines l join documents d on d.id = l.document_id left join items i on i.id = l.item_id
  where l.id = :id::uuid`;

/**
 * Finds the line that is to become an asset, or a part of its cost.
 * @param assetAccountId the account of the group, on which the line must be
 */
export async function findPurchaseLine(
  trx: Db,
  id: string,
  assetAccountId: string,
  faults: Faults,
): Promise<PurchaseLine | null> {
  const [line] = await query<PurchaseLine>(trx, LINE_SQL, { id });
  if (line?.usable !== true) {
    faults.add('/documentLineId', 'invalid_reference', 'must be a line of a posted purchase invoice');
    return null;
  }
  if (line.accountId === assetAccountId) return line;
  faults.add('/documentLineId', 'wrong_type', 'must be a line on the account of the group for the cost of its assets');
  return null;
}

/** Checks that an amount is not more than what is left of a line. @param member that has the amount */
export function checkLeft(line: PurchaseLine, amount: Decimal, member: string, faults: Faults): void {
  if (decimal(amount).lte(line.left)) return;
  faults.add(member, 'out_of_range', `must be at most ${decimal(line.left).toFixed()}, what is left of the line`);
}
