/** Deletes payments: what they settled is outstanding again, and their entries are reversed. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ConcurrentChange } from '../../../db/errors.ts';
import { assertVersion } from '../../../db/write.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { decimal, sum } from '../../../domain/money.ts';
import type { PaymentKind } from '../../../domain/trade/payments/types.ts';
import type { EntryDay } from '../../ledger/accounting/write-entry.ts';
import { addReversal, loadStanding } from '../../ledger/accounting/write-entry.ts';
import { type LoadedItem, lockDebts, lockEntryItems } from './debts.ts';
import { PAYMENT_AREA } from './facts.ts';
import { loadPayments, lockPayments, onlyPayment, type PaymentRow, reversed } from './payment.ts';
import { addSettlements } from './settlements.ts';
import { assertRestorable } from './undone-return.ts';
import { addPayments, settledAmounts, settledBy } from './write.ts';

/**
 * Deletes a payment; of a return, what came back stands again.
 * @throws ServiceError not_found, stale_version, period_closed (of the payment or of one of its entries); in_use when it came back, or when
 * the fees that its partner bears are settled; invalid_transition when what a return gave back is cancelled or has been paid otherwise
 */
export async function removePayment(
  trx: Db,
  ctx: Context,
  kind: PaymentKind,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  const [found] = await loadPayments(trx, [id]);
  const returned = found?.returns ?? null;
  const locked = await lockPayments(trx, returned === null ? [id] : [id, returned]);
  const seen = onlyPayment(
    locked.filter((payment) => payment.id === id),
    kind,
  );
  assertVersion(seen, ifMatch);
  if (seen.returnedBy !== null) throw new ServiceError('in_use', 'It came back; delete its return first');
  const documents = await lockDebts(trx, [...new Set(seen.links.map((link) => link.documentId))]);
  const payment = onlyPayment(await loadPayments(trx, [id]), kind);
  // An invoice posted meanwhile has taken over an advance.
  if (payment.links.some((link) => !documents.has(link.documentId))) throw new ConcurrentChange();
  if (returned !== null) await assertRestorable(trx, payment, documents, settledAmounts(payment.links));
  const changes = new Changes(ctx);
  addPayments(changes, {
    removed: [payment],
    changed: locked.filter((one) => one.id === returned).map((before) => standing(ctx, before)),
    links: [],
    documents: settledBy(payment.links.map(reversed), documents),
    periods: [payment.periodId],
    events: [],
  });
  for (const entry of await loadStanding(trx, id)) {
    // Each on its own day.
    const on: EntryDay = { date: entry.date, periodId: entry.periodId, area: PAYMENT_AREA };
    const items = payment.feesBorneBy === 'partner' ? await lockEntryItems(trx, entry.id) : [];
    assertUnpaid(items);
    const settlements = items.map((item) => ({ lineNumber: item.row.lineNumber, debt: item, settled: item.row.total }));
    addSettlements(changes, { id: addReversal(changes, entry, on), date: on.date }, settlements);
  }
  await changes.write(trx);
}

/** The payment that came back, as it was before. */
function standing(ctx: Context, before: PaymentRow): { readonly before: PaymentRow; readonly next: PaymentRow } {
  const appliedTotal = sum(before.links.map(({ amount }) => amount)).toFixed();
  const updatedAt = ctx.now.toISOString();
  return { before, next: { ...before, appliedTotal, returnedBy: null, version: before.version + 1, updatedAt } };
}

function assertUnpaid(items: readonly LoadedItem[]): void {
  if (items.every(({ row }) => decimal(row.paidTotal).eq(0))) return;
  throw new ServiceError('in_use', 'It cannot be deleted because the fees that its partner bears are settled');
}
