/** Deletes payments: what they settled is outstanding again, and their entries are reversed. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ConcurrentChange } from '../../db/errors.ts';
import { assertVersion } from '../../db/write.ts';
import { type Decimal, sum } from '../../domain/money.ts';
import type { PaymentKind } from '../../domain/payments/types.ts';
import { loadStanding } from '../accounting/write-entry.ts';
import { lockDebts } from './debts.ts';
import { loadPayments, lockPayments, onlyPayment } from './payment.ts';
import { writePayments } from './write.ts';

/** @throws ServiceError not_found, stale_version, period_closed (of the payment or of one of its entries) */
export async function removePayment(
  trx: Db,
  ctx: Context,
  kind: PaymentKind,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  const seen = onlyPayment(await lockPayments(trx, [id]), kind);
  assertVersion(seen, ifMatch);
  const documents = await lockDebts(trx, [...new Set(seen.links.map((link) => link.documentId))]);
  const payment = onlyPayment(await loadPayments(trx, [id]), kind);
  // An invoice posted meanwhile has taken over an advance.
  if (payment.links.some((link) => !documents.has(link.documentId))) throw new ConcurrentChange();
  const settled = new Map<string, Decimal>();
  for (const link of payment.links)
    settled.set(link.documentId, sum([settled.get(link.documentId) ?? '0', link.settled]).toFixed());
  const entries = await loadStanding(trx, id);
  await writePayments(trx, ctx, {
    removed: [payment],
    links: [],
    documents: [...documents.values()].map((document) => {
      return {
        document,
        settled: sum([settled.get(document.row.id) ?? '0'])
          .times(-1)
          .toFixed(),
      };
    }),
    periods: [payment.periodId],
    events: [],
    // Each on its own day.
    reversals: entries.map((entry) => ({ entry, on: { date: entry.date, periodId: entry.periodId } })),
  });
}
