/** Deleting a payment: its documents are open again by what it settled, and its entries are reversed. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ConcurrentChange } from '../../db/errors.ts';
import { query } from '../../db/sql.ts';
import { assertVersion } from '../../db/write.ts';
import { type Decimal, sum } from '../../domain/money.ts';
import type { PaymentDirection } from '../../domain/payments/types.ts';
import { writeReversal } from '../accounting/write-entry.ts';
import { periodClosed } from '../documents/resolve.ts';
import { lockDocuments } from './links.ts';
import { loadPayments, lockPayments, onlyPayment } from './payment.ts';
import { writePayments } from './write.ts';

interface Entered {
  readonly id: string;
  readonly date: string;
  readonly periodId: string;
  readonly code: string;
  readonly status: string;
}

const ENTRIES_SQL = `select e.id, e.date, e.period_id as "periodId", p.code, p.status from journal_entries e join periods p on p.id = e.period_id
  where e.source_type = 'payment' and e.source_id = :id::uuid and e.reversal_of is null
    and not exists (select from journal_entries r where r.reversal_of = e.id) order by e.seq`;

/** @throws ServiceError not_found, stale_version, period_closed (of the payment or of one of its entries) */
export async function removePayment(
  trx: Db,
  ctx: Context,
  direction: PaymentDirection,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  const seen = onlyPayment(await lockPayments(trx, [id]), direction);
  assertVersion(seen, ifMatch);
  const documents = await lockDocuments(trx, [...new Set(seen.links.map((link) => link.documentId))]);
  const payment = onlyPayment(await loadPayments(trx, [id]), direction);
  // An invoice that was posted meanwhile has taken an advance over.
  if (payment.links.some((link) => !documents.has(link.documentId))) throw new ConcurrentChange();
  const entries = await query<Entered>(trx, ENTRIES_SQL, { id });
  const closed = entries.find(({ status }) => status === 'C');
  if (closed !== undefined) throw periodClosed(closed.code);
  const settled = new Map<string, Decimal>();
  for (const link of payment.links)
    settled.set(link.documentId, sum([settled.get(link.documentId) ?? '0', link.settled]).toFixed());
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
    periods: [payment.periodId, ...entries.map((entry) => entry.periodId)],
    events: [],
  });
  for (const { id: entryId, date, periodId } of entries) await writeReversal(trx, ctx, entryId, { date, periodId });
}
