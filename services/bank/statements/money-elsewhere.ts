/**
 * Finds payments recorded on another account than the line's bank account: in cash, as a bill that the bank now
 * collects or pays, or on the default account because none was named.
 */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { SharedPart } from './parts.ts';

interface Elsewhere {
  readonly accountId: string;
  readonly partnerId: string;
  /** Signed as in the line: negative for outgoing money. */
  readonly amount: Decimal;
  /** The same in the company's currency. */
  readonly companyAmount: Decimal;
}

/** Account on which a payment's entry has its money; its reversal uses the same. */
const ELSEWHERE_SQL = `select l.account_id as "accountId", p.partner_id as "partnerId", (l.debit - l.credit)::text as "companyAmount",
    case when p.currency is not distinct from b.currency then case p.direction when 'in' then p.amount else -p.amount end
      else l.debit - l.credit end::text as amount
  from payments p join bank_accounts b on b.id = :bankAccountId::uuid
  join journal_entries e on e.source_type = 'payment' and e.source_id = p.id and e.reversal_of is null
  join journal_lines l on l.entry_id = e.id and l.money
  where p.id = any(:ids::uuid[]) and p.bank_account_id is null and l.account_id <> :bank::uuid
  order by p.id`;

/**
 * Builds parts that move payments to the bank's account (572 against 431, 401, 570 or another 572).
 * @param to the bank account, and its ledger account
 */
export async function findMoneyElsewhere(
  trx: Db,
  paymentIds: readonly string[],
  to: { readonly ledgerId: string; readonly bankAccountId: string },
): Promise<SharedPart[]> {
  const { ledgerId: bank, bankAccountId } = to;
  const found = await query<Elsewhere>(trx, ELSEWHERE_SQL, { ids: [...paymentIds], bank, bankAccountId });
  return found.map(({ accountId, partnerId, amount, companyAmount }) => ({
    account_id: accountId,
    partner_id: partnerId,
    amount,
    companyAmount,
    at: '',
    moved: true,
  }));
}
