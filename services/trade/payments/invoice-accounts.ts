/** The accounts on which invoices stand with their partners. */
import type { Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';

const SQL = `select e.source_id as "id", l.account_id as "accountId" from journal_entries e
    join journal_lines l on l.entry_id = e.id and l.partner_id is not null and l.tax_kind is null
  where e.source_id = any(:ids::uuid[]) and e.reversal_of is null and e.status = 'posted'
    and e.source_type in ('sales_invoice', 'purchase_invoice')`;

/** @returns ids of the accounts by those of the invoices, without those that are not entered */
export async function loadInvoiceAccounts(reader: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await prepared<{ id: string; accountId: string }>(reader, SQL, { ids: [...ids] });
  return new Map(rows.map(({ id, accountId }) => [id, accountId]));
}
