/** Settlements by lines of entries: applications without a payment. */
import type { Changes } from '../../../db/changes/changes.ts';
import { newId } from '../../../db/ids.ts';
import { PaymentApplication } from '../../../db/models/trade/payments.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { paymentStatus } from '../../../domain/trade/payments/types.ts';
import { addSettledItem, type Debt, isItem } from './debts.ts';
import { addSettled } from './write.ts';

/** A line of an entry, with the debt it settles and the amount. */
export interface Settlement {
  readonly lineNumber: number;
  readonly debt: Debt;
  readonly settled: Decimal;
}

/** Adds the settlements of the lines of an entry. */
export function addSettlements(
  changes: Changes,
  entry: { readonly id: string; readonly date: string },
  settlements: readonly Settlement[],
): void {
  const createdAt = changes.ctx.now.toISOString();
  const before = new Map<string, Decimal>();
  for (const { debt, settled, lineNumber } of settlements) {
    const { id, total, paidTotal } = debt.row;
    const paid = before.get(id) ?? paidTotal;
    const after = sum([paid, settled]).toFixed();
    before.set(id, after);
    const [documentId, itemId] = isItem(debt) ? [null, id] : [id, null];
    changes.insert(PaymentApplication, [
      {
        id: newId(),
        paymentId: null,
        entryId: entry.id,
        lineNumber,
        documentId,
        itemId,
        originDocumentId: null,
        date: entry.date,
        amount: settled,
        withholding: '0',
        discount: '0',
        writeOff: '0',
        settled,
        companyAmount: null,
        companySettled: null,
        previousStatus: paymentStatus(total, paid),
        newStatus: paymentStatus(total, after),
        matchedBy: null,
        runId: null,
        createdAt,
      },
    ]);
  }
  const debts = new Map(settlements.map(({ debt }) => [debt.row.id, debt]));
  for (const [id, debt] of debts) {
    const settled = decimal(before.get(id) ?? '0')
      .minus(debt.row.paidTotal)
      .toFixed();
    if (decimal(settled).eq(0)) continue;
    if (isItem(debt)) addSettledItem(changes, debt, settled);
    else addSettled(changes, debt, settled);
  }
}
