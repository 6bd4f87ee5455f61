/**
 * Finds the invoices and open items that manual entry lines settle: bad debts, netting of a customer against a
 * supplier, clearing entries.
 */
import type { Db } from '../../../db/database.ts';
import { Faults } from '../../../domain/faults.ts';
import { type EntryLine, owedBy } from '../../../domain/ledger/accounting/entries.ts';
import { decimal } from '../../../domain/money.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { isOwed } from '../../../domain/trade/payments/types.ts';
import type { CheckedEntry } from '../../ledger/accounting/entry-input.ts';
import { type Debt, debtDirection, isItem, lockDebts, outstandingAmount } from '../../trade/payments/debts.ts';
import { loadInvoiceAccounts } from '../../trade/payments/invoice-accounts.ts';
import type { Settlement } from '../../trade/payments/settlements.ts';

/**
 * Locks the documents and open items that the lines settle.
 * @throws ServiceError validation_failed with a pointer for each fault: not found, another partner or account, more
 * than is outstanding
 */
export async function lockSettlements(trx: Db, { lines, currency }: CheckedEntry): Promise<Settlement[]> {
  const named = lines.flatMap((line, index) =>
    line.open?.settlesId ? [{ line, index, id: line.open.settlesId }] : [],
  );
  if (named.length === 0) return [];
  const debts = await lockDebts(
    trx,
    named.map(({ id }) => id),
  );
  const invoices = [...debts.values()].filter((debt) => !isItem(debt)).map(({ row }) => row.id);
  const accounts = await loadInvoiceAccounts(trx, invoices);
  const faults = new Faults();
  const left = new Map([...debts].map(([id, debt]) => [id, outstandingAmount(debt)]));
  const settlements = named.flatMap(({ line, index, id }): Settlement[] => {
    const pointer = `/lines/${index}`;
    const debt = debts.get(id);
    const fault = refusal(line, debt, currency);
    if (fault !== null || debt === undefined) {
      faults.add(`${pointer}/settlesId`, ...(fault ?? (['invalid_reference', 'refers to nothing'] as const)));
      return [];
    }
    const accountId = isItem(debt) ? debt.row.accountId : accounts.get(id);
    if (line.accountId !== accountId) {
      faults.add(`${pointer}/accountId`, 'other_account', `must be the account on which ${debt.row.code} stands`);
      return [];
    }
    const settled = decimal(owedBy(line, debtDirection(debt))).neg();
    const outstanding = decimal(left.get(id) ?? '0');
    if (settled.gt(0) !== outstanding.gt(0) || settled.abs().gt(outstanding.abs())) {
      const message = `settles ${settled.toFixed()}, but of ${debt.row.code} ${outstanding.toFixed()} is outstanding`;
      faults.add(`${pointer}/${decimal(line.debit).gt(0) ? 'debit' : 'credit'}`, 'over_outstanding', message);
      return [];
    }
    left.set(id, outstanding.minus(settled).toFixed());
    return [{ lineNumber: index + 1, debt, settled: settled.toFixed() }];
  });
  faults.throwIfAny();
  return settlements;
}

function refusal(line: EntryLine, debt: Debt | undefined, currency: string): readonly [string, string] | null {
  if (debt === undefined || !isOwed(debt.row.docType)) {
    return ['invalid_reference', 'must be the id of an invoice or open item'];
  }
  if (debt.row.partner.id !== line.partnerId) return ['other_partner', 'is of another partner'];
  if (debt.row.status === DOCUMENT_STATUS.draft) return ['draft', 'is a draft; post it first'];
  if (debt.row.status === DOCUMENT_STATUS.cancelled) return ['cancelled', 'is cancelled'];
  if (debt.row.currency !== currency) return ['other_currency', `is in ${debt.row.currency}, not in ${currency}`];
  return null;
}
