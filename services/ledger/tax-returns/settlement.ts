/** The settlement of a period's tax: its lines with their accounts, as entered or as filing would enter them. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import type { BoxValues } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import type { TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import {
  type Entered,
  SETTLED_303,
  type SettlementAccounts,
  settlementLines,
} from '../../../domain/ledger/tax-returns/settlement.ts';
import type { Decimal } from '../../../domain/money.ts';
import { AccountBook } from '../accounting/account-book.ts';
import type { FiledReturn } from './filed.ts';
import type { AccountTotal } from './taxes.ts';

export const SETTLEMENT_ROLES = ['taxPayable', 'taxReceivable', 'taxAdjustmentGain', 'taxAdjustmentLoss'] as const;

/** @throws ServiceError validation_failed when an account cannot be used */
export function buildSettlement(book: AccountBook, lines: (accounts: SettlementAccounts) => EntryLine[]): EntryLine[] {
  const accounts = {
    payable: book.role('taxPayable'),
    receivable: book.role('taxReceivable'),
    gain: book.role('taxAdjustmentGain'),
    loss: book.role('taxAdjustmentLoss'),
  };
  return book.completed(lines(accounts));
}

const ENTERED_SQL = `select l.account_id as "accountId", sum(l.debit - l.credit)::text as balance
  from tax_returns r join journal_lines l on l.entry_id = r.entry_id
  where r.model = :model and r.year = :year and r.period = :period group by 1`;

/** Reads what the settlements of a period's returns have entered. */
export async function readEntered(
  reader: Reader,
  { model, year, period }: TaxPeriod & { readonly model: TaxModel },
): Promise<Entered[]> {
  return await query<Entered>(reader, ENTERED_SQL, { model, year, period });
}

export interface SettlementLine {
  readonly account_id: string;
  readonly account_code: string;
  readonly account_name: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
}

/**
 * Reads the settlement of a return 303, as entered or as filing would enter it.
 * @throws ServiceError validation_failed when an account cannot be used
 */
export async function readSettlement(
  reader: Reader,
  filed: FiledReturn | undefined,
  totals: readonly AccountTotal[],
  boxes: BoxValues,
): Promise<SettlementLine[]> {
  if (filed !== undefined) {
    return await query<SettlementLine>(
      reader,
      `select l.account_id, a.code as account_code, a.name as account_name, l.debit::text, l.credit::text
       from tax_returns r join journal_lines l on l.entry_id = r.entry_id join accounts a on a.id = l.account_id
       where r.id = :id::uuid order by l.line_number`,
      { id: filed.id },
    );
  }
  const book = await AccountBook.load(reader, { roles: [...SETTLEMENT_ROLES] });
  const lines = buildSettlement(book, (accounts) => settlementLines(SETTLED_303, totals, boxes, accounts));
  const accounts = await query<{ id: string; code: string; name: string }>(
    reader,
    'select id, code, name from accounts where id = any(:ids::uuid[])',
    { ids: lines.map(({ accountId }) => accountId) },
  );
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return lines.map(({ accountId, debit, credit }) => ({
    account_id: accountId,
    account_code: byId.get(accountId)?.code ?? '',
    account_name: byId.get(accountId)?.name ?? '',
    debit,
    credit,
  }));
}
